#include "referee/service/errors.h"

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/games/catalogue.h"

namespace referee::service {
absl::Status TooOften(absl::string_view problem, absl::Duration wait) {
  const absl::Duration rounded = absl::Ceil(wait, absl::Milliseconds(1));
  absl::Status status = absl::ResourceExhaustedError(absl::StrCat(
      problem, ": ",
      rounded == absl::InfiniteDuration()
          ? "this one is never allowed"
          : absl::StrCat("call again in ", absl::FormatDuration(rounded), ", and less often")));
  status.SetPayload(kRetryAfter, absl::Cord(absl::StrCat(absl::ToInt64Milliseconds(rounded))));
  return status;
}

absl::Status OnlyForItself(absl::string_view caller, absl::string_view bot) {
  return absl::PermissionDeniedError(
      absl::StrCat("bot ", Quoted(caller), " may not speak for ", Quoted(bot),
                   "; it takes an organiser's token, or that of the bot itself"));
}

absl::Status TooManyCalls(int limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat(limit, " calls are waiting for an answer, the most that may; call again later"));
}

absl::Status UnknownToken() {
  return absl::UnauthenticatedError(
      "the token is not known: it was mistyped, or renewed, or its account removed; ask an "
      "organiser for a new one ('refctl bot rotate NAME')");
}

absl::Status TokenRenewed(absl::string_view name) {
  return absl::UnauthenticatedError(absl::StrCat("the token of ", Quoted(name),
                                                 " was renewed, and the old one is worth nothing: "
                                                 "connect with the new one"));
}

absl::Status TokenExpired(absl::string_view name, absl::Time when) {
  return absl::UnauthenticatedError(absl::StrCat(
      "the token of ", Quoted(name),
      absl::FormatTime(" has ended at %Y-%m-%d %H:%M:%S UTC", when, absl::UTCTimeZone()),
      ": ask the organiser for another, which 'refctl bot rotate ", name, "' makes"));
}

std::string TokenEndsSoon(absl::string_view name, absl::Time when) {
  return absl::StrCat("this token ends at ",
                      absl::FormatTime("%Y-%m-%d %H:%M:%S UTC", when, absl::UTCTimeZone()),
                      ": renew it before, with 'refctl bot rotate ", name,
                      "' and this token, and start the bot with the new one");
}

std::string PlaysToTheEnd(const absl::Status& why) {
  return absl::StrCat(why.message(),
                      "; matches that have begun go on to their end, no other begins, and then the "
                      "stream ends");
}

absl::Status AccountDisabled(absl::string_view name, absl::string_view reason) {
  return absl::UnauthenticatedError(absl::StrCat(
      "the account of ", Quoted(name), " is disabled (", reason,
      "); its token is good again when an organiser enables it: 'refctl bot enable NAME'"));
}

absl::Status AccountRemoved(absl::string_view name) {
  return absl::UnauthenticatedError(
      absl::StrCat("the account of ", Quoted(name), " was removed; ask an organiser for another"));
}

namespace {

std::string BanTerms(absl::string_view reason, absl::optional<absl::Time> until) {
  return absl::StrCat(
      until
          ? absl::FormatTime(" is banned until %Y-%m-%d %H:%M:%S UTC", *until, absl::UTCTimeZone())
          : " is banned",
      reason.empty() ? "" : absl::StrCat(" (", reason, ")"), "; an organiser may lift that");
}

}  // namespace

absl::Status AccountBanned(absl::string_view name, absl::string_view reason,
                           absl::optional<absl::Time> until) {
  return absl::PermissionDeniedError(
      absl::StrCat("the account of ", Quoted(name), BanTerms(reason, until)));
}

absl::Status AddressBanned(absl::string_view network, absl::string_view reason,
                           absl::optional<absl::Time> until) {
  return absl::PermissionDeniedError(
      absl::StrCat("whoever comes from ", network, BanTerms(reason, until)));
}

absl::Status WrongRole(absl::string_view needed, absl::string_view name, absl::string_view role) {
  return absl::PermissionDeniedError(absl::StrCat("only ", needed,
                                                  " may do this, and the token is "
                                                  "that of ",
                                                  Quoted(name), ", whose role is ", role,
                                                  ": send another"));
}

