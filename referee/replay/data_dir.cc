#include "referee/replay/data_dir.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/replay/archive.h"
#include "referee/replay/errors.h"
#include "referee/replay/journal.h"
#include "referee/replay/ledger.h"
#include "referee/replay/replay.h"

namespace referee::replay {
namespace {

// A file that cannot be read is found by whoever needs it, and one may go while this looks.
absl::Status CheckJournal(const std::string& path) {
  const absl::StatusOr<std::string> bytes = ReadWholeFile(path, limits::kMaxReplayBytes);
  if (!bytes.ok()) return absl::OkStatus();
  const absl::Status read = ReadJournal(*bytes).status();
  return IsUnknownHere(read) ? UnknownJournal(path, read) : absl::OkStatus();
}

absl::Status CheckReplay(const std::string& path) {
  const absl::StatusOr<File> file = OpenFile(path, O_RDONLY);
  if (!file.ok()) return absl::OkStatus();
  char head[kVersionedBytes];
  const ssize_t size = read(file->fd(), head, sizeof(head));
  if (size < static_cast<ssize_t>(sizeof(head))) return absl::OkStatus();
  const absl::Status version = CheckReplayVersion(absl::string_view(head, sizeof(head)));
  return IsUnknownHere(version) ? UnknownReplay(path, version) : absl::OkStatus();
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

absl::StatusOr<File> LockDataDir(const std::string& data_dir) {
  if (absl::Status s = MakeDirectories(data_dir, 0755); !s.ok()) return s;
  if (absl::Status s = MakeDirectories(JournalsDir(data_dir), 0700); !s.ok()) return s;
  absl::StatusOr<File> lock = OpenFile(JournalsDir(data_dir) + "/lock", O_RDWR | O_CREAT, 0600);
  if (!lock.ok()) return lock.status();
  if (flock(lock->fd(), LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno == EWOULDBLOCK) return DataDirInUse(data_dir);
  return FileError("cannot lock", JournalsDir(data_dir), errno);
}

absl::Status CheckVersions(const std::string& data_dir) {
  for (const std::string& name : JournalsIn(data_dir)) {
    const absl::Status journal = CheckJournal(JournalPath(data_dir, name));
    if (!journal.ok()) return journal;
  }
  const absl::Status ledger = Ledger::Read(JournalsDir(data_dir)).status();
  if (IsUnknownHere(ledger)) return ledger;
  const absl::StatusOr<ArchivePage> page =
      Archive(data_dir).List(limits::kMaxRememberedMatches, "");
  if (!page.ok()) return page.status();
  for (const ArchivedReplay& replay : page->replays) {
    const absl::Status checked = CheckReplay(replay.path);
    if (!checked.ok()) return checked;
  }
  return absl::OkStatus();
}

}  // namespace referee::replay
