// Tests of how evenly bots meet: as planned, and as played.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/competition/competition_fixture.h"

namespace referee::testing {
namespace {

using schedule::Evenness;
using schedule::Format;

const std::vector<std::string> kEntrants = {"ada", "bea", "cleo", "dora", "eva"};

class EvennessShown : public ::testing::Test {
 protected:
  void Start(Format format, int seats, int rounds) {
    schedule::Spec spec = CompetitionFixture::SpecOf(format, kEntrants, seats);
    spec.rounds = rounds;
    contest_.Boot();
    contest_.Start(spec);
  }
  absl::optional<Evenness> Shown() { return contest_.competitions().Get("cup")->evenness; }
  void ExpectMeetings(int64_t least, int64_t most) {
    const absl::optional<Evenness> even = Shown();
    ASSERT_TRUE(even.has_value());
    EXPECT_EQ(even->least_met, least);
    EXPECT_EQ(even->most_met, most);
  }

  CompetitionFixture contest_{
      {{kEntrants[0]}, {kEntrants[1]}, {kEntrants[2]}, {kEntrants[3]}, {kEntrants[4]}}};
};

TEST_F(EvennessShown, IsPlannedFromTheStartAndPlayedAsPlanned) {
  Start(Format::kRoundRobin, 3, 1);
  ExpectMeetings(1, 2);
  EXPECT_EQ(Shown()->least_after, 0);
  const int64_t most_after = Shown()->most_after;
  ASSERT_TRUE(contest_.RunUntil([&] { return contest_.Row().counted > 0; }));
  contest_.Kill();
  contest_.Boot();
  ExpectMeetings(1, 2);
  ASSERT_TRUE(contest_.RunToEnd());
  ExpectMeetings(1, 2);
  EXPECT_EQ(Shown()->most_after, most_after);
  EXPECT_EQ(contest_.competitions().Standings("cup")->view.evenness->most_met, 2);
}

TEST_F(EvennessShown, OfOnesThatAreFinishedEarlyIsOfWhatWasPlayed) {
  Start(Format::kRoundRobin, 2, 2);
  ExpectMeetings(2, 2);
  ASSERT_TRUE(contest_.RunUntil([&] { return contest_.Row().counted > 0; }));
  ASSERT_TRUE(contest_.competitions().Finish("cup", "olga").ok());
  ASSERT_TRUE(contest_.RunToEnd());
  ASSERT_LT(contest_.blocks().size(), 20u);
  EXPECT_LT(Shown()->least_met, Shown()->most_met);
}

TEST_F(EvennessShown, IsPlannedAgainWhenSomebodyLeaves) {
  Start(Format::kRoundRobin, 4, 4);
  ExpectMeetings(6, 6);
  ASSERT_TRUE(contest_.RunUntil([&] { return contest_.Row().counted > 2; }));
  ASSERT_TRUE(contest_.competitions().Leave("cup", "eva", "olga").ok());
  const absl::optional<Evenness> planned = Shown();
  ASSERT_TRUE(contest_.RunToEnd());
  ASSERT_TRUE(planned.has_value());
  ExpectMeetings(planned->least_met, planned->most_met);
  EXPECT_GT(planned->least_met, 0);
}

TEST_F(EvennessShown, OfALadderIsNotLookedAt) {
  Start(Format::kLadder, 3, 0);
  EXPECT_FALSE(Shown().has_value());
}

}  // namespace
}  // namespace referee::testing
