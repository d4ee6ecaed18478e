// The store's file: how one is told from another file, its tables, and the steps from each version
// to the next. STORE.md explains the tables.
#ifndef REFEREE_STORE_SCHEMA_H_
#define REFEREE_STORE_SCHEMA_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "referee/store/reader.h"
#include "referee/store/sqlite.h"

namespace referee::store {

// SQLite's application_id of a store: "rfst".
inline constexpr int64_t kApplicationId = 0x72667374;

// Step i, a script of SQL, makes version i + 1 of version i; version 0 has no tables. A step that
// was released is never changed: the next change of the tables is a step of its own.
absl::Span<const char* const> Migrations();

// Opens the store at `path`, made if there is none, in the version that the last of `steps` makes.
// Making and each migration happen whole or not at all, also when several do it at once. Returns
// what OpenSqliteStore does.
absl::StatusOr<std::unique_ptr<Connection>> OpenStoreFile(const std::string& path,
                                                          absl::Duration busy_limit,
                                                          absl::Span<const char* const> steps);

// Another connection to a store that OpenStoreFile has opened, which is still open.
absl::StatusOr<std::unique_ptr<Connection>> ReopenStoreFile(const std::string& path,
                                                            absl::Duration busy_limit);

// The same of a store that need not be open, to be read without changing anything (reader.h).
absl::StatusOr<Reader> OpenStoreReader(const std::string& path, absl::Duration busy_limit);

// Whether what such a reader reads is a whole store of the version that the last of `steps` makes.
// Returns what OpenSqliteStoreToRead does.
absl::Status CheckReadStore(Connection* db, absl::Span<const char* const> steps);

}  // namespace referee::store

#endif  // REFEREE_STORE_SCHEMA_H_
