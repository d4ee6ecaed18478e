#include "referee/shelf/directory_shelf.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/types/optional.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/replay/files.h"
#include "referee/replay/folders.h"
#include "referee/shelf/layout.h"

namespace referee::shelf {
namespace {

using replay::File;

bool IsDirectory(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

// Converts NotFound to Unavailable: another process is removing or making the file.
absl::Status Passing(const absl::Status& status) {
  return absl::IsNotFound(status) ? absl::UnavailableError(status.message()) : status;
}

// A temporary file in the folder of its final name. The destructor removes it.
class Draft {
 public:
  explicit Draft(std::string path) : path_(std::move(path)) {}
  ~Draft() { unlink(path_.c_str()); }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  // Writes and syncs the file.
  absl::Status Write(absl::string_view bytes) const {
    const absl::StatusOr<File> file = replay::OpenFile(path_, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (!file.ok()) return file.status();
    if (absl::Status s = replay::WriteAll(file->fd(), bytes, path_); !s.ok()) return s;
    return fsync(file->fd()) == 0 ? absl::OkStatus() : FileError("cannot write", path_, errno);
  }

  // Gives the file its name unless the name exists. OK in both cases: a server may have linked it
  // although its answer was lost.
  absl::Status Name(const std::string& name) const {
    if (link(path_.c_str(), name.c_str()) == 0 || errno == EEXIST) return absl::OkStatus();
    const bool has_no_links = errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS;
    if (!has_no_links) return FileError("cannot write", name, errno);
    const int renamed =
        renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE);
    if (renamed == 0 || errno == EEXIST) return absl::OkStatus();
    if (errno == EINVAL || errno == ENOSYS) {
      return absl::FailedPreconditionError(
          absl::StrCat("cannot write ", name,
                       ": its file system has neither link(2) nor a rename that keeps what is "
                       "there; put the shelf on another, such as NFS, ext4 or xfs"));
    }
    return FileError("cannot write", name, errno);
  }

 private:
  const std::string path_;
};

// A hidden, unique name.
std::string DraftPath(const std::string& folder, const MatchId& id) {
  std::random_device random;
  return absl::StrFormat("%s/.%s.%08x%08x.tmp", folder, id.text(), random(), random());
}

}  // namespace

absl::StatusOr<std::unique_ptr<DirectoryShelf>> DirectoryShelf::Open(std::string directory) {
  if (!IsDirectory(directory)) {
    return absl::NotFoundError(absl::StrCat(
        directory, ": there is no such directory for a shelf; make it, or mount what has it"));
  }
  return std::unique_ptr<DirectoryShelf>(new DirectoryShelf(std::move(directory)));
}

std::string DirectoryShelf::PathOf(const MatchId& id) const {
  return absl::StrCat(directory_, "/", KeyOf(id));
}

absl::Status DirectoryShelf::CheckThere() const {
  if (IsDirectory(directory_)) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat(directory_, ": the directory of the shelf is not there; mount it"));
}

absl::Status DirectoryShelf::SyncNames(const std::string& path) const {
  for (std::string at = path; at.size() > directory_.size(); at.resize(at.rfind('/'))) {
    if (absl::Status s = replay::SyncFolderOf(at); !s.ok()) return Passing(s);
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> DirectoryShelf::HasOnDisk(const MatchId& id, absl::string_view file) const {
  const std::string path = PathOf(id);
  const absl::StatusOr<File> there = replay::OpenFile(path, O_RDONLY);
  if (absl::IsNotFound(there.status())) return false;
  if (!there.ok()) return there.status();
  struct stat info;
  if (fstat(there->fd(), &info) != 0) return FileError("cannot read", path, errno);
  if (static_cast<uint64_t>(info.st_size) != file.size()) {
    return OtherReplayShelved(directory_, id);
  }
  const absl::StatusOr<std::string> bytes =
      replay::ReadAll(there->fd(), limits::kMaxReplayBytes, path);
  if (!bytes.ok()) return bytes.status();
  if (*bytes != file) return OtherReplayShelved(directory_, id);
  // The writer of the file may not have synced it yet.
  if (fsync(there->fd()) != 0) return FileError("cannot write", path, errno);
  if (absl::Status s = SyncNames(path); !s.ok()) return s;
  return true;
}

absl::Status DirectoryShelf::Put(const MatchId& id, absl::string_view file) {
  if (absl::Status s = CheckFile(id, file); !s.ok()) return s;
  if (absl::Status s = CheckThere(); !s.ok()) return s;
  absl::StatusOr<bool> has = HasOnDisk(id, file);
  if (!has.ok()) return has.status();
  if (*has) return absl::OkStatus();

  const std::string path = PathOf(id);
  const std::string folder = path.substr(0, path.rfind('/'));
  if (absl::Status s = replay::MakeDirectories(folder, 0777); !s.ok()) return Passing(s);
  {
    const Draft draft(DraftPath(folder, id));
    if (absl::Status s = draft.Write(file); !s.ok()) return Passing(s);
    if (absl::Status s = draft.Name(path); !s.ok()) return Passing(s);
  }
  has = HasOnDisk(id, file);
  if (!has.ok()) return has.status();
  return *has ? absl::OkStatus() : Passing(NotShelved(directory_, id));
}

absl::StatusOr<std::string> DirectoryShelf::Get(const MatchId& id) {
  if (absl::Status s = CheckThere(); !s.ok()) return s;
  absl::StatusOr<std::string> bytes = replay::ReadWholeFile(PathOf(id), limits::kMaxReplayBytes);
  if (absl::IsNotFound(bytes.status())) return NotShelved(directory_, id);
  if (absl::IsResourceExhausted(bytes.status())) {
    return absl::FailedPreconditionError(
        absl::StrCat(directory_, ": match ", id.text(), ": what is there has more than the ",
                     limits::kMaxReplayBytes, " bytes of a replay; take it away"));
  }
  return bytes;
}

absl::StatusOr<ShelfPage> DirectoryShelf::List(absl::string_view day, int page_size,
                                               absl::string_view page_token) {
  const absl::StatusOr<Listing> listing = ReadListing(day, page_size, page_token);
  if (!listing.ok()) return listing.status();
  if (absl::Status s = CheckThere(); !s.ok()) return s;
  ShelfPage page;
  absl::Status read;
  const auto wanted = [&](absl::string_view path) {
    const std::string& day = listing->day;
    return (absl::StartsWith(path, day) || absl::StartsWith(day, path)) &&
           path >= absl::string_view(listing->after).substr(0, path.size());
  };
  // One replay more than the page holds shows whether there is a next page.
  const auto take = [&](const std::string& day,
                        const absl::StatusOr<std::vector<std::string>>& names) {
    read = names.status();
    for (const std::string& name : names.value_or(std::vector<std::string>())) {
      if (page.replays.size() > listing->count) break;
      const std::string key = absl::StrCat(day, "/", name);
      absl::optional<MatchId> id = IdOfKey(key);
      if (!id || key <= listing->after) continue;
      struct stat info;
      if (stat(absl::StrCat(directory_, "/", key).c_str(), &info) != 0) continue;
      if (!S_ISREG(info.st_mode)) continue;
      page.replays.push_back({*std::move(id), static_cast<uint64_t>(info.st_size)});
    }
    return read.ok() && page.replays.size() <= listing->count;
  };
  replay::VisitDays(directory_, replay::DayOrder::kOldestFirst, wanted, take);
  if (!read.ok()) return read;
  if (page.replays.size() > listing->count) {
    page.replays.resize(listing->count);
    page.next_page_token = page.replays.back().id.text();
  }
  return page;
}

}  // namespace referee::shelf
