// Shared code of tests of the PostgreSQL store.
#ifndef REFEREE_TESTS_UNIT_STORE_POSTGRES_HARNESS_H_
#define REFEREE_TESTS_UNIT_STORE_POSTGRES_HARNESS_H_

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "referee/postgres/postgres.h"
#include "referee/store/postgres_store.h"
#include "tests/support/postgres_test.h"
#include "tests/support/temp_folder.h"

namespace referee::store {

// Options for a store in a separate schema, derived from `path` in a folder of the test.
PostgresOptions OptionsOf(const std::string& path);

// Opens the store, and creates it if it does not exist.
std::unique_ptr<Store> OpenMigrated(const std::string& conninfo, const PostgresOptions& options);

// A test with an empty schema of its own.
class OnPostgres : public ::testing::Test {
 protected:
  void SetUp() override {
    REFEREE_NEED_POSTGRES();
    conninfo_ = (*testing::PostgresCluster::Get())->conninfo();
    options_ = OptionsOf(folder_.Path("store.db"));
    db_ = postgres::Connection::Open(conninfo_, {}).value();
  }

  std::string Table(const std::string& name) {
    return absl::StrCat(db_->Identifier(options_.schema), ".", name);
  }

  testing::TempFolder folder_;
  std::string conninfo_;
  PostgresOptions options_;
  std::unique_ptr<postgres::Connection> db_;  // for direct reads and changes
};

}  // namespace referee::store

#endif  // REFEREE_TESTS_UNIT_STORE_POSTGRES_HARNESS_H_
