#include "referee/ctl/duel/match_meter.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/clock.h"
#include "referee/dice/dice.h"
#include "referee/match/match.h"
#include "tests/support/counting_game.h"
#include "tests/unit/ctl/countdown.h"

namespace referee::ctl {
namespace {

match::Setup SetupNamed(uint8_t last) {
  const uint8_t random[10] = {0, 0, 0, 0, 0, 0, 0, 0, 0, last};
  match::Setup setup;
  setup.id = MatchId::Make(absl::UnixEpoch(), random);
  setup.game = games::Countdown().Create(2, {}).value();
  setup.bots = {"x", "y"};
  return setup;
}

match::Played Turn(int seat, games::Move move, absl::Duration used) {
  match::Played turn;
  turn.seat = Seat(seat);
  turn.move = move;
  turn.used = used;
  return turn;
}

TEST(FiguresOf, MeasuresMovesBySeatAndLeavesPassesOut) {
  const match::Setup setup = SetupNamed(1);
  std::vector<match::Record> records;
  records.push_back(Turn(0, games::Move(1), absl::Milliseconds(2)));
  records.push_back(Turn(1, games::Move::Pass(), absl::ZeroDuration()));
  records.push_back(Turn(0, games::Move(2), absl::Milliseconds(4)));
  const MatchFigures figures = FiguresOf(setup, records);
  ASSERT_EQ(figures.times.size(), 2u);
  EXPECT_EQ(figures.times[0].moves, 2);
  EXPECT_EQ(figures.times[0].total, absl::Milliseconds(6));
  EXPECT_EQ(figures.times[0].worst, absl::Milliseconds(4));
  EXPECT_EQ(figures.times[1].moves, 0);
}

match::Faulted IllegalMove(int seat) {
  match::Faulted fault;
  fault.seat = Seat(seat);
  fault.cause = match::Cause::kIllegal;
  return fault;
}

TEST(FiguresOf, CountsTurnsPlayedInABotsPlaceByCause) {
  match::Setup setup = SetupNamed(1);
  setup.policies.on_illegal.action = match::FaultPolicy::Action::kSubstitute;
  std::vector<match::Record> records;
  match::Played late = Turn(1, games::Move(1), absl::Milliseconds(2));
  late.substituted = match::Cause::kTimeout;
  match::Played illegal = Turn(1, games::Move(1), absl::Milliseconds(2));
  illegal.substituted = match::Cause::kIllegal;
  records.push_back(late);
  records.push_back(IllegalMove(1));
  records.push_back(illegal);
  records.push_back(late);
  records.push_back(Turn(0, games::Move(1), absl::Milliseconds(2)));
  const MatchFigures figures = FiguresOf(setup, records);
  ASSERT_EQ(figures.forgiven.size(), 2u);
  EXPECT_EQ(figures.forgiven[0].substituted_timeouts, 0);
  EXPECT_EQ(figures.forgiven[1].substituted_timeouts, 2);
  EXPECT_EQ(figures.forgiven[1].substituted_illegal, 1);
  EXPECT_EQ(figures.forgiven[1].retried, 0) << "an illegal move counts once";
}

TEST(FiguresOf, CountsIllegalMovesTriedAgain) {
  match::Setup setup = SetupNamed(1);
  setup.policies.on_illegal.action = match::FaultPolicy::Action::kRetry;
  std::vector<match::Record> records;
  records.push_back(IllegalMove(0));
  records.push_back(IllegalMove(0));
  records.push_back(Turn(0, games::Move(1), absl::Milliseconds(2)));
  match::Faulted end_of_match_time;
  end_of_match_time.seat = Seat(0);
  end_of_match_time.cause = match::Cause::kTimeout;
  records.push_back(end_of_match_time);
  const MatchFigures figures = FiguresOf(setup, records);
  ASSERT_EQ(figures.forgiven.size(), 2u);
  EXPECT_EQ(figures.forgiven[0].retried, 2);
  EXPECT_EQ(figures.forgiven[1].retried, 0);
}

match::Forfeited Forfeit(int seat, match::Cause cause, uint32_t turn, const std::string& detail) {
  match::Forfeited forfeit;
  forfeit.seat = Seat(seat);
  forfeit.cause = cause;
  forfeit.number = turn;
  forfeit.detail = detail;
  return forfeit;
}

TEST(FiguresOf, KeepsWhyASeatWasTakenOut) {
  const match::Setup setup = SetupNamed(1);
  std::vector<match::Record> records;
  records.push_back(Turn(0, games::Move(1), absl::Milliseconds(2)));
  match::Forfeited illegal = Forfeit(1, match::Cause::kIllegal, 2, "illegal move 9 in turn 2");
  illegal.timing.emplace();
  records.push_back(illegal);
  const MatchFigures figures = FiguresOf(setup, records);
  EXPECT_FALSE(figures.faults[0].has_value());
  ASSERT_TRUE(figures.faults[1].has_value());
  EXPECT_EQ(figures.faults[1]->cause, match::Cause::kIllegal);
  EXPECT_EQ(figures.faults[1]->turn, 2u);
  EXPECT_EQ(figures.faults[1]->detail, "illegal move 9 in turn 2");
  EXPECT_TRUE(figures.faults[1]->forfeits);
  EXPECT_FALSE(figures.faults[1]->unready);
}

TEST(FiguresOf, KeepsTheFirstIllegalMoveThatWasForgiven) {
  const match::Setup setup = SetupNamed(1);
  std::vector<match::Record> records;
  match::Faulted first = IllegalMove(1);
  first.detail = "first";
  match::Faulted second = IllegalMove(1);
  second.detail = "second";
  records.push_back(first);
  records.push_back(second);
  const MatchFigures figures = FiguresOf(setup, records);
  ASSERT_TRUE(figures.faults[1].has_value());
  EXPECT_EQ(figures.faults[1]->detail, "first");
  EXPECT_FALSE(figures.faults[1]->forfeits);
}

TEST(FiguresOf, TellsWhoWasNotReadyFromWhoWasLate) {
  const match::Setup setup = SetupNamed(1);
  std::vector<match::Record> records;
  records.push_back(Forfeit(0, match::Cause::kTimeout, 1, "was not ready within 10s"));
  match::Forfeited late = Forfeit(1, match::Cause::kTimeout, 1, "used 501 ms");
  late.timing.emplace();
  records.push_back(late);
  const MatchFigures figures = FiguresOf(setup, records);
  EXPECT_TRUE(figures.faults[0]->unready);
  EXPECT_FALSE(figures.faults[1]->unready);
}

TEST(FiguresOf, TellsWhoResignedBeforeItWasAskedFromWhoGaveUp) {
  const match::Setup setup = SetupNamed(1);
  std::vector<match::Record> records;
  records.push_back(Forfeit(0, match::Cause::kResigned, 1, "resigned before the first turn"));
  match::Forfeited asked = Forfeit(1, match::Cause::kResigned, 1, "resigned in turn 1");
  asked.timing.emplace();
  records.push_back(asked);
  const MatchFigures figures = FiguresOf(setup, records);
  EXPECT_TRUE(figures.faults[0]->unready);
  EXPECT_FALSE(figures.faults[1]->unready);
}

// A match that tells a meter of its records.
class MeteredGame {
 public:
  MeteredGame(uint8_t number, std::vector<std::string> bots, MatchMeter* meter)
      : meter_(*meter), match_(SetupOf(number, std::move(bots)), dice::PinnedSeed(7)) {
    Step(match::Begin{});
    Step(match::ReadyReceived{Seat(0), {}});
    Step(match::ReadyReceived{Seat(1), {}});
    Step(match::RequestSent{match_.seat_to_move(), 1, {}, 0});
  }

