// Claims about the log: what it gives back after the end of a process, after damage, after a loss
// of power; and when its segments are used again.
#include "referee/replay/log.h"

#include <atomic>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/errors.h"
#include "referee/replay/framing.h"
#include "tests/support/match_id.h"
#include "tests/support/memory_log_disk.h"

namespace referee::replay {
namespace {

using ::referee::testing::NumberedId;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

using Kind = LogFrame::Kind;
using Lines = std::map<std::string, std::string>;

constexpr size_t kSegment = 4 * kLogPageBytes;

// A record of that text, as frames hold records.
std::string Record(absl::string_view text) {
  std::string record;
  AppendSized(text, &record);
  return record;
}

class LogTest : public ::testing::Test {
 protected:
  using Gather = std::function<absl::Duration(absl::Duration sync)>;

  LogTest() { Restart(); }

  absl::StatusOr<std::unique_ptr<Log>> Start(Durability durability = Durability::kNone,
                                             Gather gather = nullptr) {
    const absl::StatusOr<Log::Contents> contents = Log::Read(disk_);
    if (!contents.ok()) return contents.status();
    Log::Options options;
    options.disk = &disk_;
    options.durability = durability;
    options.segment_bytes = kSegment;
    options.gather = std::move(gather);
    options.own_threads = durability != Durability::kNone;
    options.sync_sealed = [this] {
      ++shelf_syncs_;
      return shelf_fails_ ? absl::UnavailableError("the disk has lost a write") : absl::OkStatus();
    };
    return Log::Start(std::move(options), *contents);
  }
  void Restart(Durability durability = Durability::kNone) {
    log_.reset();
    log_ = Start(durability).value();
  }
  std::shared_ptr<Log::Line> Open(uint64_t number, absl::string_view text = "opening") {
    return log_->Open(NumberedId(number), Record(text), 1).value();
  }
  void Append(const std::shared_ptr<Log::Line>& line, absl::string_view text) {
    EXPECT_TRUE(log_->Append(line.get(), Record(text), 1).ok());
  }
  // What is left of matches that are open, or what is wrong with it.
  Lines Left() const { return LinesOf(Log::Read(disk_).value()); }
  static Lines LinesOf(const Log::Contents& contents) {
    Lines lines;
    for (const Log::Left& left : contents.left) {
      std::string text;
      absl::string_view rest = left.line->records_read();
      absl::string_view record;
      while (TakeSized(&rest, &record)) absl::StrAppend(&text, text.empty() ? "" : " ", record);
      lines[left.line->id().text()] = left.damage.empty() ? text : left.damage;
    }
    return lines;
  }
  size_t Segments() const { return disk_.Slots()->size(); }
  // Where a text is in the log.
  std::pair<uint32_t, size_t> Find(absl::string_view text) const {
    const std::vector<uint32_t> slots = disk_.Slots().value();
    for (const uint32_t slot : slots) {
      const size_t at = disk_.Read(slot)->find(std::string(text));
      if (at != std::string::npos) return {slot, at};
    }
    ADD_FAILURE() << text;
    return {};
  }
  // Has matches come and go until the log has gone on in so many more segments.
  void Fill(int segments) {
    const std::string big(kSegment / 4, 'x');
    for (int i = 0; i < 4 * segments; ++i) {
      const auto line = Open(1000 + static_cast<uint64_t>(i), big);
      EXPECT_TRUE(log_->Close(line.get(), Kind::kSealed).ok());
    }
  }

