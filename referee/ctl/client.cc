#include "referee/ctl/client.h"

namespace referee::ctl {

absl::StatusOr<Exit> Refused(const absl::Status& status, const Output& output) {
  const bool about_what_was_asked = absl::IsNotFound(status) ||
                                    absl::IsFailedPrecondition(status) ||
                                    absl::IsAlreadyExists(status);
  if (!about_what_was_asked) return status;
  output.Error(status);
  return Exit::kNegative;
}

absl::StatusOr<Exit> Ended(const absl::Status& status, const Output& output) {
  if (!status.ok()) return Refused(status, output);
  return Exit::kOk;
}

}  // namespace referee::ctl
