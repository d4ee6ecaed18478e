// Tests of bots that do not answer: when and how long they are suspended, and how they return.
#include "referee/competition/absences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/unit/competition/competition_fixture.h"
#include "tests/unit/competition/planner_office.h"

namespace referee::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// --- A planner alone ---

// A ladder of three bots, of which the last is suspended for a minute from now on.
struct OfficeOfSuspended : Office {
  OfficeOfSuspended() : Office(schedule::Format::kLadder, 3) {
    situation.wall_now = absl::FromUnixSeconds(1'000'000);
    entrants[2].presence = store::Presence::kSetAside;
    entrants[2].suspension =
        store::Suspension{situation.wall_now + absl::Minutes(1), absl::Minutes(1)};
    Load({});
  }
};

TEST(PlannerOfSuspended, BringsASuspendedBotBackOnceItAnswersAPing) {
  OfficeOfSuspended office;
  office.situation.host.bots[2].answered = office.situation.now;
  office.Step();
  EXPECT_THAT(office.planner.suspended().to_ping(), IsEmpty());
  EXPECT_LE(office.planner.NextStep(), office.situation.now + absl::Minutes(1));
  office.Pass(absl::Minutes(1));
  office.Step();
  EXPECT_THAT(office.planner.suspended().to_ping(), ElementsAre("bot2"));
  EXPECT_THAT(office.planner.suspended().answered(), IsEmpty())
      << "that answer was to another ping";
  EXPECT_LE(office.planner.NextStep(), office.situation.now + absl::Seconds(1));
  office.Pass(absl::Milliseconds(20));
  office.situation.host.bots[2].answered = office.situation.now;
  office.Step();
  EXPECT_THAT(office.planner.suspended().to_ping(), IsEmpty());
  EXPECT_THAT(office.planner.suspended().answered(), ElementsAre(2));
  office.planner.Returned(2);
  EXPECT_TRUE(office.planner.stale());
  EXPECT_THAT(office.planner.TakeLog(), Contains("bot 'bot2' is back: it answers pings again"));
}

TEST(PlannerOfSuspended, PingsNoBotThatIsAwayOrWasSetAsideForGood) {
  OfficeOfSuspended office;
  office.Pass(absl::Minutes(1));
  office.situation.host.bots[2].connected = false;
  office.Step();
  EXPECT_THAT(office.planner.suspended().to_ping(), IsEmpty());
  office.situation.host.bots[2].connected = true;
  office.Step();
  EXPECT_THAT(office.planner.suspended().to_ping(), SizeIs(1));
  office.entrants[2].suspension.reset();
  office.Load({});
  office.Step();
  EXPECT_THAT(office.planner.suspended().to_ping(), IsEmpty());
}

TEST(PlannerOfSuspended, CalendarThatIsPutBackSuspendsNobodyForLonger) {
  OfficeOfSuspended office;
  office.situation.wall_now -= absl::Hours(24);
  office.Step();
  EXPECT_THAT(office.planner.suspended().to_ping(), ElementsAre("bot2"));
}

TEST(Suspension, IsTwiceAsLongEachTimeUpToAnHourUntilAnHourHasPassed) {
  store::Entrant entrant;
  absl::Time now = absl::FromUnixSeconds(1'000'000);
  const auto next = [&] {
    entrant.suspension = competition::NextSuspension(schedule::Format::kLadder, entrant, now);
    now = entrant.suspension->until + absl::Minutes(59);
    return entrant.suspension->length;
  };
  for (const int minutes : {1, 2, 4, 8, 16, 32, 60, 60}) EXPECT_EQ(next(), absl::Minutes(minutes));
  now += absl::Minutes(1);
  EXPECT_EQ(next(), absl::Minutes(1));
  EXPECT_FALSE(competition::NextSuspension(schedule::Format::kTest, entrant, now).has_value());
}

// --- Whole competitions ---

const std::vector<std::string> kNames = {"ada", "bob", "cyd"};

std::vector<Player> BotsThatFallSilent() {
  std::vector<Player> players(kNames.size());
  for (size_t i = 0; i < players.size(); ++i) players[i].name = kNames[i];
  return players;
}

