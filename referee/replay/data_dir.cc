#include "referee/replay/data_dir.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/replay/archive.h"
#include "referee/replay/errors.h"
#include "referee/replay/log.h"
#include "referee/replay/log_folder.h"
#include "referee/replay/log_recorder.h"
#include "referee/replay/pack.h"
#include "referee/replay/replay.h"

namespace referee::replay {
namespace {

// IsDataDirLocked takes the lock for a moment.
constexpr int kLockAttempts = 3;
constexpr absl::Duration kLockRetry = absl::Milliseconds(10);

std::string LockPath(const std::string& data_dir) { return data_dir + "/lock"; }

// Returns whether a referee has begun a data directory: it makes the empty lock file first.
bool HasLock(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(LockPath(path), ignored) &&
         std::filesystem::file_size(LockPath(path), ignored) == 0;
}

// Returns whether a data directory is complete: lock, log and replays. It may hold other files too.
bool IsDataDir(const std::string& path) {
  std::error_code ignored;
  return HasLock(path) && std::filesystem::is_directory(path + "/log", ignored) &&
         std::filesystem::is_directory(path + "/replays", ignored);
}

// Returns whether a new data directory may contain an entry of this name. Users may put keys there,
// and file systems have their own entries. If `begun`, also entries of a referee that was killed
// while it started.
bool MayBeThereBefore(absl::string_view name, bool begun) {
  absl::ConsumeSuffix(&name, ".tmp");
  for (const char* other : {"key", "key.next", "key.pub", "key.ring", "lost+found"}) {
    if (name == other) return true;
  }
  for (const char* made : {"lock", "log", "replays", "instances", "store.db"}) {
    if (name == made) return begun;
  }
  return false;
}

absl::Status CheckReplay(const Archive& archive, const ArchivedReplay& replay) {
  const absl::StatusOr<ReplayPart> head = archive.ReadPart(replay.id, 0, kVersionedBytes);
  if (!head.ok() || head->bytes.size() < kVersionedBytes) return absl::OkStatus();
  const absl::Status version = CheckReplayVersion(head->bytes);
  return IsUnknownHere(version)
             ? absl::FailedPreconditionError(absl::StrCat(
                   replay.path, ": ", version.message(),
                   "; use the program that wrote it, or a newer one, or give the flag "
                   "--set-aside-unknown, which leaves such replays where they are, unread"))
             : absl::OkStatus();
}

}  // namespace

std::string QuarantineDir(const std::string& data_dir) { return data_dir + "/quarantine"; }

absl::Status Quarantine(const std::string& data_dir, absl::string_view name,
                        absl::string_view bytes, absl::string_view reason) {
  const std::string folder = QuarantineDir(data_dir);
  if (absl::Status s = MakeDirectories(folder, 0700); !s.ok()) return s;
  const std::string path = absl::StrCat(folder, "/", name);
  if (absl::Status s = WriteFileWhole(path, bytes, 0600, /*sync=*/false); !s.ok()) return s;
  return WriteFileWhole(path + ".reason", absl::StrCat(reason, "\n"), 0600, /*sync=*/false);
}

absl::Status CheckNewOrDataDir(const std::string& path) {
  if (IsDataDir(path)) return absl::OkStatus();
  std::error_code error;
  std::filesystem::directory_iterator at(path, error);
  if (error == std::errc::no_such_file_or_directory) return absl::OkStatus();
  for (; !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    if (MayBeThereBefore(at->path().filename().string(), HasLock(path))) continue;
    return absl::AlreadyExistsError(
        absl::StrCat(Quoted(path),
                     ": holds other files, and is no data directory of a referee or "
                     "of an earlier duel; name a new or empty folder"));
  }
  return error ? FileError("cannot read", path, error.value()) : absl::OkStatus();
}

bool IsDataDirLocked(const std::string& data_dir) {
  const absl::StatusOr<File> lock = OpenFile(LockPath(data_dir), O_RDONLY);
  return lock.ok() && flock(lock->fd(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

absl::StatusOr<File> LockDataDir(const std::string& data_dir) {
  if (absl::Status s = MakeDirectories(data_dir, 0755); !s.ok()) return s;
  absl::StatusOr<File> lock = OpenFile(LockPath(data_dir), O_RDWR | O_CREAT, 0600);
  if (!lock.ok()) return lock.status();
  for (int attempt = 0; attempt < kLockAttempts; ++attempt) {
    if (attempt > 0) absl::SleepFor(kLockRetry);
    if (flock(lock->fd(), LOCK_EX | LOCK_NB) == 0) return lock;
    if (errno != EWOULDBLOCK) break;
  }
  if (errno == EWOULDBLOCK)
    return absl::FailedPreconditionError(absl::StrCat(
        "data directory ", data_dir,
        ": another referee records matches there; stop it, or use a directory of its own"));
  return FileError("cannot lock", LockPath(data_dir), errno);
}

std::string IdentityOf(const File& lock) {
  struct stat info {};
  if (fstat(lock.fd(), &info) != 0) return "";
  return absl::StrCat(major(info.st_dev), ":", minor(info.st_dev), ":", info.st_ino);
}

absl::Status CheckLogVersions(const std::string& data_dir) {
  const absl::StatusOr<Log::Contents> contents = Log::Read(LogFolder::Of(data_dir));
  if (IsUnknownHere(contents.status())) return contents.status();
  if (!contents.ok()) return absl::OkStatus();
  for (const Log::Left& left : contents->left) {
    const absl::Status read = ReadMatch(left.line->records_read()).status();
    if (!left.damage.empty() || !IsUnknownHere(read)) continue;
    return UnknownLog(absl::StrCat("the log, match ", left.line->id().text()), read);
  }
  return absl::OkStatus();
}

absl::Status CheckArchiveVersions(const std::string& data_dir) {
  const Archive archive(data_dir);
  const absl::StatusOr<ArchivePage> page = archive.List(limits::kMaxRememberedMatches, "");
  if (!page.ok()) return page.status();
  for (const ArchivedReplay& replay : page->replays) {
    const absl::Status checked = CheckReplay(archive, replay);
    if (!checked.ok()) return checked;
  }
  for (const absl::Status& problem : archive.Problems()) {
    if (!absl::IsDataLoss(problem)) return problem;
  }
  return absl::OkStatus();
}

absl::Status CheckVersions(const std::string& data_dir) {
  const absl::Status known = CheckLogVersions(data_dir);
  return known.ok() ? CheckArchiveVersions(data_dir) : known;
}

namespace {

// All formats have their version at this byte. A log segment without one is free.
constexpr size_t kVersionAt = 7;

void Note(absl::string_view head, FoundFormat* format) {
  ++format->files;
  if (head.size() <= kVersionAt) return;
  format->version =
      std::max(format->version, static_cast<int>(static_cast<uint8_t>(head[kVersionAt])));
}

void NoteFile(const std::string& path, FoundFormat* format) {
  const absl::StatusOr<File> file = OpenFile(path, O_RDONLY);
  if (!file.ok()) return;
  Note(ReadAt(file->fd(), path, 0, kVersionAt + 1).value_or(""), format);
}

void CountMatch(const absl::StatusOr<MatchRead>& read, FoundData* found) {
  if (!read.ok()) {
    ++found->damaged_matches;
  } else {
    ++(read->ended ? found->over_matches : found->open_matches);
  }
}

void FindLog(const std::string& data_dir, FoundData* found) {
  const LogFolder log = LogFolder::Of(data_dir);
  const absl::StatusOr<std::vector<uint32_t>> slots = log.Slots();
  if (!slots.ok()) {
    found->log_known = slots.status();
    return;
  }
  for (const uint32_t slot : *slots) NoteFile(log.NameOf(slot), &found->log);
  found->log_known = CheckLogVersions(data_dir);
  if (!found->log_known.ok()) return;
  const absl::StatusOr<Log::Contents> contents = Log::ReadRunning(log);
  if (!contents.ok()) {
    found->log_known = contents.status();
    return;
  }
  for (const Log::Left& left : contents->left) {
    CountMatch(left.damage.empty() ? ReadMatch(left.line->records_read())
                                   : absl::StatusOr<MatchRead>(absl::DataLossError(left.damage)),
               found);
  }
}

void FindArchive(const std::string& data_dir, FoundData* found) {
  for (const PackName name : PacksIn(data_dir).value_or(std::vector<PackName>())) {
    NoteFile(PackPath(data_dir, name), &found->packs);
  }
  found->archive_known = CheckArchiveVersions(data_dir);
  const Archive archive(data_dir);
  const absl::StatusOr<ArchivePage> page = archive.List(limits::kMaxRememberedMatches, "");
  if (!page.ok()) return;
  found->archive_problems = archive.Problems();
  for (const ArchivedReplay& replay : page->replays) {
    const absl::StatusOr<ReplayPart> head = archive.ReadPart(replay.id, 0, kVersionedBytes);
    if (head.ok()) Note(head->bytes, &found->replays);
  }
}

}  // namespace

FoundData FindData(const std::string& data_dir) {
  FoundData found;
  FindLog(data_dir, &found);
  FindArchive(data_dir, &found);
  return found;
}

}  // namespace referee::replay
