#include "referee/gate/site_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"
#include "referee/replay/own_folder.h"

namespace referee::gate {
namespace {

constexpr char kManifest[] = "site.manifest";
constexpr absl::string_view kFormat = "refgate-export 1";
constexpr replay::FolderMark kMark = {kManifest, kFormat, "refgate --export"};
constexpr absl::string_view kMaker = "maker ";
constexpr size_t kMaxManifestBytes = 256 << 20;
constexpr size_t kMaxPageBytes = 256 << 20;

absl::Status BadManifest(absl::string_view path, size_t line) {
  return absl::InvalidArgumentError(absl::StrCat(
      Quoted(path), ", line ", line,
      ": this is no list of pages that 'refgate --export' wrote; use a folder of its own"));
}

bool IsNameCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.' ||
         c == '=';
}

// Whether a path can be a page of this folder: generated names, at most one folder deep.
bool IsOwnPath(absl::string_view path) {
  const std::vector<absl::string_view> parts = absl::StrSplit(path, '/');
  if (parts.size() > 2 || !absl::EndsWith(path, ".html")) return false;
  return std::all_of(parts.begin(), parts.end(), [](absl::string_view part) {
    return !part.empty() && part.front() != '.' &&
           std::all_of(part.begin(), part.end(), IsNameCharacter);
  });
}

}  // namespace

absl::Status SiteFolder::Check(const std::string& path) {
  return replay::CheckOwnFolder(path, kMark);
}

absl::StatusOr<SiteFolder> SiteFolder::Open(const std::string& path, absl::string_view maker) {
  if (absl::Status own = replay::OwnFolder(path, kMark); !own.ok()) return own;
  absl::StatusOr<replay::File> lock = replay::OpenFile(path, O_RDONLY | O_DIRECTORY);
  if (!lock.ok()) return lock.status();
  if (flock(lock->fd(), LOCK_EX | LOCK_NB) != 0) {
    return absl::FailedPreconditionError(absl::StrCat("another 'refgate --export' writes into ",
                                                      Quoted(path),
                                                      " now; let it end, or use another folder"));
  }
  SiteFolder folder(path, std::string(maker), *std::move(lock));
  const absl::Status read = folder.ReadManifest();
  if (!read.ok()) return read;
  return folder;
}

SiteFolder::SiteFolder(std::string path, std::string maker, replay::File lock)
    : path_(std::move(path)), maker_(std::move(maker)), lock_(std::move(lock)) {}

std::string SiteFolder::FullPath(absl::string_view path) const {
  return absl::StrCat(path_, "/", path);
}

absl::Status SiteFolder::ReadManifest() {
  const std::string path = FullPath(kManifest);
  const absl::StatusOr<std::string> text = replay::ReadWholeFile(path, kMaxManifestBytes);
  if (!text.ok()) return text.status();
  std::vector<absl::string_view> lines = absl::StrSplit(*text, '\n');
  if (lines.size() == 2 && lines[0] == kFormat && lines[1].empty()) {  // a new folder
    same_maker_ = true;
    return WriteManifest(maker_, {});
  }
  if (lines.size() < 3 || lines[0] != kFormat || !absl::StartsWith(lines[1], kMaker)) {
    return BadManifest(path, 1);
  }
  same_maker_ = absl::StripPrefix(lines[1], kMaker) == maker_;
  // A last line without a line end was interrupted, so its file was not written either.
  for (size_t i = 2; i + 1 < lines.size(); ++i) {
    if (!IsOwnPath(lines[i])) return BadManifest(path, i + 1);
    own_.insert(std::string(lines[i]));
  }
  if (lines.back().empty()) return absl::OkStatus();
  return WriteManifest(absl::StripPrefix(lines[1], kMaker), own_);
}

absl::Status SiteFolder::WriteManifest(absl::string_view maker,
                                       const std::set<std::string>& paths) const {
  std::string text = absl::StrCat(kFormat, "\n", kMaker, maker, "\n");
  for (const std::string& path : paths) absl::StrAppend(&text, path, "\n");
  return replay::WriteFileWhole(FullPath(kManifest), text, 0666, /*sync=*/false);
}

// Records a path before its file is written, so that the file counts as own even after a crash.
absl::Status SiteFolder::Note(const std::string& path) {
  const std::string manifest = FullPath(kManifest);
  const absl::StatusOr<replay::File> file =
      replay::OpenFile(manifest, O_WRONLY | O_APPEND | O_CREAT, 0666);
  if (!file.ok()) return file.status();
  return replay::WriteAll(file->fd(), absl::StrCat(path, "\n"), manifest);
}

absl::StatusOr<bool> SiteFolder::Put(const std::string& path, absl::string_view content) {
  const std::string full = FullPath(path);
  const absl::StatusOr<std::string> there = replay::ReadWholeFile(full, kMaxPageBytes);
  if (own_.count(path) == 0) {
    if (!absl::IsNotFound(there.status())) {
      return absl::AlreadyExistsError(
          absl::StrCat(full, ": another file is there; move it away, or write elsewhere"));
    }
    const absl::Status noted = Note(path);
    if (!noted.ok()) return noted;
    own_.insert(path);
  }
  current_.insert(path);
  if (there.ok() && *there == content) return false;
  const size_t slash = path.rfind('/');
  if (slash != std::string::npos) {
    const absl::Status made = replay::MakeDirectories(FullPath(path.substr(0, slash)), 0777);
    if (!made.ok()) return made;
  }
  const absl::Status written = replay::WriteFileWhole(full, content, 0666, /*sync=*/false);
  if (!written.ok()) return written;
  return true;
}

bool SiteFolder::Keep(const std::string& path) {
  if (!same_maker_ || own_.count(path) == 0) return false;
  if (access(FullPath(path).c_str(), R_OK) != 0) return false;
  current_.insert(path);
  return true;
}

absl::StatusOr<std::vector<std::string>> SiteFolder::Finish() {
  std::vector<std::string> removed;
  for (const std::string& path : own_) {
    if (current_.count(path) > 0) continue;
    if (unlink(FullPath(path).c_str()) != 0 && errno != ENOENT) {
      return FileError("cannot remove", FullPath(path), errno);
    }
    removed.push_back(path);
  }
  const absl::Status written = WriteManifest(maker_, current_);
  if (!written.ok()) return written;
  own_ = current_;
  return removed;
}

}  // namespace referee::gate
