#include "referee/ctl/rules/selfplay.h"

#include <string>
#include <variant>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/transcript.h"
#include "tests/unit/ctl/countdown.h"

namespace referee::ctl {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string TranscriptOf(int seats, uint64_t number) {
  return replay::Transcript(Selfplay(*games::Countdown().Create(seats, {}), number));
}

TEST(Selfplay, EndsUnderTheRules) {
  const replay::Replay replay = Selfplay(*games::Countdown().Create(3, {}), 7);
  ASSERT_NE(replay.ended(), nullptr);
  EXPECT_EQ(replay.ended()->ending, match::Ending::kFinished);
  EXPECT_EQ(replay.ended()->reason, "EMPTY");
}

TEST(Selfplay, IsTheSameEveryTime) { EXPECT_EQ(TranscriptOf(2, 7), TranscriptOf(2, 7)); }

TEST(Selfplay, DependsOnTheNumber) {
  const auto moves = [](uint64_t number) {
    const std::string text = TranscriptOf(2, number);
    return text.substr(text.find("first"));
  };
  EXPECT_NE(moves(7), moves(8));
}

TEST(Selfplay, IsPinnedAndSaysSo) {
  const std::string text = TranscriptOf(2, 7);
  EXPECT_THAT(text, StartsWith("referee-transcript 1\ngame countdown\n"));
  EXPECT_THAT(text, HasSubstr("bot a random\nbot b random\n"
                              "commit 08fd623f8815a00ea8a2d6fe52fa70d4"
                              "8ea5078d8df2b0a34e56c0f2b4517206\n"
                              "pinned 7\n"));
  EXPECT_THAT(text, HasSubstr("key d88b94fe272864e957ebb1fb02f79ae5"
                              "c6616d9b6416afbd4ed0ac30a3cab134\n"));
}

}  // namespace
}  // namespace referee::ctl
