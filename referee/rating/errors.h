// Errors of what ratings and tests are asked for, a function each. How an error is worded:
// base/errors.h.
#ifndef REFEREE_RATING_ERRORS_H_
#define REFEREE_RATING_ERRORS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee::rating {

// The terms of a sequential test; `why` is one clause.
absl::Status BadSprt(absl::string_view text, absl::string_view why);

}  // namespace referee::rating

#endif  // REFEREE_RATING_ERRORS_H_
