// Errors that several files of the gate return. base/errors.h has the rules for their wording.
#ifndef REFEREE_GATE_ERRORS_H_
#define REFEREE_GATE_ERRORS_H_

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "referee/base/errors.h"

namespace referee::gate {

// `what`: "match", "replay of match", "competition", "season", "round".
inline absl::Status NothingNamed(absl::string_view what, absl::string_view name) {
  return absl::NotFoundError(absl::StrCat("there is no ", what, " ", Quoted(name), " here"));
}

inline absl::Status ReplayTooLarge(absl::string_view match_id) {
  return absl::FailedPreconditionError(
      absl::StrCat("the replay of match ", match_id, " is too large to be shown here"));
}

// Transient errors.
inline absl::Status TooManyCalls() {
  return absl::UnavailableError("too much is asked of the referee; try again in a second");
}
inline absl::Status RefereeSilent() {
  return absl::UnavailableError("the referee does not answer; try again in some seconds");
}

}  // namespace referee::gate

#endif  // REFEREE_GATE_ERRORS_H_
