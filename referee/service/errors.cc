#include "referee/service/errors.h"

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::service {
namespace {

// Something came too often, as `problem` says; it may come again after `wait`.
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

}  // namespace

absl::Status AbsenceLimitOfLadder(absl::Duration given) {
  return absl::InvalidArgumentError(
      absl::StrCat("absence_limit: ", absl::FormatDuration(given),
                   " is given, but a ladder waits for ever; leave it out"));
}

absl::Status NoBotNamed() {
  return absl::InvalidArgumentError(
      "bot: not given; an organiser says which bot joins or leaves (only a bot's own token "
      "stands for it)");
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

absl::Status NameTwice(absl::string_view name) {
  return absl::AlreadyExistsError(absl::StrCat("the name ", Quoted(name), " is taken"));
}

absl::Status TokenTwice(absl::string_view name) {
  return absl::AlreadyExistsError(
      absl::StrCat("the token of ", Quoted(name), " is also somebody else's"));
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

absl::Status NoMatchesHere() {
  return absl::FailedPreconditionError(
      "now: only a running referee can cancel matches; leave out --data-dir and --store, and name "
      "the referee by --address");
}

absl::Status NoBanSubject() {
  return absl::InvalidArgumentError("ban: of whom? give an account or an address");
}

absl::Status BadAccountName(absl::string_view name) {
  return BadValue("name", name,
                  "1 to 64 letters (a to z, A to Z), digits and - _ . that do not begin with -, so "
                  "that every command line and every list can name the account");
}

absl::Status TokenMissing(absl::string_view needed) {
  return absl::UnauthenticatedError(absl::StrCat(
      "only ", needed, " may do this: send metadata 'authorization: Bearer <token>' with a token"));
}

absl::Status NoOrganiserYet(absl::string_view needed) {
  return absl::UnauthenticatedError(
      absl::StrCat("only ", needed,
                   " may do this, and the referee has no organiser yet: make one on its machine "
                   "with 'refctl bot add NAME --role organiser --data-dir DIR', which prints the "
                   "token to send"));
}

absl::Status WrongRole(absl::string_view needed, absl::string_view name, absl::string_view role) {
  return absl::PermissionDeniedError(absl::StrCat("only ", needed,
                                                  " may do this, and the token is "
                                                  "that of ",
                                                  Quoted(name), ", whose role is ", role,
                                                  ": send another"));
}

absl::Status NobodyMayCall(absl::string_view method) {
  return absl::PermissionDeniedError(
      absl::StrCat("nobody may call ", method, ": no line says who may"));
}

absl::Status NameReserved(absl::string_view name) {
  return absl::InvalidArgumentError(
      absl::StrCat("name: ", Quoted(name),
                   " stands for whoever changes the data directory itself; take another"));
}

absl::Status NotAudited(absl::string_view done, const absl::Status& cause) {
  return absl::Status(cause.code(),
                      absl::StrCat(done, ", but the audit log does not say so: ", cause.message()));
}

absl::Status UnreadableMessage() {
  return absl::InvalidArgumentError(
      "a message that is no PlayRequest; bots and referee must speak the same version, and text "
      "must "
      "be UTF-8");
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

absl::Status TooManyMessages(int64_t per_second) {
  return absl::ResourceExhaustedError(
      absl::StrCat("more than ", per_second,
                   " messages a second: say what is asked for, and what is ready in one message"));
}

absl::Status TooManyBytes(int64_t per_second) {
  return absl::ResourceExhaustedError(
      absl::StrCat("more than ", per_second, " bytes a second: say only what is asked for"));
}

absl::Status TooMuchUnasked(int64_t per_second) {
  return absl::ResourceExhaustedError(
      absl::StrCat("more than ", per_second,
                   " items a second that nobody asked for, such as empty messages, moves in turns "
                   "that are not due, resignations: say only what is asked for"));
}

absl::Status TooManyFaults(int64_t per_second) {
  return absl::ResourceExhaustedError(absl::StrCat(
      "more than ", per_second, " faults a second, for too long; see the Fault items"));
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

absl::Status TooManyBadTokens(absl::string_view address, int64_t per_second, absl::Duration wait) {
  return TooOften(
      absl::StrCat("tokens that are not known come from ", address, " more than ", per_second,
                   " times a second, for too long, and this one is not known either: "
                   "mend or stop the bot that sends them"),
      wait);
}

absl::Status TooManyHellos(absl::string_view name, int64_t per_second, absl::Duration wait) {
  return TooOften(absl::StrCat("bot ", Quoted(name), " connects more than ", per_second,
                               " times a second, for too long"),
                  wait);
}

absl::Status TooManyStreamsOfBot(absl::string_view name, int limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat("bot ", Quoted(name), " has ", limit,
                   " streams that are not done with, the most that it may: one is enough"));
}

absl::Status TooManyStreams(int limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat(limit, " streams are open, the most that are; try again later"));
}

absl::Status TooManySilentStreams(int limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat("more than ", limit,
                   " streams have not said hello, and this one for longest: say it at once"));
}

absl::Status TooManyObservers(int limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat(limit, " observers are watching, the most that may; try again later"));
}

absl::Status TooManyCallsOf(absl::string_view who, int64_t per_second, absl::Duration wait) {
  return TooOften(absl::StrCat("calls of ", Quoted(who), " cost more than ", per_second,
                               " units a second, for too long"),
                  wait);
}

absl::Status TooManyChangesOf(absl::string_view who, int64_t per_second, absl::Duration wait) {
  return TooOften(absl::StrCat(Quoted(who), " joins, leaves or renews its token more than ",
                               per_second, " times a second, for too long"),
                  wait);
}

absl::Status TooManyOpenCallsOf(absl::string_view who, int limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat(limit, " calls of ", Quoted(who),
                   " have no answer yet, or it was not read, the most that may: wait for answers, "
                   "and read them"));
}

