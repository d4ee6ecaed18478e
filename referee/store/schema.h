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

// The version of the tables, in a file and in PostgreSQL: a program reads no other.
inline constexpr int64_t kStoreVersion = 1;

// The statements that make the tables, in SQLite's dialect.
extern const char kStoreTables[];

// Opens the store at `path`. Creates it first if there is none: several processes may do so at
// once, and none sees half a store. Returns what OpenSqliteStore does.
absl::StatusOr<std::unique_ptr<Connection>> OpenStoreFile(const std::string& path,
                                                          absl::Duration busy_limit);

// Another connection to a store that OpenStoreFile has opened, which is still open.
absl::StatusOr<std::unique_ptr<Connection>> ReopenStoreFile(const std::string& path,
                                                            absl::Duration busy_limit);

// Opens a store, which need not be open elsewhere, for reading without changes (reader.h).
absl::StatusOr<Reader> OpenStoreReader(const std::string& path, absl::Duration busy_limit);

// Checks that an open file is a store of kStoreVersion. Returns FailedPrecondition when it is of
// another version, else what OpenSqliteStoreToRead does.
absl::Status CheckVersion(Connection* db);

// Checks the pages of those tables whose size does not grow with what is played.
// Returns DataLoss.
absl::Status CheckSmallTables(Connection* db);

}  // namespace referee::store

#endif  // REFEREE_STORE_SCHEMA_H_
