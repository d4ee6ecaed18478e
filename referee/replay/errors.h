// Errors of replays, the log, and their files, one function each.
//
// base/errors.h says how to word an error.
#ifndef REFEREE_REPLAY_ERRORS_H_
#define REFEREE_REPLAY_ERRORS_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee::replay {

// Keys.
absl::Status BadKeyFile(absl::string_view path, absl::string_view expected);
absl::Status NoKeyYet(absl::string_view data_dir);

// Error of data from another version of the program, or from one with other games. `what`: for
// example "a log".
absl::Status UnknownVersion(size_t offset, absl::string_view what, int version, int known);
// Returns whether an error is UnknownVersion, or Unimplemented as for an unknown game. Such data is
// not damaged.
bool IsUnknownHere(const absl::Status& status);
// The same for a log file, with what to do.
absl::Status UnknownLog(absl::string_view path, const absl::Status& why);

// Replays, and the records of a match in the log. `offset` is a byte of the replay or of the
// records.
absl::Status BadAtByte(size_t offset, absl::string_view problem);
// Converts a disk error for a caller who requests a match. PermissionDenied or NotFound would blame
// the caller for the server's storage.
absl::Status OfTheDisk(const absl::Status& status);
absl::Status BadRecord(absl::string_view problem);
absl::Status ReplayTooLarge(size_t bytes, size_t limit);
absl::Status NoReplay(absl::string_view match_id);
absl::Status BadPageToken(absl::string_view text);
// `problem` says which bytes of the pack are damaged, missing or unreadable.
absl::Status PackNotWhole(absl::string_view path, absl::string_view problem);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_ERRORS_H_
