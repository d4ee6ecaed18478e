// Files that people edit: lists, keys, certificates, settings.
#ifndef REFEREE_REPLAY_TEXT_FILE_H_
#define REFEREE_REPLAY_TEXT_FILE_H_

#include <string>

#include "absl/status/statusor.h"

namespace referee::replay {

// Reads a whole file as text, "-" being the standard input, and drops a byte order mark. Fails as
// ReadFile does (replay.h), and returns InvalidArgument that names a file in UTF-16.
absl::StatusOr<std::string> ReadTextFile(const std::string& path);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_TEXT_FILE_H_
