#include "referee/replay/own_folder.h"

#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/replay/files.h"

namespace referee::replay {
namespace {

absl::Status FolderOfOther(absl::string_view path, absl::string_view command,
                           absl::string_view manifest) {
  return absl::AlreadyExistsError(absl::StrCat(Quoted(path), ": holds other files, and no ",
                                               manifest, " of an earlier '", command,
                                               "'; name a new or empty folder"));
}

constexpr size_t kMaxManifestBytes = 256 << 20;

// Returns whether the folder has the manifest of an earlier run; false: it is new or empty.
absl::StatusOr<bool> IsMarked(const std::string& path, const FolderMark& mark) {
  const absl::StatusOr<std::string> manifest =
      ReadWholeFile(absl::StrCat(path, "/", mark.manifest), kMaxManifestBytes);
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
  if (absl::Status made = MakeDirectories(path, 0777); !made.ok()) return made;
  return WriteFileWhole(absl::StrCat(path, "/", mark.manifest), absl::StrCat(mark.line, "\n"), 0666,
                        /*sync=*/false);
}

absl::Status CheckOwnFolder(const std::string& path, const FolderMark& mark) {
  return IsMarked(path, mark).status();
}

}  // namespace referee::replay
