// Errors of replays, the log, and their files, a function each. How an error is worded:
// base/errors.h.
#ifndef REFEREE_REPLAY_ERRORS_H_
#define REFEREE_REPLAY_ERRORS_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee::replay {

// Keys.
absl::Status BadKeyFile(absl::string_view path, absl::string_view expected);
absl::Status NoKeyYet(absl::string_view data_dir);

// What another version of the program wrote, or one that has other games. `what` is such as
// "a log".
absl::Status UnknownVersion(size_t offset, absl::string_view what, int version, int known);
// Whether an error is one of these, or Unimplemented, as of an unknown game: no damage.
bool IsUnknownHere(const absl::Status& status);
// The same of a file, with what to do.
absl::Status UnknownLog(absl::string_view path, const absl::Status& why);

// Replays, and the records of a match in the log. `offset` is a byte of these.
absl::Status BadAtByte(size_t offset, absl::string_view problem);
// A disk's error, for a caller who asks for a match: not that caller lacks a permission or misnamed
// a path.
absl::Status OfTheDisk(const absl::Status& status);
absl::Status BadRecord(absl::string_view problem);
absl::Status ReplayTooLarge(size_t bytes, size_t limit);
absl::Status NoReplay(absl::string_view match_id);
absl::Status BadPageToken(absl::string_view text);
// `problem` names the bytes of a pack that are damaged, missing or cannot be read.
absl::Status PackNotWhole(absl::string_view path, absl::string_view problem);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_ERRORS_H_
