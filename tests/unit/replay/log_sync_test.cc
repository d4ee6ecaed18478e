// Tests of what the log keeps through a loss of power, and of how writers share its syncs.
#include "referee/replay/log.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/match_id.h"
#include "tests/support/memory_log_disk.h"
#include "tests/unit/replay/log_under_test.h"

namespace referee::replay {
namespace {

using ::referee::testing::NumberedId;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

TEST_F(LogTest, HasAllThatLastedAfterALossOfPower) {
  Restart(Durability::kMatch);
  const auto line = Open(1);
  Append(line, "a");
  EXPECT_TRUE(log_->Last().ok());
  Append(line, "b");
  log_.reset();
  disk_.LosePower();
  EXPECT_EQ(Left().at(NumberedId(1).text()), "opening a");
}

TEST_F(LogTest, PutsOnTheDiskWhatAnEarlierProcessWroteButDidNotSync) {
  Restart(Durability::kMatch);
  const auto line = Open(1);
  EXPECT_TRUE(log_->Last().ok());
  Append(line, "a");
  Restart(Durability::kMatch);
  EXPECT_TRUE(log_->Last().ok());
  log_.reset();
  disk_.LosePower();
  EXPECT_EQ(Left().at(NumberedId(1).text()), "opening a");
}

TEST_F(LogTest, UsesNothingAgainBeforeWhatIsSealedLasts) {
  Restart(Durability::kMatch);
  const auto old = Open(1);
  Fill(20);
  Append(old, "a");
  EXPECT_TRUE(log_->Last().ok());
  log_.reset();
  EXPECT_GT(shelf_syncs_, 0);
  disk_.LosePower();
  EXPECT_THAT(Left(), ElementsAre(Pair(NumberedId(1).text(), "opening a")));
}

TEST_F(LogTest, NamesWhatIsSealedForWhoeverMendsTheArchive) {
  Restart(Durability::kMatch);
  EXPECT_TRUE(log_->Close(Open(1).get(), Kind::kSealed).ok());
  log_.reset();
  const Log::Contents contents = Log::Read(disk_).value();
  ASSERT_THAT(contents.sealed, SizeIs(1));
  EXPECT_EQ(contents.sealed[0].id, NumberedId(1));
  EXPECT_EQ(contents.sealed[0].records, Record("opening"));
}

TEST_F(LogTest, ForgetsWhatIsSealedWhenItsReplayIsRemoved) {
  Restart(Durability::kMatch);
  EXPECT_TRUE(log_->Close(Open(1).get(), Kind::kSealed).ok());
  EXPECT_TRUE(log_->Close(Open(2).get(), Kind::kSealed).ok());
  EXPECT_TRUE(log_->Forget(NumberedId(1)).ok());
  EXPECT_TRUE(log_->Last().ok());
  log_.reset();
  disk_.LosePower();
  const Log::Contents contents = Log::Read(disk_).value();
  EXPECT_THAT(contents.left, IsEmpty());
  ASSERT_THAT(contents.sealed, SizeIs(1));
  EXPECT_EQ(contents.sealed[0].id, NumberedId(2));
}

TEST_F(LogTest, SaysWhatLastsAlready) {
  Restart(Durability::kMatch);
  EXPECT_TRUE(log_->Lasts(0));
  Open(1);
  const uint64_t first = log_->written();
  EXPECT_FALSE(log_->Lasts(first));
  EXPECT_TRUE(log_->Last().ok());
  EXPECT_TRUE(log_->Lasts(first));
  Open(2);
  EXPECT_TRUE(log_->Lasts(first));
  EXPECT_FALSE(log_->Lasts(log_->written()));
}

TEST_F(LogTest, WhoWritesDoesNotWaitForASync) {
  Mutex mutex;
  CondVar changed;
  bool syncing = false;
  bool stuck = true;
  bool told = false;
  disk_.on_sync = [&] {
    MutexLock lock(&mutex);
    syncing = true;
    changed.NotifyAll();
    while (stuck) changed.Wait(&mutex);
    return absl::OkStatus();
  };
  Restart(Durability::kTurn);
  const auto line = Open(1);
  log_->WhenLasting([&](const absl::Status& status) {
    EXPECT_TRUE(status.ok());
    MutexLock lock(&mutex);
    told = true;
    changed.NotifyAll();
  });
  {
    MutexLock lock(&mutex);
    while (!syncing) changed.Wait(&mutex);
  }
  Append(line, "a");
  EXPECT_EQ(Left().at(NumberedId(1).text()), "opening a");
  MutexLock lock(&mutex);
  EXPECT_FALSE(told);
  stuck = false;
  changed.NotifyAll();
  while (!told) changed.Wait(&mutex);
}

TEST_F(LogTest, WhoComesSoonAfterASyncSharesTheNext) {
  std::atomic<int> syncs{0};
  std::atomic<int> told{0};
  disk_.on_sync = [&] {
    ++syncs;
    return absl::OkStatus();
  };
  log_.reset();
  log_ = Start(Durability::kMatch, [](absl::Duration) { return absl::Hours(1); }).value();
  Open(1);
  EXPECT_TRUE(log_->Last().ok());  // the first: at once
  syncs = 0;
  for (uint64_t number = 2; number < 5; ++number) {
    Open(number);
    log_->WhenLasting([&](const absl::Status& status) {
      EXPECT_TRUE(status.ok());
      ++told;
    });
  }
  EXPECT_EQ(told, 0);
  log_.reset();  // which does not wait for the hour
  EXPECT_EQ(told, 3);
  EXPECT_EQ(syncs, 1);
  disk_.LosePower();
  EXPECT_EQ(Left().size(), 4);
}

TEST_F(LogTest, SharesSyncsByHowLongTheyTake) {
  constexpr absl::Duration kSync = absl::Milliseconds(1);
  disk_.on_sync = [&] {
    const Instant begun = SystemClock().Now();
    while (SystemClock().Now() - begun < kSync) {
    }
    return absl::OkStatus();
  };
  absl::Duration told = absl::ZeroDuration();
  log_.reset();
  log_ = Start(Durability::kMatch, [&](absl::Duration sync) {
           told = sync;
           return absl::ZeroDuration();
         }).value();
  Open(1);
  EXPECT_TRUE(log_->Last().ok());
  log_.reset();
  EXPECT_GE(told, kSync);
}

TEST_F(LogTest, TakesNoNewMatchWhileSyncsFailAndGoesOnByItself) {
  std::atomic<bool> fails{true};
  disk_.on_sync = [&] {
    return fails ? absl::UnavailableError("the disk has lost a write") : absl::OkStatus();
  };
  Restart(Durability::kMatch);
  const auto line = Open(1);
  const auto other = Open(2);
  const uint64_t opened = log_->written();
  EXPECT_TRUE(absl::IsUnavailable(log_->Last()));
  EXPECT_FALSE(log_->Lasts(opened));
  EXPECT_TRUE(absl::IsUnavailable(log_->Open(NumberedId(3), Record("a"), 1).status()));
  EXPECT_TRUE(absl::IsUnavailable(log_->Check()));
  Append(line, "a");
  // Whoever was told that the match is void must not meet it again.
  EXPECT_TRUE(log_->Close(other.get(), Kind::kSetAside).ok());
  fails = false;
  while (!log_->Check().ok()) std::this_thread::yield();
  EXPECT_TRUE(log_->Lasts(opened));
  Open(3);
  EXPECT_TRUE(log_->Last().ok());
  log_.reset();
  disk_.LosePower();
  EXPECT_THAT(Left(), ElementsAre(Pair(NumberedId(1).text(), "opening a"),
                                  Pair(NumberedId(3).text(), "opening")));
}

TEST_F(LogTest, TakesNoNewMatchWhileSyncsOfWhatIsSealedFailAndGoesOnByItself) {
  Restart(Durability::kMatch);
  const auto running = Open(1);
  EXPECT_TRUE(log_->Check().ok());
  shelf_fails_ = true;
  absl::Status status;
  for (uint64_t number = 2; status.ok() && number < 200; ++number) {
    const auto line = log_->Open(NumberedId(number), Record(std::string(kSegment / 4, 'x')), 1);
    status = line.status();
    if (line.ok()) log_->Close(line->get(), Kind::kSealed).IgnoreError();
    Append(running, "a");
  }
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_TRUE(absl::IsUnavailable(log_->Check()));
  Append(running, "b");
  const size_t before = Segments();
  shelf_fails_ = false;
  while (!log_->Check().ok()) std::this_thread::yield();
  Open(1000);
  Fill(4);
  EXPECT_LE(Segments(), before + 2);  // they are used again
}

TEST_F(LogTest, TakesFromManyAtOnce) {
  constexpr int kThreads = 8;
  constexpr int kEach = 50;
  Restart(Durability::kTurn);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const auto line = Open(static_cast<uint64_t>(t));
      for (int i = 0; i < kEach; ++i) {
        Append(line, std::string(100, 'x'));
        EXPECT_TRUE(log_->Last().ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  log_.reset();
  disk_.LosePower();
  const Lines left = Left();
  EXPECT_THAT(left, SizeIs(kThreads));
  for (const auto& [id, text] : left) EXPECT_EQ(text.size(), 7u + 101 * kEach) << id;
}

}  // namespace
}  // namespace referee::replay