absl::Status TooManyWatchesOf(absl::string_view who, int limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat(Quoted(who), " watches ", limit,
                   " matches and competitions, the most that it may: end one before the next"));
}

absl::Status TooManyBytesUnreadOf(size_t limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat("your answers that wait to be read would have more than ", limit,
                   " bytes: read them, or ask for smaller pages"));
}

absl::Status TooManyBytesUnread(size_t limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat("answers of all callers that wait to be read would have more than ", limit,
                   " bytes; call again later"));
}

absl::Status ObserverTooSlow(size_t queued) {
  return absl::ResourceExhaustedError(
      absl::StrCat(queued, " events wait to be read: read faster, or watch again from here"));
}

absl::Status ObserverTooSlowForBytes(size_t queued) {
  return absl::ResourceExhaustedError(
      absl::StrCat(queued, " bytes wait to be read: read faster, or watch again from here"));
}

absl::Status TooMuchHeldBack(size_t limit) {
  return absl::ResourceExhaustedError(absl::StrCat(
      "within the watch delay of its competition the match tells more than the ", limit,
      " bytes that are held back for one observer; read its replay when that is told"));
}

absl::Status NotToldYet(absl::string_view match_id, absl::Duration delay, absl::Time when) {
  return absl::FailedPreconditionError(
      absl::StrCat("match ", Quoted(match_id), " is told from ",
                   absl::FormatTime(absl::RFC3339_sec, when, absl::UTCTimeZone()),
                   " on: its competition has a watch delay of ", absl::FormatDuration(delay)));
}

absl::Status BadReadAs(absl::string_view value) {
  return BadValue("metadata referee-read-as", value, "observer, or no such metadata");
}

absl::Status BadAdvertisedAddress(absl::string_view address) {
  return absl::InvalidArgumentError(
      absl::StrCat(Quoted(address),
                   " is no address that bots can dial; write host:port, with a name or address "
                   "of this machine and its port, or unix:/path, in 256 bytes at most"));
}

absl::Status BadAddress(absl::string_view address) {
  return absl::InvalidArgumentError(absl::StrCat(
      "address ", Quoted(address), ": expected host:port, such as 127.0.0.1:7450, or unix:path"));
}

absl::Status PlainTextRefused(absl::string_view address) {
  return absl::InvalidArgumentError(
      absl::StrCat("address ", Quoted(address),
                   ": is reached from elsewhere, and tokens would travel as plain text; give "
                   "--tls-cert and --tls-key, or say --insecure"));
}

absl::Status AddressTaken(absl::string_view address) {
  return absl::UnavailableError(absl::StrCat(
      "address ", Quoted(address),
      ": cannot listen there; is another referee running, or is it not one of this machine's?"));
}

absl::Status TooManyWithoutToken(int limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat(limit,
                   " calls or watches without a token are open, the most that may be: call again "
                   "later, or with a token"));
}

absl::Status TooManyBytesUnreadWithoutToken(size_t limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat("answers to all callers without a token that wait to be read would have more "
                   "than ",
                   limit, " bytes: call again later, or with a token"));
}

absl::Status TooManyConnections(size_t limit) {
  return absl::ResourceExhaustedError(absl::StrCat(
      "there are ", limit,
      " connections of known accounts, the most that may be; raise --max-connections"));
}

