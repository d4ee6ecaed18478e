#include "referee/ctl/replay/files.h"

#include <fcntl.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "referee/base/errors.h"
#include "referee/ctl/errors.h"
#include "referee/replay/files.h"

namespace referee::ctl {

namespace fs = std::filesystem;

absl::StatusOr<std::vector<std::string>> ReplaysBelow(const std::string& directory) {
  std::vector<std::string> found;
  std::error_code error;
  fs::recursive_directory_iterator at(directory, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    const std::string path = at->path().string();
    if (at->path().extension() == ".rpl" || IsPack(path)) found.push_back(path);
  }
  if (error) return FileError("cannot read", directory, error.value());
  if (found.empty()) return NoReplaysBelow(directory);
  std::sort(found.begin(), found.end());
  return found;
}

bool IsPack(const std::string& path) { return fs::path(path).extension() == ".pack"; }

absl::Status AddReplaysInPack(const std::string& path, std::vector<replay::PackedReplay>* found) {
  const absl::StatusOr<replay::PackScan> scan =
      replay::ScanPack(path, replay::PackName(), 0,
                       [&](replay::PackedReplay replay) { found->push_back(std::move(replay)); });
  if (!scan.ok()) return scan.status();
  const bool whole = scan->damaged == 0 && scan->tail != replay::PackTail::kUnreadable;
  return whole ? absl::OkStatus() : PackNotWhole(path, scan->damaged, scan->end);
}

absl::StatusOr<std::string> ReadFromPack(const std::string& path,
                                         const replay::PackedReplay& packed) {
  const absl::StatusOr<replay::File> file = replay::OpenFile(path, O_RDONLY);
  if (!file.ok()) return file.status();
  return replay::ReadPackEntry(file->fd(), path, packed);
}

std::string ReplayPathText(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

}  // namespace referee::ctl
