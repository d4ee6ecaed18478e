// Copies a store from the file in a data directory into an empty one in PostgreSQL: all of it or,
// after an error, nothing.
#ifndef REFEREE_STORE_COPY_H_
#define REFEREE_STORE_COPY_H_

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "referee/store/postgres_store.h"

namespace referee::store {

struct CopyReport {
  std::string database;  // what messages call it
  int64_t accounts = 0;
  int64_t competitions = 0;
  int64_t blocks = 0;
  int64_t rows = 0;  // in all
};

// Makes the store in the database if need be, and copies all tables in one transaction, but for
// leases: a referee that is started on the data directory then has its blocks by its name. Before
// the transaction is committed, what it wrote is counted and read back, and each row compared with
// the file's. At last the data directory says where its store is now (place.h); the file stays as
// it is. `progress` is told how many rows of how many were written or compared.
//
// Returns NotFound when there is no store in the data directory, FailedPrecondition when it is of
// an older version, is elsewhere already, or a referee runs on it; AlreadyExists when the other
// store is not empty; DataLoss, naming the row, when what is read back is not what was written;
// else what MigratePostgresStore does.
absl::StatusOr<CopyReport> CopyToPostgres(
    const std::string& data_dir, const std::string& url, const PostgresOptions& options,
    absl::FunctionRef<void(int64_t done, int64_t total)> progress);

}  // namespace referee::store

#endif  // REFEREE_STORE_COPY_H_
