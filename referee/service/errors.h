// Errors that the service returns to clients, one function each. base/errors.h says how errors are
// worded.
#ifndef REFEREE_SERVICE_ERRORS_H_
#define REFEREE_SERVICE_ERRORS_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"

namespace referee::service {

// The payload of an error that passes by itself: after how many milliseconds.
inline constexpr absl::string_view kRetryAfter = "retry-after-ms";

// Service: credentials, streams of bots, addresses.
absl::Status NameTwice(absl::string_view name);
absl::Status TokenTwice(absl::string_view name);
absl::Status UnknownToken();
absl::Status TokenRenewed(absl::string_view name);
absl::Status TokenExpired(absl::string_view name, absl::Time when);
// What a bot is told before.
std::string TokenEndsSoon(absl::string_view name, absl::Time when);
// What a bot is told that plays when it is shut out, for `why`.
std::string PlaysToTheEnd(const absl::Status& why);
absl::Status AccountDisabled(absl::string_view name, absl::string_view reason);
absl::Status AccountRemoved(absl::string_view name);
absl::Status AccountBanned(absl::string_view name, absl::string_view reason,
                           absl::optional<absl::Time> until);
absl::Status AddressBanned(absl::string_view network, absl::string_view reason,
                           absl::optional<absl::Time> until);
// A call about a ban that names neither an account nor an address.
absl::Status NoBanSubject();
// Matches are to be cancelled where there are none.
absl::Status NoMatchesHere();
// Of an account that is to be made.
absl::Status BadAccountName(absl::string_view name);
// `needed` is who may do it, such as "an organiser".
absl::Status TokenMissing(absl::string_view needed);
absl::Status NoOrganiserYet(absl::string_view needed);
absl::Status WrongRole(absl::string_view needed, absl::string_view name, absl::string_view role);
absl::Status NobodyMayCall(absl::string_view method);
// Accounts.
absl::Status NameReserved(absl::string_view name);
absl::Status NotAudited(absl::string_view done, const absl::Status& cause);
absl::Status NoHello();
absl::Status UnreadableMessage();
absl::Status HelloTooLate(absl::string_view limit);
absl::Status HelloTwice();
absl::Status NotInMatch(absl::string_view match_id);
absl::Status NonceTooLong(size_t size);
absl::Status NonceHashNot32Bytes(size_t size);
absl::Status PongUnasked(uint64_t number);
absl::Status TooManyItems(int given, int limit);
absl::Status TooManyMessages(int64_t per_second);
absl::Status TooManyBytes(int64_t per_second);
absl::Status TooMuchUnasked(int64_t per_second);
absl::Status TooManyFaults(int64_t per_second);
absl::Status TooSlow(size_t queued);
absl::Status TooSlowForBytes(size_t queued);
absl::Status TooSlowForAll(size_t limit);
// Each `wait`: until the same may be tried again.
absl::Status TooManyBadTokens(absl::string_view address, int64_t per_second, absl::Duration wait);
absl::Status TooManyHellos(absl::string_view name, int64_t per_second, absl::Duration wait);
absl::Status TooManyStreamsOfBot(absl::string_view name, int limit);
absl::Status TooManyStreams(int limit);
absl::Status TooManySilentStreams(int limit);
absl::Status TooManyObservers(int limit);
// Calls and watches of one caller: `who` is its account or its address.
absl::Status TooManyCallsOf(absl::string_view who, int64_t per_second, absl::Duration wait);
absl::Status TooManyChangesOf(absl::string_view who, int64_t per_second, absl::Duration wait);
absl::Status TooManyOpenCallsOf(absl::string_view who, int limit);
absl::Status TooManyWatchesOf(absl::string_view who, int limit);
absl::Status TooManyBytesUnreadOf(size_t limit);
absl::Status TooManyBytesUnread(size_t limit);
// Of all callers without a token.
absl::Status TooManyWithoutToken(int limit);
absl::Status TooManyBytesUnreadWithoutToken(size_t limit);

absl::Status ObserverTooSlow(size_t queued);
absl::Status ObserverTooSlowForBytes(size_t queued);
// A match tells more within its competition's watch delay than is held for one observer.
absl::Status TooMuchHeldBack(size_t limit);
// The replay of a match, before its competition's watch delay has passed since its end.
absl::Status NotToldYet(absl::string_view match_id, absl::Duration delay, absl::Time when);
// The metadata by which somebody reads for others.
absl::Status BadReadAs(absl::string_view value);
absl::Status BadAddress(absl::string_view address);
absl::Status BadAdvertisedAddress(absl::string_view address);
absl::Status PlainTextRefused(absl::string_view address);
absl::Status AddressTaken(absl::string_view address);
// Connections.
absl::Status TooManyConnections(size_t limit);
absl::Status TooManyConnectionsOfAddress(absl::string_view address, size_t limit);
absl::Status SendsWaste(absl::string_view address);
absl::Status SendsUnused(absl::string_view account, absl::string_view address, uint64_t limit);
// `account` is empty where none is known.
absl::Status SendsEndlessHeaders(absl::string_view account, absl::string_view address);
absl::Status HoldsMostUnused(absl::string_view account, absl::string_view address, uint64_t limit);
// `account` is empty where none is known.
absl::Status TooManyCallsWithoutEnd(absl::string_view account, absl::string_view address);
absl::Status ResetsCalls(absl::string_view account, absl::string_view address);
absl::Status TooFewDescriptors(size_t connections, size_t needed, size_t limit);
absl::Status BadProxyHeader(absl::string_view why);
absl::Status NoProxyHeader();
// The process that connected to a unix socket has ended.
absl::Status PeerHasEnded();
absl::Status SocketPathTooLong(absl::string_view path, size_t limit);
// TLS. `file` is "certificate", "key" or "client CA".
absl::Status HalfTls();
absl::Status ClientCaWithoutTls();
absl::Status BadPem(absl::string_view file, absl::string_view expected);
absl::Status KeyOfOtherCertificate();
// `why` is what OpenSSL says.
absl::Status WeakCertificate(absl::string_view why);
absl::Status ClientCaAddedOrLost();
absl::Status CertificateExpired(absl::Time end);
absl::Status CertificateNotYetValid(absl::Time begin);

absl::Status AbsenceLimitOfLadder(absl::Duration given);
// Competitions: calls. `caller` is the bot whose token calls.
absl::Status NoBotNamed();
absl::Status OnlyForItself(absl::string_view caller, absl::string_view bot);
absl::Status TooManyCalls(int limit);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ERRORS_H_
