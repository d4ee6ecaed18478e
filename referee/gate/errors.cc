#include "referee/gate/errors.h"

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::gate {

absl::Status NothingNamed(absl::string_view what, absl::string_view name) {
  return absl::NotFoundError(absl::StrCat("there is no ", what, " ", Quoted(name), " here"));
}

absl::Status ReplayTooLarge(absl::string_view match_id) {
  return absl::FailedPreconditionError(
      absl::StrCat("the replay of match ", match_id, " is too large to be shown here"));
}

absl::Status TooManyCalls() {
  return absl::UnavailableError("too much is asked of the referee; try again in a second");
}

absl::Status RefereeSilent() {
  return absl::UnavailableError("the referee does not answer; try again in some seconds");
}

}  // namespace referee::gate
