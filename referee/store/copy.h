// Copies a store from the file in a data directory to an empty store in PostgreSQL.
//
// Copies everything or, after an error, nothing.
#ifndef REFEREE_STORE_COPY_H_
#define REFEREE_STORE_COPY_H_

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "referee/store/postgres_store.h"

namespace referee::store {

struct CopyReport {
  std::string database;  // name in messages
  int64_t accounts = 0;
  int64_t competitions = 0;
  int64_t blocks = 0;
  int64_t rows = 0;  // total
};

// Makes the store in the database if needed, and copies all tables in one transaction, without
// leases and the secret of the fleet. A referee started on the data directory then takes over its
// blocks by its names. Before the commit, counts the rows, reads them back and compares each with
// the file's. Finally, the data directory points to the database (place.h); the file does not
// change. Calls `progress` with the number of rows written or compared, and of all.
//
// Returns NotFound when the data directory has no store. Returns FailedPrecondition when the store
// is of another version, is elsewhere already, or a referee runs on it. Returns AlreadyExists when
// the other store is not empty. Returns DataLoss, naming the row, when a row reads back
// differently. Else returns the errors of MigratePostgresStore.
absl::StatusOr<CopyReport> CopyToPostgres(
    const std::string& data_dir, const std::string& url, const PostgresOptions& options,
    absl::FunctionRef<void(int64_t done, int64_t total)> progress);

}  // namespace referee::store

#endif  // REFEREE_STORE_COPY_H_
