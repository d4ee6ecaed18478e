#include "referee/store/errors.h"

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/store/schema.h"

namespace referee::store {

absl::Status StoreOfAnotherVersion(absl::string_view where, int64_t version) {
  return absl::FailedPreconditionError(absl::StrCat(
      where, ": a store of version ", version, "; this program works with version ", kStoreVersion,
      ": use the program that wrote it, or another data directory or database"));
}

absl::Status PostgresStoreDamaged(absl::string_view database, absl::string_view why) {
  return absl::DataLossError(absl::StrCat(database, ": the store is damaged (", why,
                                          "); restore the database from a backup"));
}

absl::Status NoStore(absl::string_view path) {
  return absl::NotFoundError(
      absl::StrCat(path, ": there is no store; name the data directory that a refereed was given"));
}

absl::Status BackupInUse(absl::string_view dir) {
  return absl::FailedPreconditionError(
      absl::StrCat(dir, ": another 'refctl backup' or 'restore' is at work there; wait for it"));
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

absl::Status NotABot(absl::string_view name) {
  return absl::FailedPreconditionError(
      absl::StrCat("account ", Quoted(name), ": is no bot's; only bots have versions"));
}

absl::Status CompetitionExists(absl::string_view name) {
  return absl::AlreadyExistsError(
      absl::StrCat("competition ", Quoted(name), ": there is one of this name; choose another"));
}

absl::Status NoCompetition(absl::string_view name) {
  return absl::NotFoundError(absl::StrCat("competition ", Quoted(name),
                                          ": there is none; 'refctl competition list' shows all"));
}

absl::Status NoEntrant(absl::string_view competition, absl::string_view name) {
  return absl::NotFoundError(
      absl::StrCat("bot ", Quoted(name), ": is not entered in competition ", Quoted(competition)));
}

absl::Status TooManyEntrants(absl::string_view competition, int limit) {
  return absl::ResourceExhaustedError(absl::StrCat("competition ", Quoted(competition), ": has ",
                                                   limit, " entrants, as many as are allowed"));
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

absl::Status NoBlock(absl::string_view competition, int64_t number) {
  return absl::NotFoundError(
      absl::StrCat("competition ", Quoted(competition), ": has no block ", number));
}

}  // namespace referee::store
