// Folders that a command fills with files, marked by a manifest.
#ifndef REFEREE_REPLAY_OWN_FOLDER_H_
#define REFEREE_REPLAY_OWN_FOLDER_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee::replay {

// The first line of the manifest that marks a folder as a command's.
struct FolderMark {
  absl::string_view manifest;  // name of the file, such as "site.manifest"
  absl::string_view line;      // such as "refgate-export 1"
  absl::string_view command;   // for errors, such as "refgate --export"
};

// Checks that OwnFolder would accept the folder, without writing. Returns the same errors.
absl::Status CheckOwnFolder(const std::string& path, const FolderMark& mark);

// Takes a folder for the command. Writes the manifest to a new or empty folder; accepts a folder
// with the manifest of an earlier run. Returns AlreadyExists that names the folder when it holds
// anything else, or the file system's error; then nothing was written.
absl::Status OwnFolder(const std::string& path, const FolderMark& mark);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_OWN_FOLDER_H_