  MatchId id() const { return match_.setup().id; }
  void RunOutOfTime() {
    now_ = now_ + absl::Seconds(10);
    Step(match::Tick{});
  }

 private:
  static match::Setup SetupOf(uint8_t number, std::vector<std::string> bots) {
    testing::CountingRules rules;
    rules.target = 100;
    const uint8_t random[10] = {0, 0, 0, 0, 0, 0, 0, 0, 0, number};
    match::Setup setup;
    setup.id = MatchId::Make(absl::UnixEpoch(), random);
    setup.game = testing::NewCountingGame(rules);
    setup.bots = std::move(bots);
    setup.dice_source.pinned_number = 7;
    setup.commitment = dice::Commit(dice::PinnedSeed(7));
    return setup;
  }

  void Step(const match::Event& event) {
    for (const match::Effect& effect : match_.Step(event, now_, {now_, absl::UnixEpoch()})) {
      if (const auto* record = std::get_if<match::Record>(&effect)) meter_.Note(match_, *record);
    }
  }

  MatchMeter& meter_;
  match::Match match_;
  Instant now_ = Instant::FromNanos(1'000'000'000);
};

TEST(MatchMeter, CountsTheTurnsThatABotHadToThinkAboutBesideTheOneThatItLost) {
  MatchMeter meter;
  MeteredGame lost(1, {"x", "y"}, &meter);
  MeteredGame second(2, {"x", "z"}, &meter);
  MeteredGame third(3, {"x", "y"}, &meter);
  MeteredGame of_the_other(4, {"y", "x"}, &meter);
  lost.RunOutOfTime();
  const MatchFigures figures = meter.Take(lost.id());
  ASSERT_EQ(figures.faults.size(), 2u);
  ASSERT_TRUE(figures.faults[0].has_value());
  EXPECT_EQ(figures.faults[0]->other_turns, 2);
  EXPECT_FALSE(figures.faults[1].has_value());
}

TEST(MatchMeter, CountsNoTurnsOfMatchesThatAreOver) {
  MatchMeter meter;
  MeteredGame first(1, {"x", "y"}, &meter);
  MeteredGame second(2, {"x", "y"}, &meter);
  first.RunOutOfTime();
  second.RunOutOfTime();
  EXPECT_EQ(meter.Take(first.id()).faults.at(0)->other_turns, 1);
  EXPECT_EQ(meter.Take(second.id()).faults.at(0)->other_turns, 0);
}

TEST(MatchMeter, GivesTheFiguresOfAMatchOnce) {
  MatchMeter meter;
  MeteredGame game(1, {"x", "y"}, &meter);
  MeteredGame other(2, {"x", "y"}, &meter);
  EXPECT_EQ(meter.Take(game.id()).times.size(), 2u);
  EXPECT_EQ(meter.Take(game.id()).times.size(), 0u) << "taken already";
}

TEST(MatchMeter, KnowsWhoPlaysUntilTheMatchIsForgotten) {
  MatchMeter meter;
  MeteredGame game(1, {"x", "y"}, &meter);
  EXPECT_TRUE(meter.Plays("y"));
  EXPECT_FALSE(meter.Plays("z"));
  game.RunOutOfTime();
  meter.Take(game.id());
  EXPECT_TRUE(meter.Plays("y")) << "its end is still to be heard of";
  meter.Forget(game.id());
  EXPECT_FALSE(meter.Plays("y"));
}

}  // namespace
}  // namespace referee::ctl
