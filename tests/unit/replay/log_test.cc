// Tests of the log: recovery of each match, reuse of segments, and a full disk.
#include "referee/replay/log.h"

#include <string>
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

}  // namespace
}  // namespace referee::replay
