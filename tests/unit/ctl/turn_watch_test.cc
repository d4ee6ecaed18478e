#include "referee/ctl/duel/turn_watch.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/clock.h"
#include "referee/dice/dice.h"
#include "referee/match/match.h"
#include "tests/support/counting_game.h"

namespace referee::ctl {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A match that tells a watch of its records.
class WatchedGame {
 public:
  WatchedGame(uint8_t number, std::vector<std::string> bots, TurnWatch* watch)
      : watch_(*watch), match_(SetupOf(number, std::move(bots)), dice::PinnedSeed(7)) {
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
      if (const auto* record = std::get_if<match::Record>(&effect)) watch_.Note(match_, *record);
    }
  }

  TurnWatch& watch_;
  match::Match match_;
  Instant now_ = Instant::FromNanos(1'000'000'000);
};

TEST(TurnWatch, CountsTheTurnsThatABotHadToThinkAboutBesideTheOneThatItLost) {
  TurnWatch watch;
  WatchedGame lost(1, {"x", "y"}, &watch);
  WatchedGame second(2, {"x", "z"}, &watch);
  WatchedGame third(3, {"x", "y"}, &watch);
  WatchedGame of_the_other(4, {"y", "x"}, &watch);
  lost.RunOutOfTime();
  EXPECT_THAT(watch.Take(lost.id()), ElementsAre(2, 0));
  EXPECT_THAT(watch.Take(lost.id()), IsEmpty());
}

TEST(TurnWatch, CountsNoTurnsOfMatchesThatAreOver) {
  TurnWatch watch;
  WatchedGame first(1, {"x", "y"}, &watch);
  WatchedGame second(2, {"x", "y"}, &watch);
  first.RunOutOfTime();
  second.RunOutOfTime();
  EXPECT_THAT(watch.Take(first.id()), ElementsAre(1, 0));
  EXPECT_THAT(watch.Take(second.id()), ElementsAre(0, 0));
}

TEST(TurnWatch, KnowsWhoPlaysUntilTheMatchIsForgotten) {
  TurnWatch watch;
  WatchedGame game(1, {"x", "y"}, &watch);
  EXPECT_TRUE(watch.Plays("y"));
  EXPECT_FALSE(watch.Plays("z"));
  game.RunOutOfTime();
  watch.Take(game.id());
  EXPECT_TRUE(watch.Plays("y")) << "its end is still to be heard of";
  watch.Forget(game.id());
  EXPECT_FALSE(watch.Plays("y"));
}

}  // namespace
}  // namespace referee::ctl
