// Errors about bots and matches that several rooms return, one function each.
//
// base/errors.h has the style of error messages.
#ifndef REFEREE_HOST_ERRORS_H_
#define REFEREE_HOST_ERRORS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee::host {

absl::Status UnknownBot(absl::string_view name);
// `role` is the role of the account with this name, such as "organiser".
absl::Status NotABot(absl::string_view name, absl::string_view role);
absl::Status UnknownMatch(absl::string_view match_id);

}  // namespace referee::host

#endif  // REFEREE_HOST_ERRORS_H_
