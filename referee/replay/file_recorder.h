// Records matches in files below a data directory:
//
//   <data_dir>/journals/<match-id>.jnl           a match that is running, or not archived yet
//   <data_dir>/journals/spare.<n>                an old journal, to be used again
//   <data_dir>/journals/ledger.0, ledger.1       what must survive a loss of power: ledger.h
//   <data_dir>/journals/broken/                  journals that could not be read, with the reasons
//   <data_dir>/replays/YYYY/MM/DD/<match-id>.rpl  the archive, by the day (UTC) of creation
//
// Durability (journal.h) chooses what survives a crash of the process and of the machine. Format of
// the files: FORMAT.md.
#ifndef REFEREE_REPLAY_FILE_RECORDER_H_
#define REFEREE_REPLAY_FILE_RECORDER_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/match/record.h"
#include "referee/replay/files.h"
#include "referee/replay/journal.h"
#include "referee/replay/ledger.h"
#include "referee/replay/recorder.h"
#include "referee/replay/replay.h"
#include "referee/replay/signer.h"

namespace referee::replay {

// What Recover did with one journal.
struct Recovered {
  enum class Action {
    kSealed,   // the match was over: archived
    kRunning,  // the match was running: to go on with, or to be ended
    kBroken,   // could not be read: moved to journals/broken/
    kKept,     // could not be dealt with now (a full disk), or not by this program: left as it is
  };
  Action action = Action::kKept;
  std::string journal;  // the file's name without folders
  MatchId match_id;     // default-made if it could not be read
  std::string detail;   // one line for people: bytes cut off, or why
  // Of a match that was over: of kSealed, and of kKept where what was wrong came later.
  struct Over {
    match::Setup setup;
    match::Ended ended;
    uint32_t turns = 0;  // that were played
  };
  absl::optional<Over> over;
  // Of kKept, when the match is over and could not be archived: for the next try.
  std::unique_ptr<Recording> unsealed;
  // Of kRunning. If it is dropped, the next start finds the journal again.
  absl::optional<Unfinished> unfinished;
};

// Thread-safe. At most one per data directory, which a lock file ensures.
class FileRecorder final : public Recorder {
 public:
  struct Options {
    std::string data_dir;
    Durability durability = Durability::kNone;
    WriteHook at_write = nullptr;  // for tests
    // Called when a replay is in the archive, on the thread that put it there; null: nobody is
    // told.
    std::function<void(const MatchId& id)> on_archived = nullptr;
    // Journals and ledgers of versions, or of games, that this program does not know are moved to
    // journals/broken/. Else such a ledger is an error of Make, and Recover leaves such journals
    // where they are. See CheckVersions (data_dir.h), which finds them before anything is changed.
    bool set_aside_unknown = false;
  };

  // Makes the directories, and restores from the ledger what a loss of power has taken. Returns
  // PermissionDenied, ResourceExhausted or Unavailable that names the directory and what to do,
  // FailedPrecondition when another process records there.
  static absl::StatusOr<std::unique_ptr<FileRecorder>> Make(const Options& options, Signer signer);
  // The same with `lock`, which the caller has from LockDataDir (data_dir.h).
  static absl::StatusOr<std::unique_ptr<FileRecorder>> Make(const Options& options, Signer signer,
                                                            File lock);
  FileRecorder(const FileRecorder&) = delete;
  FileRecorder& operator=(const FileRecorder&) = delete;

  // As Recorder::Open; the recording must not outlive the recorder. Unless the durability is kNone,
  // waits for the disk, as Seal does; with kMatch, calls that wait at the same time share one sync.
  absl::StatusOr<std::unique_ptr<Recording>> Open(const match::Setup& setup,
                                                  const dice::Seed& seed) override;

  absl::Status Check() override;

  // Deals with the journals that an earlier process left, oldest first. A torn last write is cut
  // off. A match that was over is archived, once, even if the earlier process died in the middle of
  // that. A match that was running is returned open; like every recording it must not outlive the
  // recorder. Never deletes what it could not archive. REQUIRES: no recording is open.
  std::vector<Recovered> Recover();

  const Signer& signer() const { return signer_; }
  const std::string& data_dir() const { return data_dir_; }

 private:
  class FileRecording;

  FileRecorder(const Options& options, Signer signer, File lock);

  // Restores what the ledger of an earlier process has and the archive and the journals lack, and
  // starts a new ledger, if the durability needs one.
  absl::Status UseLedger();
  absl::Status PutBack(const Ledger::Entry& entry);
  absl::Status PutBackOpening(const Ledger::Entry& entry);
  // Puts all that was written below the data directory on the disk.
  absl::Status SyncAll() const;

  // Archives the match of a complete journal, and makes a spare of the journal.
  absl::Status SealJournal(const std::string& path, const MatchId& id);

  Recovered RecoverJournal(const std::string& name);
  // Deals with the journal of a match that is in the archive though the journal does not end: its
  // last writes were lost with the power.
  bool IsArchived(const std::string& path, Recovered* result);
  // Archives the match of a journal that was read, or opens it to go on with.
  absl::Status GoOn(const std::string& path, Journal journal, Recovered* result);

  // A spare file, or the path of one that is not there yet. File systems are slow to find an inode
  // where many were freed just now; so journals are not removed but used again.
  std::string TakeSpare();
  // Makes a spare of a journal that is archived.
  absl::Status GiveSpare(const std::string& path);
  void FindSpares();

  const std::function<void(const MatchId& id)> on_archived_;
  const std::string data_dir_;
  const bool set_aside_unknown_;
  const JournalDisk disk_;
  const Signer signer_;
  const File lock_;
  std::vector<File> synced_folders_;  // open as long as this is, to hear of failed writes
  std::unique_ptr<Ledger> ledger_;    // of kMatch
  std::atomic<uint64_t> checks_{0};   // names the files of Check

  Mutex mutex_;
  std::vector<std::string> spares_ ABSL_GUARDED_BY(mutex_);
  uint64_t next_spare_ ABSL_GUARDED_BY(mutex_) = 0;
};

// Reads a match that is over from its journal below `data_dir`, which was kept because it could not
// be archived yet. Returns NotFound if there is none, or the match is still running.
absl::StatusOr<Replay> ReadKept(const std::string& data_dir, const MatchId& id);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_FILE_RECORDER_H_
