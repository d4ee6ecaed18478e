// Tests of matches that start from a position, in both games: the option `position`.
#include "tests/unit/games/game_fixture.h"
#include "tests/unit/games/hypnosia_fixture.h"
#include "tests/unit/games/isaac_fixture.h"

namespace referee::games {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

Option Start(const std::string& position) { return {"position", position}; }

// A game as it comes out of the wire when it went in.
std::shared_ptr<const Game> ThroughWire(const Game& game) {
  ::referee::v1::GameOptions wire;
  WireOf(game).OptionsToWire(game, &wire);
  const auto options = WireOf(game).OptionsFromWire(wire);
  EXPECT_TRUE(options.ok()) << options.status();
  return Find(game.name())->type->Create(game.seats(), *options).value();
}

class HypnosiaStart : public hypnosia::HypnosiaTest {
 protected:
  std::string WhyRefused(const std::string& position) const {
    return std::string(Type().Create(2, {Start(position)}).status().message());
  }
};

TEST_F(HypnosiaStart, IsThePositionBeforeTheRollOfTheSeatToMove) {
  Use(2, {Start("3a28B3/2b21/12 0110,0000 b -1,1 - a -")});
  const auto state = game_->NewState();
  ASSERT_EQ(state->phase(), Phase::kChance);
  EXPECT_EQ(state->chance().kind, Chance::Kind::kTurnRoll);
  EXPECT_EQ(state->chance().index, 0);
  EXPECT_EQ(state->chance().seat, Seat(0));
  EXPECT_EQ(state->first_seat(), Seat(0));
  Roll(state.get(), 1, 6);
  EXPECT_EQ(state->Position(), "3a28B3/2b21/12 0110,0000 b -1,1 - a 16");
}

TEST_F(HypnosiaStart, HasNoDiceOfItsOwn) {
  Use(2, {Start("36/24/12 1111,1111 - 0,0 - b 54")});
  EXPECT_THAT(game_->options(), Contains(Start("36/24/12 1111,1111 - 0,0 - b -")));
  EXPECT_EQ(game_->options(), ThroughWire(*game_)->options());
  const auto state = game_->NewState();
  Roll(state.get(), 2, 2);
  EXPECT_EQ(state->Position(), "36/24/12 1111,1111 - 0,0 - b 22");
}

TEST_F(HypnosiaStart, IsTheSameForEveryMatchAndCountsTurnsFromThere) {
  Use(2, {Start("36/24/12 1111,1111 - 0,0 - b -"), {"turn_limit", "1"}});
  for (int match = 0; match < 2; ++match) {
    const auto state = game_->NewState();
    Roll(state.get(), 1, 1);
    state->Apply(LegalOf(*state).front());
    EXPECT_EQ(state->outcome().reason, "TURN_LIMIT");
  }
}

TEST_F(HypnosiaStart, IsRefusedWithTheFieldThatIsWrong) {
  EXPECT_THAT(WhyRefused("36/24/12 1111,1111 - 0,0 - - -"),
              HasSubstr("turn (byte 27): expected the seat that begins, a to b"));
  EXPECT_THAT(WhyRefused("36/24/12 0000,1111 - 0,0 a b 11"),
              HasSubstr("expected '-': nobody forfeits before the start"));
  EXPECT_THAT(WhyRefused("36/24/12 1111,1111 - 0,0 - b 7"), HasSubstr("dice"));
  EXPECT_THAT(WhyRefused("nonsense"), HasSubstr("position: rings"));
  EXPECT_THAT(WhyRefused("36/24/12 1111,1111,1111 - 0,0,0 - b 11"), HasSubstr("lanes"));
}

TEST_F(HypnosiaStart, DiceMayOnlyBeMissingAtAStart) {
  EXPECT_FALSE(game_->ParsePosition("36/24/12 1111,1111 - 0,0 - b -").ok());
}

TEST_F(HypnosiaStart, ThatIsNotGivenIsNotAmongTheOptions) {
  Use(2);
  EXPECT_EQ(game_->options().size(), 3u);
  EXPECT_EQ(game_->source().size(), 3u);
  EXPECT_EQ(game_->NewState()->chance().kind, Chance::Kind::kSetupRoll);
}

class IsaacStart : public isaac::IsaacTest {
 protected:
  std::string WhyRefused(const std::vector<Option>& options) const {
    return std::string(Type().Create(2, options).status().message());
  }
  static constexpr char kPlaced[] = "a7h33,b3v70 54320,44321 0,0 0,0 - P b a";
};

TEST_F(IsaacStart, IsThePositionWithNothingDrawn) {
  Use(2, {Start(kPlaced)});
  const auto state = game_->NewState();
  EXPECT_EQ(state->phase(), Phase::kTurn);
  EXPECT_EQ(state->seat_to_move(), Seat(1));
  EXPECT_EQ(state->Position(), kPlaced);
  EXPECT_EQ(game_->NewState()->Position(), kPlaced);
  EXPECT_EQ(game_->options(), ThroughWire(*game_)->options());
  EXPECT_THAT(game_->options(), Contains(Start(kPlaced)));
}

TEST_F(IsaacStart, IsRefusedWhenTheMatchIsOverOrItContradictsTheOptions) {
  EXPECT_THAT(WhyRefused({Start("- 00000,00000 100,0 3,0 - - - a")}),
              HasSubstr("is not a position in which somebody is to move"));
  EXPECT_THAT(WhyRefused({Start(kPlaced), {"first_player", "SEAT_B"}}),
              HasSubstr("another seat begins in this match"));
  EXPECT_THAT(WhyRefused({Start("nonsense")}), HasSubstr("position: pieces"));
}

TEST_F(IsaacStart, ThatIsNotGivenIsNotAmongTheOptions) {
  Use(2);
  EXPECT_EQ(game_->options().size(), 3u);
  EXPECT_EQ(game_->NewState()->phase(), Phase::kChance);
}

}  // namespace
}  // namespace referee::games
