// Tests of what a recorder has kept when its machine or process stops in the middle.
#include <algorithm>
#include <filesystem>
#include <string>
#include <variant>

#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/retention.h"
#include "tests/unit/replay/recorder_under_test.h"

namespace referee::replay {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// --- A machine that loses its power: what was not synced is gone. ---

class PowerLossTest : public RecorderTest {
 protected:
  PowerLossTest() { Restart({data_dir_, Durability::kMatch}); }

  // Of files that nobody synced nothing is left; of the log everything.
  void LosePower() {
    recorder_.reset();
    std::filesystem::remove_all(data_dir_ + "/replays");
    Start({data_dir_});
  }
};

TEST_F(PowerLossTest, LeavesEveryMatchThatWasToldAsOverInTheArchive) {
  const Replay replay = PlaySample({});
  ASSERT_TRUE(Record(replay, replay.records.size())->Seal().ok());
  LosePower();
  EXPECT_EQ(Recover().action, Recovered::Action::kNoted);
  EXPECT_EQ(archive_.Read(replay.setup.id).value(), Encode(replay, SampleSigner()));
  EXPECT_THAT(recorder_->Recover(), IsEmpty());
}

TEST_F(PowerLossTest, DoesNotBringBackAReplayThatWasRemoved) {
  const Replay replay = PlaySample({});
  ASSERT_TRUE(Record(replay, replay.records.size())->Seal().ok());
  ASSERT_TRUE(recorder_->Forget({replay.setup.id.text()}).ok());
  LosePower();
  EXPECT_THAT(recorder_->Recover(), IsEmpty());
  EXPECT_FALSE(archive_.Has(replay.setup.id));
}

TEST_F(PowerLossTest, BringsBackAReplayOfADayOfWhichOthersWereRemoved) {
  const Replay replay = PlaySample({});
  ASSERT_TRUE(Record(replay, replay.records.size())->Seal().ok());
  ASSERT_TRUE(recorder_->Forget({"01m7xzk53v0w00000000000001"}).ok());
  LosePower();
  const absl::Time day = replay.setup.id.created();
  ASSERT_TRUE(RecordRemoval(data_dir_, {PackName::OfDay(day), 1, day}).ok());
  Restart();
  EXPECT_EQ(Recover().action, Recovered::Action::kNoted);
  EXPECT_TRUE(archive_.Has(replay.setup.id));
}

TEST_F(PowerLossTest, MendsAnArchivedFileOfWhichTheBytesAreGone) {
  const Replay replay = PlaySample({});
  ASSERT_TRUE(Record(replay, replay.records.size())->Seal().ok());
  recorder_.reset();
  std::filesystem::resize_file(archive_.PathOf(replay.setup.id), 0);
  Start({data_dir_});
  EXPECT_THAT(Recover().detail, HasSubstr("and put back"));
  EXPECT_EQ(archive_.Read(replay.setup.id).value(), Encode(replay, SampleSigner()));
}

TEST_F(PowerLossTest, DoesNotTouchWhatWasNotLost) {
  const Replay replay = PlaySample({});
  Record(replay, 20);
  Restart({data_dir_, Durability::kMatch});
  EXPECT_EQ(Recover().unfinished->records.size(), 20u);
}

TEST_F(PowerLossTest, DoesNotBringBackAMatchThatWasSetAside) {
  const Replay replay = PlaySample({});
  ASSERT_TRUE(Record(replay, 20)->SetAside("of no use").ok());
  LosePower();
  EXPECT_THAT(recorder_->Recover(), IsEmpty());
}

// Waits until what was flushed lasts, which it does already, or not.
void ExpectLasts(Recording* recording, bool at_once) {
  EXPECT_EQ(recording->Lasts(), at_once);
  if (at_once) return;
  absl::Notification lasts;
  recording->WhenLasting([&](const absl::Status& status) {
    EXPECT_TRUE(status.ok());
    lasts.Notify();
  });
  lasts.WaitForNotification();
  EXPECT_TRUE(recording->Lasts());
}

TEST(GatherTest, MatchesShareASyncForAsLongAsTheDiskIsSlowUpToALimit) {
  EXPECT_EQ(GatherAfter(absl::Microseconds(300)), absl::Milliseconds(6));
  EXPECT_EQ(GatherAfter(absl::ZeroDuration()), absl::Milliseconds(1));
  EXPECT_EQ(GatherAfter(absl::Seconds(3)), limits::kLogGather);
}

// Which records have to last before they are told.
TEST_F(RecorderTest, WaitsForTheDiskAsItsDurabilitySays) {
  const Replay replay = PlaySample({});
  for (const Durability durability : {Durability::kNone, Durability::kMatch, Durability::kTurn}) {
    Restart({data_dir_ + std::string(DurabilityName(durability)), durability});
    const bool none = durability == Durability::kNone;
    const bool match = durability == Durability::kMatch;
    const auto recording = recorder_->Open(replay.setup, dice::PinnedSeed(7)).value();
    ExpectLasts(recording.get(), /*at_once=*/none);
    for (const match::Record& record : replay.records) {
      recording->Add(record);
      ASSERT_TRUE(recording->Flush().ok());
      const bool ended = std::holds_alternative<match::Ended>(record);
      ExpectLasts(recording.get(), /*at_once=*/none || (match && !ended));
    }
  }
}

// --- A referee that dies in the middle of a write. ---

// What a hook throws where a process would die: nothing after it is written. Destructors run, but
// none of them writes.
struct Died {};

// Dies in one write, when `at` bytes of it have been written.
WriteHook DieIn(uint64_t write, size_t at) {
  return [write, at](const WritePoint& point) {
    if (point.write != write) return point.bytes;
    if (point.written == at) throw Died();
    return at;
  };
}

class DyingRecorderTest : public RecorderTest {
 protected:
  // Records a match until the referee dies, then goes on and to the end with another. Returns how
  // many records the first has left, or none if there was no match.
  absl::optional<size_t> DieAndGoOn(const Replay& replay, uint64_t write, size_t at) {
    std::filesystem::remove_all(data_dir_ + "/replays/2026");
    Restart({data_dir_, Durability::kNone, DieIn(write, at)});
    EXPECT_THROW(Record(replay, replay.records.size()), Died);
    Bury();
    Start({data_dir_});
    std::vector<Recovered> recovered = recorder_->Recover();
    const auto match = std::find_if(recovered.begin(), recovered.end(), [](const Recovered& one) {
      return one.action != Recovered::Action::kNoted;
    });
    if (match == recovered.end()) return absl::nullopt;
    const Recovered& left = *match;
    if (left.action == Recovered::Action::kSealed) return replay.records.size();
    const size_t count = left.unfinished->records.size();
    for (size_t i = count; i < replay.records.size(); ++i) {
      left.unfinished->recording->Add(replay.records[i]);
    }
    EXPECT_TRUE(left.unfinished->recording->Flush().ok());
    EXPECT_TRUE(left.unfinished->recording->Seal().ok());
    return count;
  }

