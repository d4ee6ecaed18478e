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

// Whether the folder has the manifest of an earlier run; if not, it is new or empty.
absl::StatusOr<bool> IsMarked(const std::string& path, const FolderMark& mark) {
  const absl::StatusOr<std::string> manifest =
      replay::ReadWholeFile(absl::StrCat(path, "/", mark.manifest), kMaxManifestBytes);
  if (manifest.ok()) {
    if (absl::StartsWith(*manifest, absl::StrCat(mark.line, "\n"))) return true;
    return FolderOfOther(path, mark.command, mark.manifest);
  }
  if (!absl::IsNotFound(manifest.status())) return manifest.status();
  std::error_code error;
  const bool empty = std::filesystem::is_empty(path, error);
  if (error == std::errc::no_such_file_or_directory) return false;
  if (error) return FileError("cannot read", path, error.value());
  if (!empty) return FolderOfOther(path, mark.command, mark.manifest);
  return false;
}

}  // namespace

absl::Status OwnFolder(const std::string& path, const FolderMark& mark) {
  const absl::StatusOr<bool> marked = IsMarked(path, mark);
  if (!marked.ok() || *marked) return marked.status();
  if (absl::Status made = replay::MakeDirectories(path, 0777); !made.ok()) return made;
  return replay::WriteFileWhole(absl::StrCat(path, "/", mark.manifest),
                                absl::StrCat(mark.line, "\n"), 0666, /*sync=*/false);
}

absl::Status CheckOwnFolder(const std::string& path, const FolderMark& mark) {
  return IsMarked(path, mark).status();
}

}  // namespace referee::ctl
