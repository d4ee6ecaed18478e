#include "referee/replay/former.h"

#include <dirent.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/replay/data_dir.h"
#include "referee/replay/errors.h"
#include "referee/replay/files.h"
#include "referee/replay/journal.h"
#include "referee/replay/ledger.h"
#include "referee/replay/replay.h"

namespace referee::replay {
namespace {

constexpr absl::string_view kSparePrefix = "spare.";

absl::Status RemoveFile(const std::string& path) {
  if (unlink(path.c_str()) == 0 || errno == ENOENT) return absl::OkStatus();
  return FileError("cannot remove", path, errno);
}

// The one pass over a data directory.
class Former {
 public:
  Former(const std::string& data_dir, bool set_aside_unknown, LogRecorder* recorder, Shelf* shelf)
      : data_dir_(data_dir),
        set_aside_unknown_(set_aside_unknown),
        recorder_(*recorder),
        shelf_(*shelf) {}

  absl::Status TakeOver() {
    absl::StatusOr<std::vector<LedgerEntry>> entries = ReadLedger(JournalsDir(data_dir_));
    if (IsUnknownHere(entries.status()) && set_aside_unknown_) {
      if (absl::Status s = MakeDirectories(BrokenDir(data_dir_), 0700); !s.ok()) return s;
      const absl::Status moved = MoveLedger(JournalsDir(data_dir_), BrokenDir(data_dir_));
      if (!moved.ok()) return moved;
      entries = std::vector<LedgerEntry>();
    }
    if (!entries.ok()) return entries.status();
    // An opening is of no use where there is a replay, or the match went on.
    if (absl::Status s = TakeReplays(*entries); !s.ok()) return s;
    std::vector<std::string> taken;
    for (const std::string& name : JournalsIn(data_dir_)) {
      absl::StatusOr<bool> took = TakeJournal(name);
      if (!took.ok()) return took.status();
      if (*took) taken.push_back(JournalPath(data_dir_, name));
    }
    if (absl::Status s = TakeOpenings(*entries); !s.ok()) return s;
    if (entries->empty() && taken.empty()) return RemoveSpares();
    if (absl::Status s = recorder_.Last(); !s.ok()) return s;
    for (const std::string& path : taken) {
      if (absl::Status s = RemoveFile(path); !s.ok()) return s;
    }
    if (absl::Status s = RemoveLedger(JournalsDir(data_dir_)); !s.ok()) return s;
    return RemoveSpares();
  }

  std::vector<Recovered>& refused() { return refused_; }

 private:
  absl::Status TakeReplays(const std::vector<LedgerEntry>& entries) {
    bool any = false;
    for (const LedgerEntry& entry : entries) {
      if (entry.kind != LedgerEntry::Kind::kReplay) continue;
      any = true;
      const absl::StatusOr<std::string> kept = shelf_.Read(entry.id);
      if (kept.ok() && *kept == entry.bytes) continue;
      const absl::StatusOr<Replay> replay = Parse(entry.bytes);
      if (!replay.ok()) return replay.status();
      if (absl::Status s = shelf_.Put(Summarise(*replay), entry.bytes); !s.ok()) return s;
    }
    return any ? shelf_.Sync() : absl::OkStatus();
  }

