#include "referee/ctl/replay/files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "referee/base/errors.h"
#include "referee/ctl/errors.h"

namespace referee::ctl {
namespace {

namespace fs = std::filesystem;

absl::Status AppendReplaysBelow(const std::string& directory, std::vector<std::string>* paths) {
  std::vector<std::string> found;
  std::error_code error;
  fs::recursive_directory_iterator at(directory, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->path().extension() == ".rpl") found.push_back(at->path().string());
  }
  if (error) return FileError("cannot read", directory, error.value());
  if (found.empty()) return NoReplaysBelow(directory);
  std::sort(found.begin(), found.end());
  paths->insert(paths->end(), found.begin(), found.end());
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ExpandReplayPaths(const std::vector<std::string>& paths) {
  std::vector<std::string> expanded;
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
      expanded.push_back(path);
      continue;
    }
    if (absl::Status s = AppendReplaysBelow(path, &expanded); !s.ok()) return s;
  }
  return expanded;
}

std::string ReplayPathText(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

absl::StatusOr<replay::Replay> LoadReplay(const std::string& path) {
  const absl::StatusOr<std::string> bytes = replay::ReadFile(path);
  if (!bytes.ok()) return bytes.status();
  absl::StatusOr<replay::Replay> replay = replay::Parse(*bytes);
  if (!replay.ok()) return At(ReplayPathText(path), replay.status());
  return replay;
}

}  // namespace referee::ctl
