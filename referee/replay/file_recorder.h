// Records matches in files below a data directory.
//
//   <data_dir>/log/<n>.log                       the log of all running matches: log.h
//   <data_dir>/replays/YYYY/MM/DD/<match-id>.rpl  the archive, by the day (UTC) of creation
//   <data_dir>/quarantine/                       matches that were given up, with the reasons
//   <data_dir>/lock                              held by the referee that uses the directory
//
// Durability (durability.h) chooses what survives a crash of the machine. FORMAT.md has the formats
// of the files.
#ifndef REFEREE_REPLAY_FILE_RECORDER_H_
#define REFEREE_REPLAY_FILE_RECORDER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/base/limits.h"
#include "referee/match/record.h"
#include "referee/replay/durability.h"
#include "referee/replay/files.h"
#include "referee/replay/log_folder.h"
#include "referee/replay/log_recorder.h"
#include "referee/replay/recorder.h"
#include "referee/replay/replay.h"
#include "referee/replay/shelf.h"
#include "referee/replay/signer.h"

namespace referee::replay {

// Thread-safe. A lock file ensures at most one per data directory.
class FileRecorder final : public Recorder {
 public:
  struct Options {
    std::string data_dir;
    Durability durability = Durability::kNone;
    WriteHook at_write = nullptr;  // for tests
    // Whether to move log segments and matches of unknown versions or games to quarantine/. If
    // false, such a segment is an error of Make, and Recover leaves such matches where they are.
    // CheckVersions (data_dir.h) finds them before anything is changed.
    bool set_aside_unknown = false;
    // Storage of finished replays; null: DayFolders of the data directory.
    std::shared_ptr<Shelf> shelf = nullptr;
    SyncHook at_sync = nullptr;  // for tests
    SyncedHook on_synced = nullptr;
    // Folder for the memory of the log (log_memory.h); empty: the data directory.
    std::string memory = {};
    size_t segment_bytes = limits::kLogSegmentBytes;  // of a log segment
  };

  // Makes the directories. Returns PermissionDenied, ResourceExhausted or Unavailable that names
  // the directory and what to do. Returns FailedPrecondition when another process records there.
  // `lock`: the result of LockDataDir (data_dir.h), if the caller has the lock already.
  static absl::StatusOr<std::unique_ptr<FileRecorder>> Make(
      const Options& options, Signer signer, absl::optional<File> lock = absl::nullopt);
  ~FileRecorder() override;
  FileRecorder(const FileRecorder&) = delete;
  FileRecorder& operator=(const FileRecorder&) = delete;

  // See LogRecorder.
  absl::StatusOr<std::unique_ptr<Recording>> Open(const match::Setup& setup,
                                                  const dice::Seed& seed) override;
  std::vector<Recovered> Recover() { return recorder_->Recover(); }
  absl::Status Forget(const absl::flat_hash_set<std::string>& match_ids) {
    return recorder_->Forget(match_ids);
  }
  absl::StatusOr<Replay> ReadKept(const MatchId& id) const { return recorder_->ReadKept(id); }

  // Checks that the archive can be written now.
  absl::Status Check() override;

  const std::string& data_dir() const { return options_.data_dir; }

 private:
  FileRecorder(const Options& options, File lock);

  absl::Status SetAsideUnknownSegments() const;

  const Options options_;
  const File lock_;
  std::atomic<uint64_t> checks_{0};  // numbers the test files of Check
  LogFolder folder_;
  std::unique_ptr<LogRecorder> recorder_;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_FILE_RECORDER_H_
