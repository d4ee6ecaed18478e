// What tests of the store of PostgreSQL share.
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

// Options of a store in a schema of its own: that of this path, of a folder that is the test's own.
PostgresOptions OptionsOf(const std::string& path);

// Makes the store if need be, and opens it.
std::unique_ptr<Store> OpenMigrated(const std::string& conninfo, const PostgresOptions& options);

// A test with a schema of its own, in which there is nothing yet.
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
  std::unique_ptr<postgres::Connection> db_;  // to look into it, and to change it
};

}  // namespace referee::store

#endif  // REFEREE_TESTS_UNIT_STORE_POSTGRES_HARNESS_H_