// A competition of ada and bob, who play eight matches at once and take 100 ms for a move.
schedule::Spec OfManyMatches(schedule::Format format, CompetitionFixture* contest) {
  for (const char* bot : {"ada", "bob"}) {
    contest->player(bot).max_matches = 8;
    contest->player(bot).thinks = absl::Milliseconds(100);
  }
  schedule::Spec spec = CompetitionFixture::SpecOf(format, {"ada", "bob"});
  spec.time_control = "500ms";
  spec.max_running = 4;
  if (format == schedule::Format::kTest) spec.sprt = rating::SprtTerms{-1, 1, 0.001, 0.001};
  return spec;
}

TEST(CompetitionSuspension, OnePauseOfABotWithManyMatchesDoesNotSetItAside) {
  for (const auto format : {schedule::Format::kLadder, schedule::Format::kTest}) {
    CompetitionFixture contest(BotsThatFallSilent());
    const schedule::Spec spec = OfManyMatches(format, &contest);
    contest.Boot();
    contest.Start(spec);
    ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().counted >= 10; }));
    contest.player("ada").paused_until = contest.clock().Now() + absl::Milliseconds(1800);
    const int64_t counted = contest.Row().counted;
    ASSERT_TRUE(contest.RunUntil([&] { return contest.Row().counted >= counted + 20; }));
    EXPECT_GE(contest.EntrantOf("ada").tally.forfeits, 4) << "it lost several matches";
    EXPECT_EQ(contest.EntrantOf("ada").presence, store::Presence::kIn);
    EXPECT_EQ(contest.state(), store::CompetitionState::kRunning);
  }
}

TEST(CompetitionSuspension, BotWithManyMatchesThatNeverAnswersIsSetAsideAllTheSame) {
  CompetitionFixture contest(BotsThatFallSilent());
  const schedule::Spec spec = OfManyMatches(schedule::Format::kTest, &contest);
  contest.player("ada").answers = false;
  contest.Boot();
  contest.Start(spec);
  ASSERT_TRUE(contest.RunToEnd());
  EXPECT_EQ(contest.EntrantOf("ada").tally.silences, 3);
  const auto view = contest.competitions().Get("cup");
  ASSERT_TRUE(view.ok() && view->test.has_value());
  EXPECT_THAT(view->test->out,
              ElementsAre(AllOf(HasSubstr("'ada' was set aside: did not answer in 3 matches"),
                                HasSubstr("plays no more in this competition"))));
}

TEST(CompetitionSuspension, BotThatWasSetAsideForSilenceComesBackWhenItAnswersPings) {
  CompetitionFixture contest(BotsThatFallSilent());
  for (const std::string& name : kNames) contest.player(name).thinks = absl::Milliseconds(200);
  contest.Boot();
  schedule::Spec spec = CompetitionFixture::SpecOf(schedule::Format::kLadder, kNames);
  spec.max_running = 2;
  contest.Start(spec);
  const auto is = [&](store::Presence presence) {
    return [&contest, presence] { return contest.EntrantOf("ada").presence == presence; };
  };
  for (const absl::Duration length : {absl::Minutes(1), absl::Minutes(2)}) {
    contest.player("ada").answers = false;
    ASSERT_TRUE(contest.RunUntil(is(store::Presence::kSetAside)));
    EXPECT_THAT(contest.EntrantOf("ada").reason,
                HasSubstr(absl::StrCat("comes back by itself when it answers pings, after ",
                                       absl::FormatDuration(length))));
    if (length == absl::Minutes(2)) {
      contest.Kill();
      contest.Boot();
    }
    contest.RunFor(length + absl::Minutes(1));
    EXPECT_TRUE(is(store::Presence::kSetAside)()) << "it does not answer pings";
    contest.player("ada").answers = true;
    EXPECT_TRUE(contest.RunUntil(is(store::Presence::kIn), absl::Seconds(15)));
    const int64_t begun = contest.EntrantOf("ada").blocks_begun;
    ASSERT_TRUE(
        contest.RunUntil([&] { return contest.EntrantOf("ada").blocks_begun > begun + 2; }));
  }
  contest.player("ada").answers = false;
  ASSERT_TRUE(contest.RunUntil(is(store::Presence::kSetAside)));
  contest.player("ada").answers = true;
  contest.RunFor(absl::Minutes(3));
  EXPECT_TRUE(is(store::Presence::kSetAside)()) << "for four minutes, though it answers pings";
}

}  // namespace
}  // namespace referee::testing
