#include "referee/replay/data_dir.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/replay/archive.h"
#include "referee/replay/errors.h"
#include "referee/replay/journal.h"
#include "referee/replay/ledger.h"
#include "referee/replay/log_folder.h"
#include "referee/replay/log_recorder.h"
#include "referee/replay/replay.h"

namespace referee::replay {
namespace {

// Who looks whether the lock is taken (IsDataDirLocked) has it for a moment.
constexpr int kLockAttempts = 3;
constexpr absl::Duration kLockRetry = absl::Milliseconds(10);

std::string LockPath(const std::string& data_dir) { return JournalsDir(data_dir) + "/lock"; }

// A file that cannot be read is found by whoever needs it, and one may go while this looks.
absl::Status CheckJournal(const std::string& path) {
  const absl::StatusOr<std::string> bytes = ReadWholeFile(path, limits::kMaxReplayBytes);
  if (!bytes.ok()) return absl::OkStatus();
  const absl::Status read = ReadJournal(*bytes).status();
  return IsUnknownHere(read) ? UnknownJournal(path, read) : absl::OkStatus();
}

absl::Status CheckReplay(const Archive& archive, const ArchivedReplay& replay) {
  const absl::StatusOr<ReplayPart> head = archive.ReadPart(replay.id, 0, kVersionedBytes);
  if (!head.ok() || head->bytes.size() < kVersionedBytes) return absl::OkStatus();
  const absl::Status version = CheckReplayVersion(head->bytes);
  return IsUnknownHere(version) ? UnknownReplay(replay.path, version) : absl::OkStatus();
}

}  // namespace

std::string JournalsDir(const std::string& data_dir) { return data_dir + "/journals"; }

std::string JournalPath(const std::string& data_dir, absl::string_view name) {
  return absl::StrCat(JournalsDir(data_dir), "/", name);
}

std::vector<std::string> JournalsIn(const std::string& data_dir) {
  std::vector<std::string> names;
  DIR* const dir = opendir(JournalsDir(data_dir).c_str());
  if (dir == nullptr) return names;
  while (const dirent* const entry = readdir(dir)) {
    const absl::string_view name = entry->d_name;
    if (absl::EndsWith(name, kJournalSuffix)) names.emplace_back(name);
  }
  closedir(dir);
  std::sort(names.begin(), names.end());
  return names;
}

bool IsDataDirLocked(const std::string& data_dir) {
  const absl::StatusOr<File> lock = OpenFile(LockPath(data_dir), O_RDONLY);
  return lock.ok() && flock(lock->fd(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

absl::StatusOr<File> LockDataDir(const std::string& data_dir) {
  if (absl::Status s = MakeDirectories(data_dir, 0755); !s.ok()) return s;
  if (absl::Status s = MakeDirectories(JournalsDir(data_dir), 0700); !s.ok()) return s;
  absl::StatusOr<File> lock = OpenFile(LockPath(data_dir), O_RDWR | O_CREAT, 0600);
  if (!lock.ok()) return lock.status();
  for (int attempt = 0; attempt < kLockAttempts; ++attempt) {
    if (attempt > 0) absl::SleepFor(kLockRetry);
    if (flock(lock->fd(), LOCK_EX | LOCK_NB) == 0) return lock;
    if (errno != EWOULDBLOCK) break;
  }
  if (errno == EWOULDBLOCK) return DataDirInUse(data_dir);
  return FileError("cannot lock", JournalsDir(data_dir), errno);
}

absl::Status CheckFormerVersions(const std::string& data_dir) {
  for (const std::string& name : JournalsIn(data_dir)) {
    const absl::Status journal = CheckJournal(JournalPath(data_dir, name));
    if (!journal.ok()) return journal;
  }
  const absl::Status ledger = ReadLedger(JournalsDir(data_dir)).status();
  return IsUnknownHere(ledger) ? ledger : absl::OkStatus();
}

absl::Status CheckLogVersions(const std::string& data_dir) {
  const absl::Status known = CheckLogVersions(LogFolder::Of(data_dir));
  return IsUnknownHere(known) ? known : absl::OkStatus();
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
  absl::Status known = CheckFormerVersions(data_dir);
  if (known.ok()) known = CheckLogVersions(data_dir);
  return known.ok() ? CheckArchiveVersions(data_dir) : known;
}

}  // namespace referee::replay
