#include "referee/ctl/rules/input.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/ctl/countdown.h"

namespace referee::ctl {
namespace {

using ::testing::ElementsAre;

TEST(ParseRolls, ReadsOneAndMany) {
  EXPECT_THAT(*ParseRolls("31"), ElementsAre(ElementsAre(3, 1)));
  EXPECT_THAT(*ParseRolls("31,66,12"),
              ElementsAre(ElementsAre(3, 1), ElementsAre(6, 6), ElementsAre(1, 2)));
  EXPECT_THAT(*ParseRolls("5"), ElementsAre(ElementsAre(5)));
}

TEST(ParseRolls, RefusesWhatCannotBeRolled) {
  for (const char* text : {"", "07", "71", "3 1", "31,", ",31", "311", "ab", "31;62", "-31"}) {
    EXPECT_EQ(ParseRolls(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

TEST(ParsePositionOf, FindsTheNumberOfSeats) {
  for (const int seats : {2, 3}) {
    const std::string text = "7/" + std::to_string(seats) + " b 31";
    const absl::StatusOr<ReadPosition> read = ParsePositionOf(games::Countdown(), text, {});
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->game->seats(), seats);
    EXPECT_EQ(read->state->Position(), text);
  }
}

TEST(ParsePositionOf, SaysWhatIsWrongWithAPositionOfNoGame) {
  EXPECT_EQ(ParsePositionOf(games::Countdown(), "7/9 b 31", {}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ParsePositionOf, SaysWhatIsWrongWithTheOptions) {
  EXPECT_EQ(ParsePositionOf(games::Countdown(), "7/2 b 31", {"colour=red"}).status(),
            absl::InvalidArgumentError("no such option"));
}

}  // namespace
}  // namespace referee::ctl
