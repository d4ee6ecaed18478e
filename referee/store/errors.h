// Errors of the store, its accounts and competitions, one function each, with the codes of store.h.
// base/errors.h says how errors are worded.
#ifndef REFEREE_STORE_ERRORS_H_
#define REFEREE_STORE_ERRORS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace referee::store {

// The store: its file. The codes are those of store/store.h.
absl::Status NotAStore(absl::string_view path);
// `where`: its file, or what messages call its database.
absl::Status StoreOfAnotherVersion(absl::string_view where, int64_t version);
absl::Status StoreDamaged(absl::string_view path, absl::string_view why);
// Of one in PostgreSQL: `database` is what messages call that.
absl::Status PostgresStoreDamaged(absl::string_view database, absl::string_view why);
absl::Status NoPostgresStore(absl::string_view database, absl::string_view schema);
absl::Status SchemaOfOthers(absl::string_view database, absl::string_view schema);
// Others changed the same, each time it was tried.
absl::Status PostgresStoreContended(absl::string_view database);
absl::Status PostgresStoreBusy(int connections);
absl::Status StoreBusy(absl::string_view path);
// Of a call that would change one that was opened to be read only.
absl::Status StoreOnlyRead(absl::string_view path);
absl::Status NoStore(absl::string_view path);
// Where it is (place.h): `note` says that it is in a database; a file of it is there, and nothing
// says that it is not used any more.
absl::Status StoreElsewhere(absl::string_view note, absl::string_view database);
absl::Status StoreNotCopied(absl::string_view path);
// Copying one (copy.h).
absl::Status StoreNotEmpty(absl::string_view database, absl::string_view table);
absl::Status CopyDiffers(absl::string_view database, absl::string_view table, int64_t row);

// Backups. `dir` is the backup's directory, `path` a file in it.
absl::Status NoBackup(absl::string_view dir);
absl::Status BackupWithoutStore(absl::string_view data_dir, absl::string_view database);
absl::Status NotAManifest(absl::string_view why);
absl::Status ManifestTooNew(int64_t version, int64_t known);
absl::Status BackupInUse(absl::string_view dir);
absl::Status BackupDamaged(absl::string_view path);
absl::Status BackupOfOther(absl::string_view dir);
absl::Status StoreNeverStill(absl::string_view path);
absl::Status NotEmpty(absl::string_view dir);
absl::Status RestoreLeft(absl::string_view dir);

// The store: accounts. Tokens are never shown.
absl::Status AccountExists(absl::string_view name);
absl::Status TokenInUse();
absl::Status NoAccount(absl::string_view name);
absl::Status NoAccountOfToken();
absl::Status TokenNotCurrent(absl::string_view name);
absl::Status TokenRenewedJustNow(absl::string_view name, absl::Time again);
// Versions of bots. `version` is the one that it has.
absl::Status NotABot(absl::string_view name);
absl::Status VersionTooSoon(absl::string_view name, absl::string_view version,
                            absl::Duration interval, absl::Duration wait);
absl::Status TooManyVersions(absl::string_view name, absl::string_view competition, int limit);
absl::Status LastOrganiser(absl::string_view name);
absl::Status NoBan(absl::string_view subject);
absl::Status TooManyBans(int limit);
absl::Status AccountEntered(absl::string_view name, absl::string_view competition);

// The store: competitions, by name or id. `is` is what holds now, such as "it is PAUSED".
absl::Status CompetitionExists(absl::string_view name);
absl::Status CompetitionRequestReused(absl::string_view request_id);
absl::Status NoCompetition(absl::string_view name);
absl::Status NoEntrant(absl::string_view competition, absl::string_view name);
absl::Status CompetitionClosed(absl::string_view competition, absl::string_view state);
absl::Status CompetitionNotOver(absl::string_view competition, absl::string_view state);
absl::Status ReplaysAreKept(absl::string_view competition);
absl::Status TooManyEntrants(absl::string_view competition, int limit);
absl::Status TooManyEntrantsForVersions(absl::string_view competition, int entrants, int versions);
// `state` is one in which no season can begin.
absl::Status NoSeasonInState(absl::string_view competition, absl::string_view state);
absl::Status BlocksRunning(absl::string_view competition);
absl::Status CompetitionNeverQuiet(absl::string_view competition);
absl::Status CompetitionMovedOn(absl::string_view competition, absl::string_view is);
// Leases. Lapsed: it may be renewed, and has not ended yet.
absl::Status LeaseEnded(absl::string_view owner);
absl::Status LeaseLapsed(absl::string_view owner);
absl::Status HomeIsAnother(absl::string_view competition, absl::string_view owner);
absl::Status NoDaemon(absl::string_view owner);
absl::Status NoBlock(absl::string_view competition, int64_t number);
absl::Status BlockMovedOn(absl::string_view competition, int64_t number, absl::string_view is);
absl::Status BlockPlayedOtherwise(absl::string_view competition, int64_t number);
absl::Status BlocksNotOver(absl::string_view competition, int64_t from, int64_t to);

}  // namespace referee::store

#endif  // REFEREE_STORE_ERRORS_H_
