#include "referee/store/errors.h"

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/store/schema.h"

namespace referee::store {

absl::Status NotAStore(absl::string_view path) {
  return absl::InvalidArgumentError(
      absl::StrCat(path,
                   ": not a referee's store; move it away and a new one is made, or name another "
                   "data directory"));
}

absl::Status StoreOfAnotherVersion(absl::string_view where, int64_t version) {
  return absl::FailedPreconditionError(absl::StrCat(
      where, ": a store of version ", version, "; this program works with version ", kStoreVersion,
      ": use the program that wrote it, or another data directory or database"));
}

absl::Status StoreOnlyRead(absl::string_view path) {
  return absl::PermissionDeniedError(absl::StrCat(path, ": was opened to be read only"));
}

absl::Status StoreDamaged(absl::string_view path, absl::string_view why) {
  return absl::DataLossError(absl::StrCat(path, ": the store is damaged (", why,
                                          "); put back a copy of it, with its -wal file if "
                                          "there is one; what 'sqlite3 ",
                                          path, " .recover' prints is what can be read of it"));
}

absl::Status PostgresStoreDamaged(absl::string_view database, absl::string_view why) {
  return absl::DataLossError(absl::StrCat(database, ": the store is damaged (", why,
                                          "); restore the database from a backup"));
}

absl::Status NoPostgresStore(absl::string_view database, absl::string_view schema) {
  return absl::FailedPreconditionError(
      absl::StrCat(database, ": has no referee's store in its schema ", Quoted(schema),
                   "; 'refctl store migrate --store URL' makes one, 'refctl store copy' brings one "
                   "from a data directory"));
}

absl::Status SchemaOfOthers(absl::string_view database, absl::string_view schema) {
  return absl::InvalidArgumentError(
      absl::StrCat(database, ": schema ", Quoted(schema),
                   " has tables, and not a referee's; name another schema or database"));
}

absl::Status PostgresStoreContended(absl::string_view database) {
  return absl::UnavailableError(
      absl::StrCat(database, ": others change the same again and again; try again"));
}

absl::Status PostgresStoreBusy(int connections) {
  return absl::UnavailableError(absl::StrCat("the store's database: all ", connections,
                                             " connections are in use for too long; try again"));
}

absl::Status StoreBusy(absl::string_view path) {
  return absl::UnavailableError(
      absl::StrCat(path, ": another process is writing to the store for too long; try again"));
}

absl::Status NoStore(absl::string_view path) {
  return absl::NotFoundError(
      absl::StrCat(path, ": there is no store; name the data directory that a refereed was given"));
}

absl::Status StoreElsewhere(absl::string_view note, absl::string_view database) {
  return absl::FailedPreconditionError(
      absl::StrCat(note, ": the store of this data directory is ", database,
                   "; give --store and its URL; or, to go back to the file store.db with what was "
                   "in it then, remove this file"));
}

absl::Status StoreNotCopied(absl::string_view path) {
  return absl::FailedPreconditionError(
      absl::StrCat(path,
                   ": this data directory has a store of its own; 'refctl store copy' takes "
                   "it to a database, or move it away to leave behind what is in it"));
}

absl::Status StoreNotEmpty(absl::string_view database, absl::string_view table) {
  return absl::AlreadyExistsError(absl::StrCat(database, ": its table ", table,
                                               " has rows; a store is copied into an empty one "
                                               "only: name another database"));
}

absl::Status CopyDiffers(absl::string_view database, absl::string_view table, int64_t row) {
  return absl::DataLossError(
      absl::StrCat(database, ": row ", row, " of table ", table, ", counted from 0 by its key, is ",
                   "read back as other than it was written; nothing was changed; look at the "
                   "server's log, and try again"));
}

absl::Status NoBackup(absl::string_view dir) {
  return absl::NotFoundError(absl::StrCat(
      dir,
      ": there is no backup: no file 'manifest'; name the DIR that 'refctl backup' was given"));
}

absl::Status BackupWithoutStore(absl::string_view data_dir, absl::string_view database) {
  return absl::FailedPreconditionError(absl::StrCat(
      data_dir, ": its store is ", database,
      ", and a backup is of a data directory with its store; save the database with pg_dump first, "
      "then copy the directory"));
}

absl::Status NotAManifest(absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("not the manifest of a backup: ", why,
                   "; take another copy of the backup, or make a new one in another directory"));
}

absl::Status ManifestTooNew(int64_t version, int64_t known) {
  return absl::FailedPreconditionError(absl::StrCat("a backup of version ", version,
                                                    ", and this program knows ", known,
                                                    "; take the refctl that made it, or a later"));
}

absl::Status BackupInUse(absl::string_view dir) {
  return absl::FailedPreconditionError(
      absl::StrCat(dir, ": another 'refctl backup' or 'restore' is at work there; wait for it"));
}

