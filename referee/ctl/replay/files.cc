#include "referee/ctl/replay/files.h"

#include <fcntl.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/ctl/errors.h"
#include "referee/replay/files.h"

namespace referee::ctl {

namespace fs = std::filesystem;

namespace {

void AddBelow(const std::string& directory, FoundReplays* found) {
  std::error_code error;
  std::vector<std::string> folders;
  fs::directory_iterator at(directory, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    const std::string path = at->path().string();
    std::error_code ignored;
    if (at->is_directory(ignored) && !at->is_symlink(ignored)) folders.push_back(path);
    if (at->path().extension() == ".rpl" || IsPack(path)) found->paths.push_back(path);
  }
  if (error) found->problems.push_back(FileError("cannot read", directory, error.value()));
  for (const std::string& folder : folders) AddBelow(folder, found);
}

}  // namespace

absl::StatusOr<FoundReplays> ReplaysBelow(const std::string& directory) {
  FoundReplays found;
  AddBelow(directory, &found);
  if (found.paths.empty() && found.problems.empty())
    return absl::NotFoundError(
        absl::StrCat(directory, ": there is no .rpl file in it, and no pack with replays"));
  std::sort(found.paths.begin(), found.paths.end());
  return found;
}

bool IsPack(const std::string& path) { return fs::path(path).extension() == ".pack"; }

absl::Status AddReplaysInPack(const std::string& path, std::vector<replay::PackedReplay>* found) {
  const absl::StatusOr<replay::PackScan> scan =
      replay::ScanPack(path, replay::PackName(), 0,
                       [&](replay::PackedReplay replay) { found->push_back(std::move(replay)); });
  return scan.ok() ? replay::PackProblem(path, *scan) : scan.status();
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
