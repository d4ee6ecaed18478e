#include "referee/replay/ledger.h"

#include <sys/stat.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <thread>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr auto kOpening = Ledger::Kind::kOpening;
constexpr auto kReplay = Ledger::Kind::kReplay;
constexpr int kAll = std::numeric_limits<int>::max();

MatchId IdOf(uint64_t number) {
  uint8_t random[10] = {};
  std::memcpy(random, &number, sizeof(number));
  return MatchId::Make(absl::FromUnixSeconds(1'795'300'000), random);
}

class LedgerTest : public ::testing::Test {
 protected:
  std::unique_ptr<Ledger> Start(size_t file_bytes = 1 << 20) {
    Ledger::Options options;
    options.folder = directory_.path();
    options.checkpoint = [this] { return Checkpoint(); };
    options.file_bytes = file_bytes;
    return Ledger::Start(std::move(options)).value();
  }

  // What is in the ledger, as text.
  std::vector<std::string> Contents() const {
    std::vector<std::string> contents;
    const std::vector<Ledger::Entry> entries = Ledger::Read(directory_.path()).value();
    for (const Ledger::Entry& entry : entries) {
      contents.push_back(
          absl::StrCat(entry.kind == kOpening ? "opening " : "replay ", entry.bytes));
    }
    return contents;
  }

  std::string Path(int index) const { return absl::StrCat(directory_.path(), "/ledger.", index); }

  absl::Status Checkpoint() {
    MutexLock lock(&mutex_);
    ++checkpoints_;
    changed_.NotifyAll();
    while (checkpoints_ > allowed_) changed_.Wait(&mutex_);
    return result_;
  }
  void WaitForCheckpoints(int count) {
    MutexLock lock(&mutex_);
    while (checkpoints_ < count) changed_.Wait(&mutex_);
  }
  // Checkpoints beyond the first `count` do not end.
  void AllowCheckpoints(int count) {
    MutexLock lock(&mutex_);
    allowed_ = count;
    changed_.NotifyAll();
  }

  const testing::TempFolder directory_;
  Mutex mutex_;
  CondVar changed_;
  int checkpoints_ = 0;
  int allowed_ = kAll;
  absl::Status result_;
};

TEST_F(LedgerTest, GivesBackWhatItTookInOrder) {
  const auto ledger = Start();
  EXPECT_TRUE(ledger->Append(kOpening, IdOf(1), "one").ok());
  EXPECT_TRUE(ledger->Append(kReplay, IdOf(1), std::string(100'000, 'x')).ok());
  EXPECT_TRUE(ledger->Append(kOpening, IdOf(2), "").ok());
  EXPECT_THAT(Contents(),
              ElementsAre("opening one", "replay " + std::string(100'000, 'x'), "opening "));
  EXPECT_EQ(Ledger::Read(directory_.path())->at(2).id, IdOf(2));
}

TEST_F(LedgerTest, IsEmptyWhereThereIsNoneAndWhenItStarts) {
  EXPECT_THAT(Contents(), IsEmpty());
  EXPECT_TRUE(Start()->Append(kOpening, IdOf(1), "one").ok());
  EXPECT_THAT(Contents(), ElementsAre("opening one"));
  Start();
  EXPECT_THAT(Contents(), IsEmpty());
}

TEST_F(LedgerTest, IsForItsOwnerOnly) {
  Start();
  struct stat info;
  ASSERT_EQ(stat(Path(0).c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(LedgerTest, LeavesOutAnEntryThatIsTornAtAnyByte) {
  const auto ledger = Start();
  EXPECT_TRUE(ledger->Append(kOpening, IdOf(1), "one").ok());
  EXPECT_TRUE(ledger->Append(kReplay, IdOf(2), "two").ok());
  const std::string bytes =
      ReadWholeFile(Path(0), std::numeric_limits<size_t>::max()).value().substr(0, 200);
  const size_t end = bytes.find("two") + 3;
  const size_t start = bytes.find("one") + 3;
  for (size_t cut = start; cut < end; ++cut) {
    // What was not written yet is zeros, or what was there before.
    for (const std::string& tail : {std::string(64, '\0'), std::string(64, 'x')}) {
      std::ofstream(Path(0), std::ios::binary) << bytes.substr(0, cut) << tail;
      EXPECT_THAT(Contents(), ElementsAre("opening one")) << cut;
    }
  }
}

TEST_F(LedgerTest, WritesOverAFileOnlyAfterACheckpoint) {
  const std::string first = "replay " + std::string(100, 'a');
  const std::string second = "replay " + std::string(100, 'b');
  AllowCheckpoints(0);
  const auto ledger = Start(/*file_bytes=*/100);
  EXPECT_TRUE(ledger->Append(kReplay, IdOf(1), std::string(100, 'a')).ok());
  WaitForCheckpoints(1);
  // The first file waits; the second one takes more than it should.
  EXPECT_TRUE(ledger->Append(kReplay, IdOf(2), std::string(100, 'b')).ok());
  EXPECT_TRUE(ledger->Append(kReplay, IdOf(3), "c").ok());
  EXPECT_THAT(Contents(), ElementsAre(first, second, "replay c"));
  // The first file is written over, which makes the second one wait.
  AllowCheckpoints(1);
  while (Contents().front() == first) {
    EXPECT_TRUE(ledger->Append(kReplay, IdOf(4), "d").ok());
  }
  EXPECT_TRUE(ledger->Append(kReplay, IdOf(5), "e").ok());
  EXPECT_EQ(Contents().front(), second);
  EXPECT_EQ(Contents().back(), "replay e");
  AllowCheckpoints(kAll);
  while (Contents().front() == second) {
    EXPECT_TRUE(ledger->Append(kReplay, IdOf(6), "f").ok());
  }
}

TEST_F(LedgerTest, TakesNothingMoreOnceACheckpointHasFailed) {
  result_ = absl::UnavailableError("the disk has lost a write");
  const auto ledger = Start(/*file_bytes=*/100);
  EXPECT_TRUE(ledger->Append(kReplay, IdOf(1), std::string(100, 'a')).ok());
  WaitForCheckpoints(1);
  absl::Status status;
  while (status.ok()) status = ledger->Append(kReplay, IdOf(2), "b");
  EXPECT_EQ(status, result_);
  EXPECT_EQ(Contents().front(), "replay " + std::string(100, 'a'));
}

TEST_F(LedgerTest, SaysWhatTheDiskSaysAndGoesOnWhenItCan) {
  const auto ledger = Start();
  {
    const FullDisk full(100);
    EXPECT_TRUE(absl::IsResourceExhausted(ledger->Append(kReplay, IdOf(1), std::string(500, 'x'))));
  }
  EXPECT_THAT(Contents(), IsEmpty());
  EXPECT_TRUE(ledger->Append(kReplay, IdOf(2), "two").ok());
  EXPECT_THAT(Contents(), ElementsAre("replay two"));
}

TEST_F(LedgerTest, TakesFromManyAtOnce) {
  constexpr int kThreads = 8;
  constexpr int kEach = 50;
  {
    const auto ledger = Start(/*file_bytes=*/1 << 16);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&ledger, t] {
        for (int i = 0; i < kEach; ++i) {
          const std::string text = absl::StrCat(t, ".", i);
          EXPECT_TRUE(ledger->Append(kReplay, IdOf(static_cast<uint64_t>(i)), text).ok());
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  const std::vector<std::string> contents = Contents();
  EXPECT_EQ(std::set<std::string>(contents.begin(), contents.end()).size(),
            static_cast<size_t>(kThreads * kEach));
}

}  // namespace
}  // namespace referee::replay