  // Those of matches of which a loss of power has taken the journal.
  absl::Status TakeOpenings(const std::vector<LedgerEntry>& entries) {
    for (const LedgerEntry& entry : entries) {
      if (entry.kind != LedgerEntry::Kind::kOpening) continue;
      const std::string aside =
          absl::StrCat(BrokenDir(data_dir_), "/", entry.id.text(), kJournalSuffix);
      if (access(aside.c_str(), F_OK) == 0) continue;  // dealt with
      const absl::StatusOr<std::string> records = RecordsOfJournal(entry.bytes);
      if (!records.ok()) return records.status();
      if (absl::Status s = recorder_.Adopt(entry.id, *records); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  // Returns whether the log has it now.
  absl::StatusOr<bool> TakeJournal(const std::string& name) {
    const std::string path = JournalPath(data_dir_, name);
    const absl::StatusOr<std::string> bytes = ReadWholeFile(path, limits::kMaxReplayBytes);
    if (!bytes.ok()) return bytes.status();
    absl::StatusOr<Journal> journal = ReadJournal(*bytes);
    if (journal.ok() && journal->setup.id.text() != absl::StripSuffix(name, kJournalSuffix)) {
      journal =
          NotAJournal(0, absl::StrCat("it is the journal of match ", journal->setup.id.text()));
    }
    if (!journal.ok()) {
      Refuse(name, journal.status());
      return false;
    }
    const absl::StatusOr<std::string> records =
        RecordsOfJournal(absl::string_view(*bytes).substr(0, journal->size));
    if (!records.ok()) return records.status();
    if (absl::Status s = recorder_.Adopt(journal->setup.id, *records); !s.ok()) return s;
    if (journal->torn > 0) {
      Recovered noted;
      noted.action = Recovered::Action::kNoted;
      noted.what = absl::StrCat("journal ", name);
      noted.detail =
          absl::StrCat("cut off ", journal->torn, " bytes of a write that was not finished");
      refused_.push_back(std::move(noted));
    }
    return true;
  }

  void Refuse(const std::string& name, const absl::Status& why) {
    Recovered result;
    result.what = absl::StrCat("journal ", name);
    result.detail = std::string(why.message());
    if (!IsUnknownHere(why) || set_aside_unknown_) {
      result.action = Recovered::Action::kBroken;
      const absl::Status moved = MoveAside(name, result.detail);
      result.detail =
          moved.ok()
              ? absl::StrCat("set aside in journals/broken, and its match with it: ", why.message())
              : absl::StrCat(result.detail, "; ", moved.message());
    }
    refused_.push_back(std::move(result));
  }

  absl::Status MoveAside(const std::string& name, absl::string_view reason) {
    if (absl::Status s = MakeDirectories(BrokenDir(data_dir_), 0700); !s.ok()) return s;
    const std::string path = JournalPath(data_dir_, name);
    const std::string target = absl::StrCat(BrokenDir(data_dir_), "/", name);
    if (rename(path.c_str(), target.c_str()) != 0) return FileError("cannot move", path, errno);
    return WriteFileWhole(target + ".reason", absl::StrCat(reason, "\n"), 0600, /*sync=*/false);
  }

  // Former referees kept journals that were of no use any more, to write over them.
  absl::Status RemoveSpares() const {
    DIR* const dir = opendir(JournalsDir(data_dir_).c_str());
    if (dir == nullptr) return absl::OkStatus();
    while (const dirent* const entry = readdir(dir)) {
      if (absl::StartsWith(entry->d_name, kSparePrefix)) {
        RemoveFile(JournalPath(data_dir_, entry->d_name)).IgnoreError();
      }
    }
    closedir(dir);
    return absl::OkStatus();
  }

  const std::string& data_dir_;
  const bool set_aside_unknown_;
  LogRecorder& recorder_;
  Shelf& shelf_;
  std::vector<Recovered> refused_;
};

}  // namespace

std::string BrokenDir(const std::string& data_dir) { return data_dir + "/journals/broken"; }

absl::Status KeepAside(const std::string& data_dir, absl::string_view name, absl::string_view bytes,
                       absl::string_view reason) {
  if (absl::Status s = MakeDirectories(BrokenDir(data_dir), 0700); !s.ok()) return s;
  const std::string target = absl::StrCat(BrokenDir(data_dir), "/", name);
  if (absl::Status s = WriteFileWhole(target, bytes, 0600, /*sync=*/false); !s.ok()) return s;
  return WriteFileWhole(target + ".reason", absl::StrCat(reason, "\n"), 0600, /*sync=*/false);
}

absl::StatusOr<std::vector<Recovered>> TakeOverFormer(const std::string& data_dir,
                                                      bool set_aside_unknown, LogRecorder* recorder,
                                                      Shelf* shelf) {
  Former former(data_dir, set_aside_unknown, recorder, shelf);
  if (absl::Status s = former.TakeOver(); !s.ok()) return s;
  return std::move(former.refused());
}

}  // namespace referee::replay