  // Leaves of the recorder what is there at this moment, and not what it does at its end.
  void Bury() {
    const std::string left = data_dir_ + ".left";
    std::filesystem::copy(data_dir_, left, std::filesystem::copy_options::recursive);
    recorder_.reset();
    std::filesystem::remove_all(data_dir_);
    std::filesystem::rename(left, data_dir_);
  }

  void ExpectArchivedOnce(const Replay& replay) {
    EXPECT_EQ(archive_.Read(replay.setup.id).value(), Encode(replay, SampleSigner()));
    EXPECT_EQ(archive_.List(0, "")->replays.size(), 1u);
    EXPECT_THAT(Open(), IsEmpty());
  }
};

TEST_F(DyingRecorderTest, LosesNothingThatWasWrittenBeforeWhicheverWriteItDiesIn) {
  SampleOptions options;
  options.cancel_at = 8;
  const Replay replay = PlaySample(options);
  for (uint64_t record = 1; record <= replay.records.size(); ++record) {
    const uint64_t write = record + 1;  // the first is the opening
    EXPECT_EQ(DieAndGoOn(replay, write, 0), record - 1) << record;
    ExpectArchivedOnce(replay);
    EXPECT_EQ(DieAndGoOn(replay, write, 5), record - 1) << record;
    ExpectArchivedOnce(replay);
  }
}

TEST_F(DyingRecorderTest, LosesAtMostTheLastWriteWhereverThatIsTorn) {
  SampleOptions options;
  options.cancel_at = 4;
  const Replay replay = PlaySample(options);
  size_t last_bytes = 0;
  Restart({data_dir_, Durability::kNone, [&](const WritePoint& point) {
             last_bytes = point.bytes;
             return point.bytes;
           }});
  Record(replay, replay.records.size());
  ASSERT_GT(last_bytes, 20u);
  for (size_t at = 0; at <= last_bytes; ++at) {
    recorder_.reset();
    std::filesystem::remove_all(LogDir(data_dir_));
    // What follows it says that there is no more.
    const bool whole = at + kNoFrame.size() >= last_bytes;
    EXPECT_EQ(DieAndGoOn(replay, replay.records.size() + 1, at),
              replay.records.size() - (whole ? 0 : 1))
        << at;
    ExpectArchivedOnce(replay);
  }
}

TEST_F(DyingRecorderTest, LeavesNoMatchWithoutAWholeOpening) {
  const Replay replay = PlaySample({});
  for (const size_t at : {0u, 1u, 8u, 100u, 200u}) {
    EXPECT_EQ(DieAndGoOn(replay, 1, at), absl::nullopt) << at;
    EXPECT_THAT(Open(), IsEmpty());
  }
}

}  // namespace
}  // namespace referee::replay
