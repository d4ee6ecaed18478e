// Errors that several parts of the service return to clients, one function for each.
//
// base/errors.h has the rules for their wording.
#ifndef REFEREE_SERVICE_ERRORS_H_
#define REFEREE_SERVICE_ERRORS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"

namespace referee::service {

// Payload of a transient error: the milliseconds to wait before a retry.
inline constexpr absl::string_view kRetryAfter = "retry-after-ms";

// Returns an error for requests that come too often. `problem` describes them; `wait` is the time
// to the next allowed one.
absl::Status TooOften(absl::string_view problem, absl::Duration wait);

// --- Credentials, streams of bots, addresses ---
absl::Status UnknownToken();
absl::Status TokenRenewed(absl::string_view name);
absl::Status TokenExpired(absl::string_view name, absl::Time when);
absl::Status AccountDisabled(absl::string_view name, absl::string_view reason);
absl::Status AccountRemoved(absl::string_view name);
absl::Status AccountBanned(absl::string_view name, absl::string_view reason,
                           absl::optional<absl::Time> until);
absl::Status AddressBanned(absl::string_view network, absl::string_view reason,
                           absl::optional<absl::Time> until);
// `needed` names the role that is allowed to call, such as "an organiser".
absl::Status WrongRole(absl::string_view needed, absl::string_view name, absl::string_view role);
absl::Status NoHello();

absl::Status BadAddress(absl::string_view address);
absl::Status AddressTaken(absl::string_view address);
// --- Connections ---
//
// Names the other end of a connection, for the text of an error; `account` may be empty.
std::string WhoIsThere(absl::string_view account, absl::string_view address);
absl::Status SendsWaste(absl::string_view address);

// `caller` is the bot whose token the call carries.
absl::Status OnlyForItself(absl::string_view caller, absl::string_view bot);
absl::Status TooManyCalls(int limit);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ERRORS_H_
