// What may change of a competition after it was made, and when. Pure.
#ifndef REFEREE_COMPETITION_SPEC_CHANGE_H_
#define REFEREE_COMPETITION_SPEC_CHANGE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/schedule/spec.h"
#include "referee/store/store.h"

namespace referee::competition {

// Returns InvalidArgument that lists what may change, unless this field of the spec may. `field`:
// its name in the protocol.
absl::Status CheckMayChange(absl::string_view field);

// Says which of these fields are others in `to`, for the audit log: "pace 5, was 10; homes 2, was
// 1". Empty: none is. Returns FailedPrecondition that names one that a FINISHED competition keeps.
absl::StatusOr<std::string> ChangeText(const store::Competition& from, const schedule::Spec& to);

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_SPEC_CHANGE_H_