absl::Status NotAudited(absl::string_view done, const absl::Status& cause) {
  return absl::Status(cause.code(),
                      absl::StrCat(done, ", but the audit log does not say so: ", cause.message()));
}

absl::Status NoHello() {
  return absl::InvalidArgumentError("the first item of a stream must be hello");
}

absl::Status HelloTooLate(absl::string_view limit) {
  return absl::DeadlineExceededError(absl::StrCat("no hello within ", limit));
}

absl::Status HelloTwice() {
  return absl::InvalidArgumentError("hello was said before; it is said once, first");
}

absl::Status NotInMatch(absl::string_view match_id) {
  if (match_id.empty()) {
    return absl::NotFoundError(
        "match_id: '' is empty; name the match as MatchStart.match.match_id did; a field whose "
        "name "
        "is misspelt comes empty, too");
  }
  return absl::NotFoundError(
      absl::StrCat("match ", Quoted(match_id),
                   ": the bot does not play it: it never did, or the match is over, as for a move "
                   "that comes too late"));
}

absl::Status NonceTooLong(size_t size) {
  return absl::InvalidArgumentError(
      absl::StrCat("nonce.nonce: ", size, " bytes; at most 32 are allowed"));
}

absl::Status NonceHashNot32Bytes(size_t size) {
  return absl::InvalidArgumentError(absl::StrCat(
      "ready.nonce_hash: ", size, " bytes; the SHA-256 of the nonce has 32, and no hash has none"));
}

absl::Status PongUnasked(uint64_t number) {
  return absl::InvalidArgumentError(absl::StrCat(
      "pong.number: ", number,
      " is not that of a ping that waits for its pong; each is answered once, at once"));
}

absl::Status TooManyItems(int given, int limit) {
  return absl::InvalidArgumentError(
      absl::StrCat("items: ", given, " in one message; at most ", limit, " are allowed"));
}

absl::Status TooSlow(size_t queued) {
  return absl::ResourceExhaustedError(
      absl::StrCat(queued, " items wait to be read: read the stream all the time"));
}

absl::Status TooSlowForBytes(size_t queued) {
  return absl::ResourceExhaustedError(
      absl::StrCat(queued, " bytes wait to be read: read the stream all the time"));
}

absl::Status TooSlowForAll(size_t limit) {
  return absl::ResourceExhaustedError(absl::StrCat(
      "more than ", limit,
      " bytes wait for all bots to read them, and most of these for this one: read the "
      "stream all the time"));
}

absl::Status BadAddress(absl::string_view address) {
  return absl::InvalidArgumentError(absl::StrCat(
      "address ", Quoted(address), ": expected host:port, such as 127.0.0.1:7450, or unix:path"));
}

absl::Status AddressTaken(absl::string_view address) {
  return absl::UnavailableError(absl::StrCat(
      "address ", Quoted(address),
      ": cannot listen there; is another referee running, or is it not one of this machine's?"));
}

absl::Status SendsWaste(absl::string_view address) {
  return absl::ResourceExhaustedError(
      absl::StrCat("address ", address,
                   " sends what is neither a call nor a message, such as calls that are reset at "
                   "once; it is refused for a minute"));
}

std::string WhoIsThere(absl::string_view account, absl::string_view address) {
  return account.empty() ? absl::StrCat("address ", address)
                         : absl::StrCat("account ", account, ", from ", address, ",");
}

std::string GameUnknownHere(absl::string_view game) {
  return absl::StrCat("hello.games: ", games::Find(game).status().message(),
                      "; it brings this bot no matches, so mend the name, or leave it out");
}

absl::Status TokenEmpty() {
  return absl::UnauthenticatedError(
      "hello.token: empty; send the token that an organiser gave the bot ('refctl bot add NAME', "
      "or 'refctl bot rotate NAME' for a new one), in a duel that of REFEREE_TOKEN; a field whose "
      "name is misspelt comes empty, too");
}

absl::Status TokenInSpaces() {
  return absl::UnauthenticatedError(
      "hello.token: the token is not known, and has white space before or after it, as a line of a "
      "file that was read whole: take that off; if it is not known then either, ask an organiser "
      "for a new one ('refctl bot rotate NAME')");
}

}  // namespace referee::service
