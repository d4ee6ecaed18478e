// A log that survives a loss of power: the openings of matches that were made, and the replays of
// those that ended, are on the disk here before anybody is told. The journals and the archive have
// the same, written but not synced. The ledger shares one sync among all calls that wait at the
// same time, and overwrites files of a fixed place and size, so that a sync has only the bytes to
// write. After a loss of power, FileRecorder::Make restores from it what the journals and the
// archive lack. Format of the files: FORMAT.md.
#ifndef REFEREE_REPLAY_LEDGER_H_
#define REFEREE_REPLAY_LEDGER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/base/ids.h"
#include "referee/base/limits.h"
#include "referee/base/mutex.h"
#include "referee/replay/files.h"

namespace referee::replay {

// Thread-safe. At most one per folder.
class Ledger {
 public:
  enum class Kind : uint8_t {
    kOpening = 1,  // how the journal of a match begins
    kReplay = 2,   // a replay file
  };
  struct Entry {
    Kind kind = Kind::kOpening;
    MatchId id;
    std::string bytes;
  };
  struct Options {
    std::string folder;
    // Puts on the disk all that was written to files before the call; a file of the ledger is
    // overwritten only after that. Called on a thread of the ledger.
    std::function<absl::Status()> checkpoint;
    // The size at which the ledger goes on in its other file.
    size_t file_bytes = limits::kLedgerBytes;
  };

  // Returns what the files in `folder` hold, oldest first: all entries of Append that were not
  // overwritten since. A torn end is left out: nobody was told of it. Empty if there is no ledger.
  // Returns FailedPrecondition that names the file when it is of a version not known here.
  static absl::StatusOr<std::vector<Entry>> Read(const std::string& folder);

  // Moves the files of a ledger, if there are any, into `aside`, which is there, and syncs that.
  static absl::Status MoveTo(const std::string& folder, const std::string& aside);

  // Removes the files, if there are any: Read returns nothing then.
  static absl::Status Remove(const std::string& folder);

  // Starts an empty ledger in place of the one in the folder. Fails with the error of the disk.
  static absl::StatusOr<std::unique_ptr<Ledger>> Start(Options options);
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // Returns when the entry is on the disk, or the error of the disk; after an error the entry may
  // be there or not. Once a checkpoint has failed, every call returns its error. REQUIRES: the
  // journal or replay file that holds the same was written.
  absl::Status Append(Kind kind, const MatchId& id, absl::string_view bytes);

 private:
  struct Waiting {  // a call of Append
    Kind kind;
    const MatchId* id;
    absl::string_view bytes;
    bool done = false;
    absl::Status status;
  };

  static constexpr size_t kFiles = 2;
  using Files = std::array<File, kFiles>;

  Ledger(Options options, Files files);

  // Writes and syncs the entries of the calls that wait.
  absl::Status Write(const std::vector<Waiting*>& batch);
  // Makes the file grow by zeros ahead of what is written, so that few syncs find another size.
  void GrowBeyond(size_t end);
  // Whether writes must wait until the other file is free. REQUIRES: nobody writes.
  bool overfull() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Goes on in the other file if this one is full and that one is free.
  void TurnOver() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Checkpoints();

  const Options options_;
  const Files files_;

  // Touched only by the thread that writes: one at a time, see writing_; or under mutex_ while
  // nobody does.
  size_t current_ = 0;  // of files_
  uint64_t generation_ = 1;
  size_t size_ = 0;  // of what is written in the current file
  std::array<size_t, kFiles> allocated_{};
  std::string frames_;

  Mutex mutex_;
  CondVar written_;
  CondVar full_;
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<Waiting*> queue_ ABSL_GUARDED_BY(mutex_);
  bool checkpoint_due_ ABSL_GUARDED_BY(mutex_) = false;  // the file that is not current is not free
  absl::Status checkpointed_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread checkpoints_;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_LEDGER_H_
