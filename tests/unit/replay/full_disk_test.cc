// Tests of log and archive on a full disk while matches come and go.
//
// No match is lost, and the recorder goes on by itself once there is room.
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/mutex.h"
#include "referee/replay/log_recorder.h"
#include "referee/replay/summary.h"
#include "tests/support/match_id.h"
#include "tests/support/memory_log_disk.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using ::testing::IsEmpty;

constexpr size_t kSegmentBytes = 64 * 1024;

absl::Status NoRoom() { return absl::ResourceExhaustedError("no space left on the shelf"); }

// Thread-safe.
class MemoryShelf final : public Shelf {
 public:
  std::atomic<bool> full{false};

  absl::Status Put(const ReplaySummary& summary, absl::string_view file) override {
    if (full) return NoRoom();
    MutexLock lock(&mutex_);
    files_[summary.id.text()] = std::string(file);
    return absl::OkStatus();
  }
  absl::StatusOr<std::string> Read(const MatchId& id) const override {
    MutexLock lock(&mutex_);
    const auto found = files_.find(id.text());
    if (found == files_.end()) return absl::NotFoundError(id.text());
    return found->second;
  }
  absl::Status Sync() override { return full ? NoRoom() : absl::OkStatus(); }

 private:
  mutable Mutex mutex_;
  std::map<std::string, std::string> files_ ABSL_GUARDED_BY(mutex_);
};

class RecorderOnAFullDisk : public ::testing::TestWithParam<Durability> {
 protected:
  RecorderOnAFullDisk() {
    LogRecorder::Options options;
    options.disk = &disk_;
    options.shelf = shelf_;
    options.durability = GetParam();
    options.segment_bytes = kSegmentBytes;
    options.own_threads = GetParam() != Durability::kNone;
    options.quarantine = [](const MatchId&, absl::string_view, absl::string_view) {
      return absl::OkStatus();
    };
    recorder_ = LogRecorder::Make(std::move(options), SampleSigner()).value();
    EXPECT_THAT(recorder_->Recover(), IsEmpty());
  }

  absl::Status Open() {
    match::Setup setup = replay_.setup;
    setup.id = testing::NumberedId(static_cast<uint64_t>(++opened_));
    absl::StatusOr<std::unique_ptr<Recording>> recording =
        recorder_->Open(setup, dice::PinnedSeed(7));
    if (!recording.ok()) return recording.status();
    made_.push_back(setup.id);
    running_.push_back(*std::move(recording));
    return absl::OkStatus();
  }
  // To the end, though the disk may have no room for its replay.
  void PlayAll() {
    for (std::unique_ptr<Recording>& recording : running_) {
      for (const match::Record& record : replay_.records) {
        recording->Add(record);
        EXPECT_TRUE(recording->Flush().ok());
      }
      if (!recording->Seal().ok()) unsealed_.push_back(std::move(recording));
    }
    running_.clear();
  }
  void ExpectAllArchived() const {
    for (const MatchId& id : made_) EXPECT_TRUE(shelf_->Read(id).ok()) << id.text();
    // Segments may be freed meanwhile.
    EXPECT_THAT(Log::ReadRunning(disk_)->left, IsEmpty());
  }

  const Replay replay_ = PlaySample({});
  testing::MemoryLogDisk disk_;
  const std::shared_ptr<MemoryShelf> shelf_ = std::make_shared<MemoryShelf>();
  std::unique_ptr<LogRecorder> recorder_;
  uint64_t opened_ = 0;
  std::vector<MatchId> made_;
  std::vector<std::unique_ptr<Recording>> running_;
  std::vector<std::unique_ptr<Recording>> unsealed_;
};

TEST_P(RecorderOnAFullDisk, EndsWhatRunsTakesNothingNewAndGoesOnWhenThereIsRoom) {
  disk_.room = 4 * kSegmentBytes;
  absl::Status status;
  for (int matches = 0; status.ok() && matches < 1000; ++matches) {
    status = Open();
    // The archive is full before the log.
    if (matches == 20) shelf_->full = true;
    if (running_.size() == 4) PlayAll();
  }
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_TRUE(absl::IsResourceExhausted(Open()));
  PlayAll();
  EXPECT_FALSE(unsealed_.empty());

  shelf_->full = false;
  for (const auto& recording : unsealed_) EXPECT_TRUE(recording->Seal().ok());
  ExpectAllArchived();
  disk_.room = 100 * kSegmentBytes;
  while (!Open().ok()) std::this_thread::yield();
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(Open().ok());
    PlayAll();
  }
  ExpectAllArchived();
}

INSTANTIATE_TEST_SUITE_P(Durabilities, RecorderOnAFullDisk,
                         ::testing::Values(Durability::kNone, Durability::kMatch,
                                           Durability::kTurn),
                         [](const auto& info) { return std::string(DurabilityName(info.param)); });

}  // namespace
}  // namespace referee::replay
