// A disk in memory that can fail, tear a write, and outlive the referee.
//
// The real log and the real recorder write there.
#ifndef REFEREE_TESTS_SIMULATION_DISK_H_
#define REFEREE_TESTS_SIMULATION_DISK_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/replay/log_recorder.h"
#include "referee/replay/recorder.h"
#include "referee/replay/shelf.h"
#include "referee/replay/signer.h"
#include "tests/support/memory_log_disk.h"

namespace referee::simulation {

// How a write ends.
enum class WriteEnd {
  kDone,
  kRefused,  // nothing was written
  kTorn,     // a part was written
};

// Thread-compatible.
class Disk final : public replay::Shelf {
 public:
  // Asked before each write of what happens to a match: how it is to end, and how much of a torn
  // one is written (of `size` bytes). `records`: whether it has records, or says that the match is
  // sealed or set aside.
  struct Verdict {
    WriteEnd end = WriteEnd::kDone;
    size_t written = 0;
  };
  std::function<Verdict(const std::string& match_id, size_t size, bool records)> on_write;
  // Asked before a replay is written to the archive, or a match set aside.
  std::function<bool(const std::string& match_id)> on_archive;
  // A replay, and the bytes that it was read from.
  struct Archived {
    std::string file;
    replay::Replay replay;
  };
  // Told when a replay is in the archive that was not there.
  std::function<void(const Archived& archived)> on_archived;
  // Whether the process that uses the disk is alive.
  std::function<bool()> in_use = [] { return true; };

  Disk();

  replay::LogDisk* log() { return &log_; }
  // The archive: whole replays, or none.
  absl::Status Put(const replay::ReplaySummary& summary, absl::string_view file) override;
  absl::StatusOr<std::string> Read(const MatchId& id) const override;
  absl::Status Sync() override { return absl::OkStatus(); }
  absl::Status Quarantine(const MatchId& id, absl::string_view records);

  // The records of matches that are in the log and not archived. Valid until the log changes.
  const std::map<std::string, std::string>& logged() const;
  const std::map<std::string, Archived>& archive() const { return archive_; }
  const std::map<std::string, std::string>& quarantine() const { return quarantine_; }

 private:
  absl::optional<size_t> OnLogWrite(size_t offset, absl::string_view bytes);
  std::map<std::string, std::string> ReadLog() const;

  testing::MemoryLogDisk log_;
  std::set<std::string> opened_;  // matches that were written from their beginning
  std::map<std::string, Archived> archive_;
  std::map<std::string, std::string> quarantine_;
  // As they were when the log had changed so often.
  mutable std::map<std::string, std::string> logged_;
  mutable absl::optional<uint64_t> logged_as_of_;
};

// Is told what the recorder has done. Setups and records are valid during the call.
class RecordWatcher {
 public:
  virtual ~RecordWatcher() = default;
  virtual void OnOpened(const match::Setup& setup) = 0;
  virtual void OnFlushed(const match::Setup& setup, const match::Record& record) = 0;
  virtual void OnRecordingFailed(const match::Setup& setup) = 0;
  virtual void OnSetAside(const match::Setup& setup, absl::string_view why) = 0;
  // The records of a match that an earlier life left were read.
  virtual void OnRecovered(const replay::MatchRead& match) = 0;
  virtual void OnArchived(const replay::Replay& replay, absl::string_view file) = 0;
};

// Records matches on a Disk, as the referee does, and tells what it does. Thread-compatible.
class DiskRecorder final : public replay::Recorder {
 public:
  // All must outlive this. Reads what an earlier life left.
  DiskRecorder(Disk* disk, const replay::Signer* signer, RecordWatcher* watcher);

  absl::StatusOr<std::unique_ptr<replay::Recording>> Open(const match::Setup& setup,
                                                          const dice::Seed& seed) override;
  absl::Status Check() override;

  // Deals with what an earlier life left: archives the matches that were over, as far as the disk
  // lets it, and adds those that were running to `unfinished`. Returns what could not be read.
  absl::Status Recover(std::vector<replay::Unfinished>* unfinished);

 private:
  class DiskRecording;

  Disk* const disk_;
  RecordWatcher* const watcher_;
  std::unique_ptr<replay::LogRecorder> recorder_;
};

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_DISK_H_
