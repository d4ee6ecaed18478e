// Errors of what a Hello says, a function each. How an error is worded: base/errors.h; what the
// service has in common: service/errors.h.
#ifndef REFEREE_SERVICE_PLAY_ERRORS_H_
#define REFEREE_SERVICE_PLAY_ERRORS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee::service {

// A token of nothing, or of white space only.
absl::Status TokenEmpty();
// A token that is not known, with white space before or after it.
absl::Status TokenInSpaces();
// A game that a Hello names and the referee does not have: a notice, as it is no error.
std::string GameUnknownHere(absl::string_view game);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_ERRORS_H_
