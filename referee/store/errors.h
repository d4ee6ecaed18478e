// Errors that several calls of the store return, one function each, with the codes of store.h.
//
// base/errors.h says how to word an error.
#ifndef REFEREE_STORE_ERRORS_H_
#define REFEREE_STORE_ERRORS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee::store {

// `where`: the file, or the name of the database in messages.
absl::Status StoreOfAnotherVersion(absl::string_view where, int64_t version);
// For a store in PostgreSQL; `database`: its name in messages. For a file: sqlite/sqlite.h.
absl::Status PostgresStoreDamaged(absl::string_view database, absl::string_view why);
absl::Status NoStore(absl::string_view path);

// Backups. `dir`: the backup's directory.
absl::Status BackupInUse(absl::string_view dir);

// The store: accounts. Tokens are never shown.
absl::Status TokenInUse();
absl::Status NoAccount(absl::string_view name);
absl::Status NotABot(absl::string_view name);
absl::Status LastOrganiser(absl::string_view name);

// The store: competitions, by name or id. `is`: the current state, such as "it is PAUSED".
absl::Status CompetitionExists(absl::string_view name);
absl::Status NoCompetition(absl::string_view name);
absl::Status NoEntrant(absl::string_view competition, absl::string_view name);
absl::Status TooManyEntrants(absl::string_view competition, int limit);
absl::Status CompetitionMovedOn(absl::string_view competition, absl::string_view is);
// Leases. A lapsed lease may still be renewed; it has not ended yet.
absl::Status LeaseEnded(absl::string_view owner);
absl::Status LeaseLapsed(absl::string_view owner);
absl::Status HomeIsAnother(absl::string_view competition, absl::string_view owner);
absl::Status NoBlock(absl::string_view competition, int64_t number);

}  // namespace referee::store

#endif  // REFEREE_STORE_ERRORS_H_