  testing::MemoryLogDisk disk_;
  std::atomic<int> shelf_syncs_{0};
  std::atomic<bool> shelf_fails_{false};
  std::unique_ptr<Log> log_;
};

TEST_F(LogTest, GivesBackWhatItTookOfEachMatch) {
  const auto one = Open(1);
  const auto two = Open(2, "another");
  Append(one, "a");
  Append(two, "b");
  Append(one, "c");
  EXPECT_THAT(Left(), ElementsAre(Pair(NumberedId(1).text(), "opening a c"),
                                  Pair(NumberedId(2).text(), "another b")));
}

TEST_F(LogTest, ForgetsWhatIsSealedOrSetAside) {
  const auto one = Open(1);
  const auto two = Open(2);
  Open(3);
  EXPECT_TRUE(log_->Close(one.get(), Kind::kSealed).ok());
  EXPECT_TRUE(log_->Close(two.get(), Kind::kSetAside).ok());
  EXPECT_THAT(Left(), ElementsAre(Pair(NumberedId(3).text(), "opening")));
  EXPECT_EQ(log_->Find(NumberedId(1)), nullptr);
  EXPECT_NE(log_->Find(NumberedId(3)), nullptr);
}

TEST_F(LogTest, GoesOnWithAMatchOfAnEarlierProcess) {
  Append(Open(1), "a");
  log_.reset();
  for (const char* text : {"b", "c"}) {
    const Log::Contents contents = Log::Read(disk_).value();
    Log::Options options;
    options.disk = &disk_;
    options.segment_bytes = kSegment;
    options.own_threads = false;
    log_ = Log::Start(options, contents).value();
    Append(contents.left.at(0).line, text);
    log_.reset();
  }
  EXPECT_THAT(Left(), ElementsAre(Pair(NumberedId(1).text(), "opening a b c")));
}

TEST_F(LogTest, UsesSegmentsAgainWhenTheirMatchesAreSealed) {
  Fill(3);
  const int made = disk_.made();
  Fill(30);
  EXPECT_EQ(disk_.made(), made);
  EXPECT_LE(Segments(), 4u);
  EXPECT_THAT(Left(), IsEmpty());
}

TEST_F(LogTest, KeepsWhatIsOldAndOpenWithoutKeepingItsSegments) {
  const auto old = Open(1);
  Append(old, "a");
  Fill(30);
  EXPECT_LE(Segments(), limits::kMaxLogSegments + 3);
  Append(old, "b");
  Fill(30);
  EXPECT_THAT(Left(), ElementsAre(Pair(NumberedId(1).text(), "opening a b")));
}

TEST_F(LogTest, DoesNotWriteADamagedMatchAgainAsIfItWereWhole) {
  const auto one = Open(1);
  Append(one, "damaged");
  Append(one, "b");
  const auto [slot, at] = Find("damaged");
  disk_.Overwrite(slot, at, "D");
  Restart();
  Fill(30);
  EXPECT_THAT(Left(), ElementsAre(Pair(NumberedId(1).text(), "after record 1 comes record 3")));
}

TEST_F(LogTest, UsesASegmentAgainThatHeldNothingWhenTheProcessEnded) {
  for (int i = 0; i < 10; ++i) Restart();
  EXPECT_LE(Segments(), 4u);
  Open(1);
  for (int i = 0; i < 10; ++i) Restart();
  EXPECT_LE(Segments(), 5u);
  EXPECT_THAT(Left(), ElementsAre(Pair(NumberedId(1).text(), "opening")));
}

TEST_F(LogTest, TakesAMatchThatIsLargerThanASegment) {
  const std::string big(3 * kSegment, 'x');
  const auto line = Open(1, big);
  Append(line, "a");
  Fill(10);
  EXPECT_THAT(Left(), ElementsAre(Pair(NumberedId(1).text(), big + " a")));
  EXPECT_TRUE(log_->Close(line.get(), Kind::kSealed).ok());
  Fill(10);
  EXPECT_LE(Segments(), 4u);
}

TEST_F(LogTest, LeavesOutAWriteThatIsTornAtAnyByte) {
  for (size_t at = 0; at < 60; ++at) {
    SCOPED_TRACE(at);
    disk_.on_write = nullptr;
    const auto line = Open(at);
    Append(line, "a");
    disk_.on_write = [&](uint32_t, size_t, absl::string_view bytes) -> absl::optional<size_t> {
      return bytes.size() > kNoFrame.size() ? at : 0;  // nor is it cut off
    };
    EXPECT_FALSE(log_->Append(line.get(), Record(std::string(100, 'b')), 1).ok());
    EXPECT_EQ(Left().at(NumberedId(at).text()), "opening a");
    disk_.on_write = nullptr;
    // What others write takes its place.
    Restart();
    EXPECT_EQ(Left().at(NumberedId(at).text()), "opening a");
    EXPECT_THAT(Log::Read(disk_)->notes, IsEmpty());
  }
}

TEST_F(LogTest, SaysThatAWriteWasCutOff) {
  const auto line = Open(1);
  disk_.on_write = [](uint32_t, size_t, absl::string_view bytes) -> absl::optional<size_t> {
    return bytes.size() > kNoFrame.size() ? 20u : 0u;
  };
  EXPECT_FALSE(log_->Append(line.get(), Record("a"), 1).ok());
  EXPECT_THAT(Log::Read(disk_)->notes, ElementsAre(HasSubstr("not finished, at byte 4")));
}

TEST_F(LogTest, ReadsNothingFromTheLastBytesOfASegmentInWhichNothingFits) {
  const size_t room = kSegment - kLogPageBytes - 2;
  const std::string text(room - LogFrameBytes(/*records=*/2), 'x');  // after a length of two bytes
  Open(1, text);
  disk_.Overwrite(0, kSegment - 1, "y");
  EXPECT_THAT(Left(), ElementsAre(Pair(NumberedId(1).text(), text)));
  EXPECT_THAT(Log::Read(disk_)->notes, IsEmpty());
  Restart();
}

TEST_F(LogTest, DoesNotTakeWhatASegmentHeldBeforeForAWriteThatWasCutOff) {
  Fill(10);
  for (uint64_t i = 1; i < 5; ++i) {
    Restart();
    Open(i);
    EXPECT_THAT(Log::Read(disk_)->notes, IsEmpty());
  }
}

TEST_F(LogTest, DamageCostsTheMatchThatItIsInAndNoOther) {
  const auto one = Open(1);
  const auto two = Open(2);
  Append(one, "damaged");
  Append(two, "b");
  Append(one, "c");
  Append(two, "d");
  const auto [slot, at] = Find("damaged");
  disk_.Overwrite(slot, at, "D");
  EXPECT_THAT(Left(), ElementsAre(Pair(NumberedId(1).text(), "after record 1 comes record 3"),
                                  Pair(NumberedId(2).text(), "opening b d")));
  EXPECT_THAT(Log::Read(disk_)->notes, ElementsAre(HasSubstr("damaged; what follows was read")));
}

TEST_F(LogTest, DamageOfAnyByteNeverGivesAnotherRecord) {
  const auto line = Open(1);
  Append(line, "first");
  Append(line, "second");
  const auto [slot, end] = Find("second");
  const std::string bytes = disk_.Read(slot).value();
  for (size_t at = 0; at < end + 6; ++at) {
    disk_.Overwrite(slot, at, std::string(1, static_cast<char>(bytes[at] ^ 0x21)));
    const absl::StatusOr<Log::Contents> contents = Log::Read(disk_);
    if (contents.ok()) {
      for (const auto& [id, text] : Left()) {
        const bool damaged =
            text.find("record") != std::string::npos || text.find("missing") != std::string::npos;
        EXPECT_TRUE(damaged ||
                    absl::string_view("opening first second").substr(0, text.size()) == text)
            << at << text;
      }
    } else {
      EXPECT_TRUE(IsUnknownHere(contents.status())) << contents.status();
      EXPECT_EQ(at, 7u);
    }
    disk_.Overwrite(slot, at, std::string(1, bytes[at]));
  }
}

TEST_F(LogTest, LeavesASegmentAsItIsOfWhichTheHeadIsDamaged) {
  Open(1);
  const uint32_t slot = Find("opening").first;
  disk_.Overwrite(slot, 10, "damage");
  EXPECT_THAT(Log::Read(disk_)->notes, ElementsAre(HasSubstr("head is damaged")));
  const std::string before = disk_.Read(slot).value();
  Restart();
  Fill(10);
  EXPECT_EQ(disk_.Read(slot).value(), before);
}

TEST_F(LogTest, LeavesAWholeHeadOrNoneWhereverItsWriteIsTorn) {
  Fill(3);
  for (size_t at = 0; at < kLogHeadBytes; ++at) {
    for (int write = 0; write < 3; ++write) {
      int writes = 0;
      disk_.on_write = [&](uint32_t, size_t offset, absl::string_view) -> absl::optional<size_t> {
        if (offset >= kLogHeadBytes || writes++ != write) return absl::nullopt;
        return at;
      };
      Start().status().IgnoreError();
      EXPECT_THAT(Log::Read(disk_)->notes, IsEmpty()) << at;
    }
  }
}

TEST_F(LogTest, NamesTheSegmentOfAVersionThatItDoesNotKnow) {
  log_.reset();
  disk_.Overwrite(0, 0, "reflogs\x02");
  const absl::Status status = Log::Read(disk_).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()),
              ::testing::AllOf(HasSubstr("slot 0"), HasSubstr("a log of format version 2"),
                               HasSubstr("knows version 1")));
}

