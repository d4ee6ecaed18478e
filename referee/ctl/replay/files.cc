#include "referee/ctl/replay/files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "referee/base/errors.h"
#include "referee/ctl/errors.h"

namespace referee::ctl {

namespace fs = std::filesystem;

absl::StatusOr<std::vector<std::string>> ReplaysBelow(const std::string& directory) {
  std::vector<std::string> found;
  std::error_code error;
  fs::recursive_directory_iterator at(directory, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->path().extension() == ".rpl") found.push_back(at->path().string());
  }
  if (error) return FileError("cannot read", directory, error.value());
  if (found.empty()) return NoReplaysBelow(directory);
  std::sort(found.begin(), found.end());
  return found;
}

std::string ReplayPathText(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

}  // namespace referee::ctl