absl::Status TooManyConnectionsOfAddress(absl::string_view address, size_t limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat("address ", address, " has ", limit,
                   " connections of known accounts, the most that one address may have; raise "
                   "--max-connections-per-address"));
}

absl::Status SendsWaste(absl::string_view address) {
  return absl::ResourceExhaustedError(
      absl::StrCat("address ", address,
                   " sends what is neither a call nor a message, such as calls that are reset at "
                   "once; it is refused for a minute"));
}

namespace {

// Who is at the other end of a connection; `account` may be empty.
std::string WhoIsThere(absl::string_view account, absl::string_view address) {
  return account.empty() ? absl::StrCat("address ", address)
                         : absl::StrCat("account ", account, ", from ", address, ",");
}

}  // namespace

absl::Status SendsUnused(absl::string_view account, absl::string_view address, uint64_t limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat(WhoIsThere(account, address), " has sent more than ", limit >> 20,
                   " MiB that brought neither a call nor a message, such as calls that do not end, "
                   "halves of messages or "
                   "headers without an end"));
}

absl::Status SendsEndlessHeaders(absl::string_view account, absl::string_view address) {
  return absl::ResourceExhaustedError(
      absl::StrCat(WhoIsThere(account, address), " sends headers without an end"));
}

absl::Status HoldsMostUnused(absl::string_view account, absl::string_view address, uint64_t limit) {
  return absl::ResourceExhaustedError(absl::StrCat(
      WhoIsThere(account, address), " has sent most of the ", limit >> 20, " MiB that ",
      account.empty() ? "all connections without a known token" : "all connections",
      " together may bring of calls that do not begin, halves of messages or headers "
      "without an end"));
}

absl::Status TooManyCallsWithoutEnd(absl::string_view account, absl::string_view address) {
  return absl::ResourceExhaustedError(
      absl::StrCat(WhoIsThere(account, address), " has too many calls open that do not end"));
}

absl::Status ResetsCalls(absl::string_view account, absl::string_view address) {
  return absl::AbortedError(
      absl::StrCat("account ", account, ", from ", address,
                   ", opens calls without end that are reset before they are heard; its new "
                   "connections count as unknown for a minute"));
}

absl::Status TooFewDescriptors(size_t connections, size_t needed, size_t limit) {
  return absl::FailedPreconditionError(absl::StrCat(
      connections, " connections need ", needed, " file descriptors, and there are ", limit,
      "; raise the limit (ulimit -n, LimitNOFILE=), or lower --max-connections"));
}

absl::Status BadProxyHeader(absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("the header of the PROXY protocol will not do: ", why));
}

absl::Status PeerHasEnded() {
  return absl::UnavailableError("the process that opened it has ended");
}

absl::Status NoProxyHeader() {
  return absl::InvalidArgumentError(
      "the proxy does not say whom it speaks for; turn the PROXY protocol on there, or leave it "
      "out "
      "of --trusted-proxy");
}

absl::Status SocketPathTooLong(absl::string_view path, size_t limit) {
  return absl::InvalidArgumentError(absl::StrCat("unix socket ", Quoted(path), ": the path has ",
                                                 path.size(), " bytes; the system allows ", limit,
                                                 " bytes"));
}

absl::Status HalfTls() {
  return absl::InvalidArgumentError("TLS needs both a certificate and its key");
}

absl::Status ClientCaWithoutTls() {
  return absl::InvalidArgumentError(
      "client certificates need TLS: give a certificate and its key, too");
}

absl::Status BadPem(absl::string_view file, absl::string_view expected) {
  return absl::InvalidArgumentError(absl::StrCat("TLS ", file, ": no PEM with ", expected));
}

absl::Status KeyOfOtherCertificate() {
  return absl::InvalidArgumentError(
      "TLS key: belongs to another certificate; give the key of the first one in the chain");
}

absl::Status WeakCertificate(absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("TLS certificate: TLS does not take it: ", why, "; make a stronger one"));
}

absl::Status ClientCaAddedOrLost() {
  return absl::InvalidArgumentError(
      "TLS client CA: whether clients need a certificate is settled when the referee starts");
}

absl::Status CertificateExpired(absl::Time end) {
  return absl::InvalidArgumentError(absl::StrCat("TLS certificate: was valid until ",
                                                 absl::FormatTime(end, absl::UTCTimeZone()),
                                                 "; renew it"));
}

absl::Status CertificateNotYetValid(absl::Time begin) {
  return absl::InvalidArgumentError(absl::StrCat("TLS certificate: is valid from ",
                                                 absl::FormatTime(begin, absl::UTCTimeZone()),
                                                 " only; is the clock right?"));
}

}  // namespace referee::service