TEST_F(LogTest, NeverTakesWhatASegmentHeldBeforeForItsOwn) {
  const auto line = Open(1, "kept");
  Fill(2);
  for (int i = 0; i < 40; ++i) {
    Append(line, "x");
    if (i % 4 == 0) Fill(1);
    const Lines left = Left();
    ASSERT_THAT(left, SizeIs(1)) << i;
    ASSERT_EQ(left.begin()->second.size(), 4u + 2 * static_cast<size_t>(i + 1)) << i;
  }
}

// A bot may foresee the number of a segment, and have a frame of it written into a record.
TEST_F(LogTest, NeverTakesAFrameOfAnEarlierLifeForItsOwn) {
  const LogHead earlier = ReadLogSegment(disk_.Read(0).value())->head;
  std::string forged;
  for (uint64_t number = 1; number < 140; ++number) {
    const LogHead head = {number, earlier.lasting, earlier.salt};
    AppendLogFrame(head, {Kind::kMatch, NumberedId(666), 0, Record("forged")}, &forged);
  }
  ASSERT_LT(forged.size(), kSegment - 2 * kLogPageBytes);
  EXPECT_TRUE(log_->Close(Open(1, forged).get(), Kind::kSealed).ok());
  const auto has_forged = [&] { return disk_.Read(0)->find("forged") != std::string::npos; };
  int lives = 0;
  for (int i = 0; i < 40; ++i) {
    log_->TendSoon();
    Restart();
    const uint64_t number = ReadLogSegment(disk_.Read(0).value())->head.number;
    if (number > 1 && number < 140) ++lives;
    EXPECT_TRUE(has_forged());
    EXPECT_THAT(Left(), IsEmpty());
    EXPECT_THAT(Log::Read(disk_)->notes, IsEmpty());
  }
  EXPECT_GT(lives, 10);
}

