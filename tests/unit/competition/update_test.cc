// Tests of an organiser's changes to an existing competition.
#include <functional>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/match/time_control.h"
#include "tests/unit/competition/competition_fixture.h"

namespace referee::testing {
namespace {

using schedule::Format;
using ::testing::HasSubstr;

absl::Status Update(CompetitionFixture* contest, const std::function<void(schedule::Spec*)>& set) {
  const auto change = [&](schedule::Spec* spec) {
    set(spec);
    return absl::OkStatus();
  };
  return contest->competitions().Update("cup", change, "olga").status();
}

int64_t Begun(CompetitionFixture* contest) { return contest->Row().next_block; }

TEST(CompetitionUpdate, GivesALadderThatRunsAnotherPace) {
  CompetitionFixture contest({{"ada"}, {"bea"}});
  contest.Boot();
  schedule::Spec spec = CompetitionFixture::SpecOf(Format::kLadder, {"ada", "bea"});
  spec.pace = 1;
  contest.Start(spec);
  contest.RunFor(absl::Minutes(5));
  const int64_t slow = Begun(&contest);
  EXPECT_LE(slow, 7);
  ASSERT_TRUE(Update(&contest, [](schedule::Spec* changed) { changed->pace = 60; }).ok());
  contest.RunFor(absl::Minutes(5));
  EXPECT_GE(Begun(&contest) - slow, 200);
  EXPECT_EQ(contest.store().ListAudit(0, 1).value()[0].detail, "pace 60, was 1");
}

TEST(CompetitionUpdate, GivesTheBlocksThatBeginAfterwardsAnotherTimeControl) {
  CompetitionFixture contest({{"ada"}, {"bea"}});
  contest.player("ada").thinks = absl::Milliseconds(300);
  contest.Boot();
  schedule::Spec spec = CompetitionFixture::SpecOf(Format::kLadder, {"ada", "bea"});
  spec.time_control = "1s";
  spec.max_running = 1;
  contest.Start(spec);
  ASSERT_TRUE(contest.RunUntil([&] { return Begun(&contest) >= 3; }));
  EXPECT_EQ(contest.EntrantOf("ada").tally.forfeits, 0);
  ASSERT_TRUE(
      Update(&contest, [](schedule::Spec* changed) { changed->time_control = "100ms"; }).ok());
  EXPECT_TRUE(contest.RunUntil([&] { return contest.EntrantOf("ada").tally.forfeits > 0; }));
}

TEST(CompetitionUpdate, LeavesWhatIsCountedOnceItIsFinished) {
  CompetitionFixture contest({{"ada"}, {"bea"}});
  contest.Boot();
  contest.Start(CompetitionFixture::SpecOf(Format::kRoundRobin, {"ada", "bea"}));
  ASSERT_TRUE(contest.RunToEnd());
  const absl::Status refused =
      Update(&contest, [](schedule::Spec* spec) { spec->provisional_width = 5; });
  EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr("its provisional_width changes no more"));
  EXPECT_TRUE(Update(&contest, [](schedule::Spec* spec) { spec->description = "over"; }).ok());
  EXPECT_EQ(contest.Row().spec.description, "over");
  EXPECT_EQ(contest.Row().spec.provisional_width, 0);
}

TEST(CompetitionUpdate, WithoutAChangeLeavesNoTrace) {
  CompetitionFixture contest({{"ada"}, {"bea"}});
  contest.Boot();
  contest.Start(CompetitionFixture::SpecOf(Format::kLadder, {"ada", "bea"}));
  const store::Competition before = contest.Row();
  const size_t entries = contest.store().ListAudit(0, 100).value().size();
  EXPECT_TRUE(Update(&contest, [](schedule::Spec* spec) { spec->priority = 0; }).ok());
  EXPECT_EQ(contest.Row().version, before.version);
  EXPECT_EQ(contest.store().ListAudit(0, 100).value().size(), entries);
}

TEST(CompetitionUpdate, ComparesADefaultThatIsAskedForByItsValue) {
  CompetitionFixture contest({{"ada"}, {"bea"}});
  contest.Boot();
  schedule::Spec spec = CompetitionFixture::SpecOf(Format::kLadder, {"ada", "bea"});
  spec.time_control = "1s";
  contest.Start(spec);
  const auto clear = [](schedule::Spec* changed) { changed->time_control.clear(); };
  const std::string usual = match::TimeControlText(match::TimeControl());
  ASSERT_TRUE(Update(&contest, clear).ok());
  EXPECT_EQ(contest.Row().spec.time_control, usual);
  EXPECT_EQ(contest.store().ListAudit(0, 1).value()[0].detail,
            absl::StrCat("time_control ", usual, ", was 1s"));
  const int64_t version = contest.Row().version;
  EXPECT_TRUE(Update(&contest, clear).ok());
  EXPECT_EQ(contest.Row().version, version);
}

TEST(CompetitionUpdate, LosesNothingOfTwoThatMeet) {
  CompetitionFixture contest({{"ada"}, {"bea"}});
  contest.Boot();
  contest.Start(CompetitionFixture::SpecOf(Format::kLadder, {"ada", "bea"}));
  int calls = 0;
  const absl::Status made = Update(&contest, [&](schedule::Spec* spec) {
    spec->priority = 7;
    if (++calls > 1) return;
    // Another organiser is faster.
    EXPECT_TRUE(Update(&contest, [](schedule::Spec* other) { other->pace = 60; }).ok());
  });
  EXPECT_TRUE(made.ok()) << made;
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(contest.Row().spec.priority, 7);
  EXPECT_EQ(contest.Row().spec.pace, 60);
}

}  // namespace
}  // namespace referee::testing
