// Errors that several files of the gate make. base/errors.h says how errors are worded.
#ifndef REFEREE_GATE_ERRORS_H_
#define REFEREE_GATE_ERRORS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee::gate {

// `what`: "match", "replay of match", "competition", "season", "round".
absl::Status NothingNamed(absl::string_view what, absl::string_view name);
absl::Status ReplayTooLarge(absl::string_view match_id);
// These pass: too much is asked at once; the referee does not answer.
absl::Status TooManyCalls();
absl::Status RefereeSilent();

}  // namespace referee::gate

#endif  // REFEREE_GATE_ERRORS_H_
