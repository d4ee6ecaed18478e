// Errors that the service returns to clients from several places, one function each. base/errors.h
// says how errors are worded.
#ifndef REFEREE_SERVICE_ERRORS_H_
#define REFEREE_SERVICE_ERRORS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"

namespace referee::service {

// The payload of an error that passes by itself: after how many milliseconds.
inline constexpr absl::string_view kRetryAfter = "retry-after-ms";

// Something came too often, as `problem` says; it may come again after `wait`.
absl::Status TooOften(absl::string_view problem, absl::Duration wait);

// Service: credentials, streams of bots, addresses.
absl::Status UnknownToken();
absl::Status TokenRenewed(absl::string_view name);
absl::Status TokenExpired(absl::string_view name, absl::Time when);
absl::Status AccountDisabled(absl::string_view name, absl::string_view reason);
absl::Status AccountRemoved(absl::string_view name);
absl::Status AccountBanned(absl::string_view name, absl::string_view reason,
                           absl::optional<absl::Time> until);
absl::Status AddressBanned(absl::string_view network, absl::string_view reason,
                           absl::optional<absl::Time> until);
// `needed` is who may do it, such as "an organiser".
absl::Status WrongRole(absl::string_view needed, absl::string_view name, absl::string_view role);
absl::Status NoHello();

absl::Status BadAddress(absl::string_view address);
absl::Status AddressTaken(absl::string_view address);
// Connections.
// The other end of a connection, for the text of an error; `account` may be empty.
std::string WhoIsThere(absl::string_view account, absl::string_view address);
absl::Status SendsWaste(absl::string_view address);

// `caller` is the bot whose token calls.
absl::Status OnlyForItself(absl::string_view caller, absl::string_view bot);
absl::Status TooManyCalls(int limit);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ERRORS_H_
