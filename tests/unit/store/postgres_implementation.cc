// The PostgreSQL store, for the contract suite.

#include <memory>

#include "referee/store/postgres_store.h"
#include "tests/support/postgres_cluster.h"
#include "tests/unit/store/harness.h"
#include "tests/unit/store/postgres_harness.h"

namespace referee::store {

PostgresOptions OptionsOf(const std::string& path) {
  // The last part of the folder's name, which is unique.
  constexpr size_t kLongest = 60;
  std::string schema = path.substr(0, path.rfind('/'));
  schema = schema.substr(schema.rfind('/') + 1);
  PostgresOptions options;
  options.schema = schema.size() > kLongest ? schema.substr(schema.size() - kLongest) : schema;
  return options;
}

std::unique_ptr<Store> OpenMigrated(const std::string& conninfo, const PostgresOptions& options) {
  EXPECT_EQ(MigratePostgresStore(conninfo, options).status(), absl::OkStatus());
  return OpenPostgresStore(conninfo, options).value();
}

std::vector<Implementation> AllImplementations() {
  Implementation postgres{
      "Postgres", true, [](const std::string& path, const Clock* clock) -> std::unique_ptr<Store> {
        PostgresOptions options = OptionsOf(path);
        options.clock = clock;
        return OpenMigrated((*testing::PostgresCluster::Get())->conninfo(), options);
      }};
  const auto cluster = testing::PostgresCluster::Get();
  if (absl::IsNotFound(cluster.status())) {
    postgres.missing = std::string(cluster.status().message());
  }
  return {postgres};
}

}  // namespace referee::store
