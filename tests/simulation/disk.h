// A disk in memory with the referee's journals and archive on it, in their real formats, that can
// fail, tear a write, and outlive the referee. The recorder writes journals as replay/journal.h
// lays them out; reading, sealing and verifying is the real code.
#ifndef REFEREE_TESTS_SIMULATION_DISK_H_
#define REFEREE_TESTS_SIMULATION_DISK_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "referee/replay/journal.h"
#include "referee/replay/recorder.h"
#include "referee/replay/signer.h"

namespace referee::simulation {

// How a write ends.
enum class WriteEnd {
  kDone,
  kRefused,  // nothing was written
  kTorn,     // a part was written
};

// Thread-compatible.
class Disk {
 public:
  // Asked before each write to the journal of a match: how it is to end, and how much of a torn one
  // is written (of `size` bytes).
  struct Verdict {
    WriteEnd end = WriteEnd::kDone;
    size_t written = 0;
  };
  std::function<Verdict(const std::string& match_id, size_t size)> on_write;
  // Asked before a replay is written to the archive, or a journal set aside.
  std::function<bool(const std::string& match_id)> on_archive;
  // Whether the process that uses the disk is alive.
  std::function<bool()> in_use = [] { return true; };

  // Appends to a journal. After an error the journal is as before, or has a torn end.
  absl::Status Append(const std::string& match_id, absl::string_view bytes);
  // Writes a replay to the archive, whole or not at all.
  absl::Status Archive(const std::string& match_id, std::string bytes);
  void CutJournal(const std::string& match_id, size_t size);
  // Moves a journal out of the journals, to set_aside().
  void SetAside(const std::string& match_id);
  void RemoveJournal(const std::string& match_id) { journals_.erase(match_id); }

  const std::map<std::string, std::string>& journals() const { return journals_; }
  const std::map<std::string, std::string>& archive() const { return archive_; }
  const std::map<std::string, std::string>& set_aside() const { return set_aside_; }

 private:
  std::map<std::string, std::string> journals_;
  std::map<std::string, std::string> archive_;
  std::map<std::string, std::string> set_aside_;
};

// Is told what the recorder has done. Setups and records are valid during the call.
class RecordWatcher {
 public:
  virtual ~RecordWatcher() = default;
  virtual void OnOpened(const match::Setup& setup) = 0;
  virtual void OnFlushed(const match::Setup& setup, const match::Record& record) = 0;
  virtual void OnRecordingFailed(const match::Setup& setup) = 0;
  virtual void OnSetAside(const match::Setup& setup, absl::string_view why) = 0;
  // A journal that an earlier life left was read.
  virtual void OnRecovered(const replay::Journal& journal) = 0;
  virtual void OnArchived(const match::Setup& setup, absl::string_view replay_file) = 0;
};

// Records matches on a Disk. Thread-compatible.
class DiskRecorder final : public replay::Recorder {
 public:
  // All must outlive this.
  DiskRecorder(Disk* disk, const replay::Signer* signer, RecordWatcher* watcher)
      : disk_(disk), signer_(signer), watcher_(watcher) {}

  absl::StatusOr<std::unique_ptr<replay::Recording>> Open(const match::Setup& setup,
                                                          const dice::Seed& seed) override;
  absl::Status Check() override;

  // Reads what an earlier life left: archives the matches that were over, as far as the disk lets
  // it, and adds those that were running to `unfinished`. Returns what could not be read.
  absl::Status Recover(std::vector<replay::Unfinished>* unfinished);

 private:
  class DiskRecording;

  absl::Status Seal(const match::Setup& setup);
  absl::Status RecoverJournal(const std::string& match_id, const std::string& bytes,
                              std::vector<replay::Unfinished>* unfinished);

  Disk* const disk_;
  const replay::Signer* const signer_;
  RecordWatcher* const watcher_;
};

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_DISK_H_
