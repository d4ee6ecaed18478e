// The schema of the store's file: its application id, its version and its tables. STORE.md explains
// the tables.
#ifndef REFEREE_STORE_SCHEMA_H_
#define REFEREE_STORE_SCHEMA_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "referee/sqlite/reader.h"
#include "referee/sqlite/sqlite.h"

namespace referee::store {

using sqlite::Connection;
using sqlite::Reader;
using sqlite::Statement;
using sqlite::Transaction;

// SQLite's application_id of a store: "rfst".
inline constexpr int64_t kApplicationId = 0x72667374;

// The version of the tables, in a file and in PostgreSQL. A program reads only this version.
inline constexpr int64_t kStoreVersion = 1;

// The statements that make the tables, in SQLite's dialect.
extern const char kStoreTables[];

// Opens the store at `path`, and creates it if it is missing. Several processes may do so at once;
// none sees an incomplete store. Returns the errors of OpenSqliteStore.
absl::StatusOr<std::unique_ptr<Connection>> OpenStoreFile(const std::string& path,
                                                          absl::Duration busy_limit);

// Opens another connection to a store that OpenStoreFile has opened and that is still open.
absl::StatusOr<std::unique_ptr<Connection>> ReopenStoreFile(const std::string& path,
                                                            absl::Duration busy_limit);

// Opens a store for reading without changes (reader.h); it need not be open elsewhere.
absl::StatusOr<Reader> OpenStoreReader(const std::string& path, absl::Duration busy_limit);

// Checks that an open file is a store of kStoreVersion. Returns FailedPrecondition for another
// version, else the errors of OpenSqliteStoreToRead.
absl::Status CheckVersion(Connection* db);

// Checks the pages of the tables that do not grow with the number of blocks. Returns DataLoss.
absl::Status CheckSmallTables(Connection* db);

}  // namespace referee::store

#endif  // REFEREE_STORE_SCHEMA_H_