absl::Status BackupDamaged(absl::string_view path) {
  return absl::DataLossError(
      absl::StrCat(path,
                   ": other bytes than the manifest says; take another copy of the backup, or have "
                   "'refctl backup' make a new one in another directory"));
}

absl::Status BackupOfOther(absl::string_view dir) {
  return absl::FailedPreconditionError(
      absl::StrCat(dir, ": has files, and no 'manifest' of a backup; name an empty directory"));
}

absl::Status StoreNeverStill(absl::string_view path) {
  return absl::UnavailableError(absl::StrCat(
      path, ": a referee was started or stopped meanwhile, again and again; try again"));
}

absl::Status NotEmpty(absl::string_view dir) {
  return absl::AlreadyExistsError(
      absl::StrCat(dir, ": is there, and not empty; name a directory that is not there yet"));
}

absl::Status RestoreLeft(absl::string_view dir) {
  return absl::AlreadyExistsError(absl::StrCat(
      dir, ": is left of a restore that was interrupted, or still goes on; remove it if not"));
}

absl::Status AccountExists(absl::string_view name) {
  return absl::AlreadyExistsError(
      absl::StrCat("account ", Quoted(name), ": there is one of this name; choose another"));
}

absl::Status TokenInUse() {
  return absl::AlreadyExistsError("token: another account has it; make a new one");
}

absl::Status NoAccount(absl::string_view name) {
  return absl::NotFoundError(absl::StrCat(
      "account ", Quoted(name), ": there is none of this name; 'refctl bot list' shows all"));
}

absl::Status LastOrganiser(absl::string_view name) {
  return absl::FailedPreconditionError(
      absl::StrCat("account ", Quoted(name),
                   ": is the last organiser that is neither disabled nor banned; make "
                   "another first: 'refctl bot add NAME --role organiser'"));
}

absl::Status NoBan(absl::string_view subject) {
  return absl::NotFoundError(
      absl::StrCat("ban of ", Quoted(subject), ": there is none; 'refctl ban list' shows all"));
}

absl::Status TooManyBans(int limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat("there are ", limit, " bans, the most that may: remove some, or ban networks"));
}

absl::Status NoAccountOfToken() { return absl::NotFoundError("token: no account has it"); }

absl::Status TokenNotCurrent(absl::string_view name) {
  return absl::FailedPreconditionError(
      absl::StrCat("account ", Quoted(name),
                   ": its token was renewed already; renew it with the new one, or ask the "
                   "organiser for another"));
}

absl::Status TokenRenewedJustNow(absl::string_view name, absl::Time again) {
  return absl::ResourceExhaustedError(absl::StrCat(
      "account ", Quoted(name), ": its token was renewed just now; it can be again from ",
      absl::FormatTime("%H:%M:%S UTC", again, absl::UTCTimeZone()), " on"));
}

absl::Status NotABot(absl::string_view name) {
  return absl::FailedPreconditionError(
      absl::StrCat("account ", Quoted(name), ": is no bot's; only bots have versions"));
}

absl::Status VersionTooSoon(absl::string_view name, absl::string_view version,
                            absl::Duration interval, absl::Duration wait) {
  return absl::ResourceExhaustedError(absl::StrCat(
      "bot ", Quoted(name), ": may tell another version once in ", absl::FormatDuration(interval),
      ", and for the next ", absl::FormatDuration(absl::Ceil(wait, absl::Seconds(1))), " has ",
      version.empty() ? "none" : Quoted(version),
      "; tell that or none, wait, or ask an organiser: 'refctl bot version NAME VERSION'"));
}

absl::Status TooManyVersions(absl::string_view name, absl::string_view competition, int limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat("bot ", Quoted(name), ": has had ", limit, " versions in this season of ",
                   Quoted(competition),
                   ", as many as a bot may tell, of which going back to one is another; tell the "
                   "one that it has or none, or ask an organiser: 'refctl bot version NAME "
                   "VERSION'"));
}

absl::Status AccountEntered(absl::string_view name, absl::string_view competition) {
  return absl::FailedPreconditionError(
      absl::StrCat("account ", Quoted(name), ": plays in competition ", Quoted(competition),
                   ", which is not over; withdraw it there first"));
}

absl::Status CompetitionExists(absl::string_view name) {
  return absl::AlreadyExistsError(
      absl::StrCat("competition ", Quoted(name), ": there is one of this name; choose another"));
}

absl::Status CompetitionRequestReused(absl::string_view request_id) {
  return absl::AlreadyExistsError(
      absl::StrCat("request_id ", Quoted(request_id),
                   ": used before for a competition with another spec; take a new one"));
}