// --- A full disk ---

TEST_F(LogTest, TakesNoNewMatchWithoutRoomInReserveAndGoesOnWithOthers) {
  log_.reset();
  disk_.room = 3 * kSegment;
  Restart();
  const auto line = Open(1);
  absl::Status status;
  uint64_t number = 2;
  while (status.ok())
    status = log_->Open(NumberedId(number++), Record(std::string(1000, 'x')), 1).status();
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  // More than what is left of the segment.
  for (int i = 0; i < 9; ++i) Append(line, std::string(1000, 'y'));
  disk_.room = 10 * kSegment;
  EXPECT_TRUE(log_->Open(NumberedId(number), Record("x"), 1).ok());
}

TEST_F(LogTest, ClosesEachMatchOnADiskThatIsFull) {
  log_.reset();
  disk_.room = 3 * kSegment;
  Restart();
  std::vector<std::shared_ptr<Log::Line>> lines;
  for (uint64_t i = 0; i < 60; ++i) lines.push_back(Open(i));
  absl::Status status;
  while (status.ok()) status = log_->Append(lines[0].get(), Record("a"), 1);
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  for (const auto& line : lines) EXPECT_TRUE(log_->Close(line.get(), Kind::kSetAside).ok());
  EXPECT_THAT(Left(), IsEmpty());
}

TEST_F(LogTest, DoesNotStartOnADiskThatIsFull) {
  disk_.room = 0;
  log_.reset();
  const std::vector<uint32_t> slots = disk_.Slots().value();
  for (const uint32_t slot : slots) EXPECT_TRUE(disk_.Remove(slot).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(Start().status()));
}

// --- A loss of power ---

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
