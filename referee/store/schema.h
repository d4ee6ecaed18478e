// The schema of the store's file: its application id, its tables, and the migrations from each
// version to the next. STORE.md explains the tables.
#ifndef REFEREE_STORE_SCHEMA_H_
#define REFEREE_STORE_SCHEMA_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "referee/store/database.h"

namespace referee::store {

// SQLite's application_id of a store: "rfst".
inline constexpr int64_t kApplicationId = 0x72667374;

// Migration i, an SQL script, turns version i into version i + 1; version 0 has no tables. A
// released migration never changes: each change of the tables is a new one.
absl::Span<const char* const> Migrations();

// Opens the store at `path`, creates it if there is none, and migrates it to the version after the
// last of `steps`. Creation and each migration are atomic, also among several processes. Returns
// what OpenSqliteStore does.
absl::StatusOr<std::unique_ptr<Connection>> OpenStoreFile(const std::string& path,
                                                          absl::Duration busy_limit,
                                                          absl::Span<const char* const> steps);

// Another connection to a store that OpenStoreFile has opened, which is still open.
absl::StatusOr<std::unique_ptr<Connection>> ReopenStoreFile(const std::string& path,
                                                            absl::Duration busy_limit);

// Opens a store, which need not be open elsewhere, for reading without changes (reader.h).
absl::StatusOr<Reader> OpenStoreReader(const std::string& path, absl::Duration busy_limit);

// Checks that such a reader reads a store, of a version that is not after the last of `steps`.
// Returns FailedPrecondition when it is, and what OpenSqliteStoreToRead does.
absl::Status CheckReadVersion(Connection* db, absl::Span<const char* const> steps);

// Checks the pages of those tables whose size does not grow with what is played, of any version.
// Returns DataLoss.
absl::Status CheckSmallTables(Connection* db);

// Checks that such a reader reads a whole store of the version after the last of `steps`. Returns
// what OpenSqliteStoreToRead does.
absl::Status CheckReadStore(Connection* db, absl::Span<const char* const> steps);

}  // namespace referee::store

#endif  // REFEREE_STORE_SCHEMA_H_
