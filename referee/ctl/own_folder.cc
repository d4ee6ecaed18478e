#include "referee/ctl/own_folder.h"

#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/ctl/errors.h"
#include "referee/replay/files.h"

namespace referee::ctl {
namespace {

constexpr size_t kMaxManifestBytes = 256 << 20;

}  // namespace

absl::Status OwnFolder(const std::string& path, const FolderMark& mark) {
  const std::string manifest = absl::StrCat(path, "/", mark.manifest);
  const std::string line = absl::StrCat(mark.line, "\n");
  const absl::StatusOr<std::string> marked = replay::ReadWholeFile(manifest, kMaxManifestBytes);
  if (marked.ok()) {
    return absl::StartsWith(*marked, line) ? absl::OkStatus()
                                           : FolderOfOther(path, mark.command, mark.manifest);
  }
  if (!absl::IsNotFound(marked.status())) return marked.status();
  if (absl::Status made = replay::MakeDirectories(path, 0777); !made.ok()) return made;
  std::error_code error;
  const bool empty = std::filesystem::is_empty(path, error);
  if (error) return FileError("cannot read", path, error.value());
  if (!empty) return FolderOfOther(path, mark.command, mark.manifest);
  return replay::WriteFileWhole(manifest, line, 0666, /*sync=*/false);
}

}  // namespace referee::ctl
