// Folders that a command fills with files, marked by a manifest.
#ifndef REFEREE_REPLAY_OWN_FOLDER_H_
#define REFEREE_REPLAY_OWN_FOLDER_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee::replay {

// The first line of the manifest that marks a folder of a command.
struct FolderMark {
  absl::string_view manifest;  // the name of the file, such as "site.manifest"
  absl::string_view line;      // such as "refgate-export 1"
  absl::string_view command;   // such as "refgate --export"; for errors
};

// Checks that OwnFolder would take the folder, as far as that can be seen without writing. Returns
// the same errors.
absl::Status CheckOwnFolder(const std::string& path, const FolderMark& mark);

// Makes a folder the command's own: one that is new or empty, in which it writes the manifest, or
// one that has the manifest of an earlier run. Returns AlreadyExists that names the folder when it
// holds anything else, or the file system's error; then nothing was written.
absl::Status OwnFolder(const std::string& path, const FolderMark& mark);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_OWN_FOLDER_H_