absl::Status NoCompetition(absl::string_view name) {
  return absl::NotFoundError(absl::StrCat("competition ", Quoted(name),
                                          ": there is none; 'refctl competition list' shows all"));
}

absl::Status NoEntrant(absl::string_view competition, absl::string_view name) {
  return absl::NotFoundError(
      absl::StrCat("bot ", Quoted(name), ": is not entered in competition ", Quoted(competition)));
}

absl::Status CompetitionClosed(absl::string_view competition, absl::string_view state) {
  return absl::FailedPreconditionError(absl::StrCat("competition ", Quoted(competition), ": is ",
                                                    state, "; nobody can join it any more"));
}

absl::Status CompetitionNotOver(absl::string_view competition, absl::string_view state) {
  return absl::FailedPreconditionError(
      absl::StrCat("competition ", Quoted(competition), ": is ", state,
                   "; only one that is NEW or FINISHED is removed"));
}

absl::Status ReplaysAreKept(absl::string_view competition) {
  return absl::FailedPreconditionError(
      absl::StrCat("competition ", Quoted(competition),
                   ": its replays are to be kept, which nothing would say without it; if they need "
                   "not be, 'refctl competition set NAME --keep-replays default' first"));
}

absl::Status TooManyEntrants(absl::string_view competition, int limit) {
  return absl::ResourceExhaustedError(absl::StrCat("competition ", Quoted(competition), ": has ",
                                                   limit, " entrants, as many as are allowed"));
}

absl::Status TooManyEntrantsForVersions(absl::string_view competition, int entrants, int versions) {
  return absl::ResourceExhaustedError(absl::StrCat(
      "competition ", Quoted(competition), ": has ", entrants, " entrants, of which ", versions,
      " are versions that have played in this season, and takes no more that bots tell by "
      "themselves; tell the version that the bot has or none, or ask an organiser: 'refctl bot "
      "version NAME VERSION'"));
}

absl::Status NoSeasonInState(absl::string_view competition, absl::string_view state) {
  return absl::FailedPreconditionError(
      absl::StrCat("competition ", Quoted(competition), ": is ", state,
                   "; a season begins in one that is RUNNING or PAUSED"));
}

absl::Status BlocksRunning(absl::string_view competition) {
  return absl::FailedPreconditionError(
      absl::StrCat("competition ", Quoted(competition), ": blocks of it are being played"));
}

absl::Status CompetitionNeverQuiet(absl::string_view competition) {
  return absl::UnavailableError(
      absl::StrCat("competition ", competition,
                   ": blocks are counted faster than it can be read; pause it, or try again"));
}

absl::Status CompetitionMovedOn(absl::string_view competition, absl::string_view is) {
  return absl::AbortedError(absl::StrCat("competition ", Quoted(competition), ": ", is,
                                         " by now; read it again, and decide anew"));
}

absl::Status LeaseEnded(absl::string_view owner) {
  return absl::AbortedError(absl::StrCat("the lease of ", Quoted(owner),
                                         " has ended, since another referee has claimed its "
                                         "blocks; renew it, and read again"));
}

absl::Status LeaseLapsed(absl::string_view owner) {
  return absl::AbortedError(
      absl::StrCat("the lease of ", Quoted(owner), " has lapsed; renew it, and decide anew"));
}

absl::Status HomeIsAnother(absl::string_view competition, absl::string_view owner) {
  return absl::AbortedError(absl::StrCat("competition ", Quoted(competition), ": ", Quoted(owner),
                                         " is not its home; read it again, and decide anew"));
}

absl::Status NoDaemon(absl::string_view owner) {
  return absl::NotFoundError(absl::StrCat("no referee ", Quoted(owner),
                                          " has a lease that lasts; 'refctl fleet show' lists "
                                          "those that have"));
}

absl::Status NoBlock(absl::string_view competition, int64_t number) {
  return absl::NotFoundError(
      absl::StrCat("competition ", Quoted(competition), ": has no block ", number));
}

absl::Status BlockMovedOn(absl::string_view competition, int64_t number, absl::string_view is) {
  return absl::AbortedError(absl::StrCat("competition ", Quoted(competition), ": block ", number,
                                         " ", is, " by now; read it again, and decide anew"));
}

absl::Status BlockPlayedOtherwise(absl::string_view competition, int64_t number) {
  return absl::AlreadyExistsError(absl::StrCat("competition ", Quoted(competition), ": block ",
                                               number, " has other results already"));
}

absl::Status BlocksNotOver(absl::string_view competition, int64_t from, int64_t to) {
  return absl::FailedPreconditionError(absl::StrCat("competition ", Quoted(competition),
                                                    ": not every block from ", from, " to ", to - 1,
                                                    " is over, so they cannot count"));
}

}  // namespace referee::store
