// Tests of what the log recovers after torn writes and damaged bytes.
#include "referee/replay/log.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/errors.h"
#include "tests/support/match_id.h"
#include "tests/support/memory_log_disk.h"
#include "tests/unit/replay/log_under_test.h"

namespace referee::replay {
namespace {

using ::referee::testing::NumberedId;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

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

}  // namespace
}  // namespace referee::replay
