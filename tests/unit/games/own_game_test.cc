// Tests of games from outside the tree.
//
// They keep the contract, travel as text, and are refused if their type breaks the rules of game.h.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/games/catalogue.h"
#include "referee/games/wire.h"
#include "tests/own_game/pig.h"
#include "tests/support/random_walk.h"

namespace referee::games {
namespace {

using ::referee::testing::RandomWalk;
using ::referee::testing::WalkAndCheck;
using ::testing::HasSubstr;

TEST(OwnGame, KeepsTheContractInRandomMatchesOfTwoToTenSeats) {
  const std::shared_ptr<const GameType> pig = MakePig();
  for (int seats = 2; seats <= 10; ++seats) {
    const auto game = pig->Create(seats, {{"target", "30"}});
    ASSERT_TRUE(game.ok()) << game.status();
    for (uint64_t seed = 0; seed < 4; ++seed) {
      RandomWalk walk;
      walk.seed = seed;
      walk.forfeit_one_in = seed % 2 == 0 ? 0 : 30;
      WalkAndCheck({pig.get(), &GeneralWire()}, **game, walk);
    }
  }
}

// The order that matches of a block wait for each other in.
TEST(OwnGame, ItsRollsRise) {
  const auto game = MakePig()->Create(3, {}).value();
  const dice::Key key = dice::PinnedKey(dice::PinnedSeed(5));
  const auto state = game->NewState();
  std::vector<Move> legal;
  int last = -1;
  for (uint32_t turn = 0; state->phase() != Phase::kOver; ++turn) {
    DrawChance(key, state.get(), [&](const Chance& chance, absl::Span<const int>) {
      if (chance.kind != Chance::Kind::kTurnRoll) return;
      const int around = (chance.seat.index() - state->first_seat().index() + 3) % 3;
      EXPECT_GT(3 * chance.index + around, last);
      last = 3 * chance.index + around;
    });
    if (state->phase() == Phase::kOver) break;
    state->LegalMoves(&legal);
    state->Apply(turn % 4 == 3 ? legal.front() : legal.back());
  }
  EXPECT_GT(last, 20);
}

// The loop that game.h begins with.
TEST(OwnGame, IsPlayedAsTheContractSays) {
  const std::shared_ptr<const GameType> type = MakePig();
  const dice::Key key = dice::PinnedKey(dice::PinnedSeed(7));
  std::shared_ptr<const Game> game = type->Create(2, {}).value();
  std::unique_ptr<State> state = game->NewState();
  std::vector<Move> legal;
  while (state->phase() != Phase::kOver) {
    if (state->phase() == Phase::kChance) {
      DrawOnce(key, state.get(), [](const Chance&, absl::Span<const int>) {});
      continue;
    }
    state->LegalMoves(&legal);
    state->Apply(legal[0]);  // what the bot of state->seat_to_move() has chosen
  }
  Outcome outcome = state->outcome();
  EXPECT_EQ(outcome.reason, "TARGET_REACHED");
  EXPECT_THAT(outcome.ranks, ::testing::UnorderedElementsAre(1, 2));
}

TEST(OwnGame, TravelsAsText) {
  const auto game = MakePig()->Create(2, {{"target", "50"}}).value();
  const Wire& wire = WireOf(*game);
  ::referee::v1::GameOptions options;
  wire.OptionsToWire(*game, &options);
  EXPECT_EQ(options.ShortDebugString(),
            R"(general { game: "pig" options { name: "target" value: "50" } })");
  EXPECT_EQ(wire.OptionsFromWire(options).value(), game->source());

  ::referee::v1::Position position;
  wire.PositionToWire(**game->ParsePosition("12,40 b 9 4 -"), &position);
  EXPECT_EQ(position.text(), "12,40 b 9 4 -");

  ::referee::v1::Move move;
  wire.MoveToWire(*game, game->ParseMove("roll").value(), &move);
  EXPECT_EQ(move.notation(), "roll");
  EXPECT_EQ(game->MoveText(wire.MoveFromWire(*game, move).value()), "roll");
}

TEST(GeneralWire, RefusesAMoveThatIsNoNotationOrTooLong) {
  const auto game = MakePig()->Create(2, {}).value();
  ::referee::v1::Move move;
  EXPECT_THAT(std::string(GeneralWire().MoveFromWire(*game, move).status().message()),
              HasSubstr("notation: not set"));
  move.mutable_isaac();
  EXPECT_FALSE(GeneralWire().MoveFromWire(*game, move).ok());
  move.set_notation(std::string(257, 'r'));
  EXPECT_THAT(std::string(GeneralWire().MoveFromWire(*game, move).status().message()),
              HasSubstr("at most 256 bytes"));
}

TEST(GeneralWire, IsForGamesWithoutTypesOfTheirOwn) {
  for (const Entry& entry : Catalogue()) {
    const auto game = entry.type->Create(2, {}).value();
    EXPECT_EQ(&WireOf(*game), entry.wire);
    EXPECT_NE(&WireOf(*game), &GeneralWire());
  }
}

// A type that says of itself what a test wants.
struct Claims {
  std::string name = "chess";
  int min_seats = 2;
  int max_seats = 2;
  std::vector<OptionSpec> options;
};

class ClaimingType final : public GameType {
 public:
  explicit ClaimingType(Claims claims) : claims_(std::move(claims)) {}
  absl::string_view name() const override { return claims_.name; }
  int min_seats() const override { return claims_.min_seats; }
  int max_seats() const override { return claims_.max_seats; }
  absl::Span<const OptionSpec> option_specs() const override { return claims_.options; }
  absl::StatusOr<std::shared_ptr<const Game>> Create(int, absl::Span<const Option>) const override {
    return absl::UnimplementedError("it is never asked");
  }

 private:
  const Claims claims_;
};

TEST(AddGames, RefusesWhatIsNotAsTheContractSays) {
  const OptionSpec a = {"a", OptionSpec::Kind::kFile, "", ""};
  const OptionSpec b = {"b", OptionSpec::Kind::kFile, "", ""};
  const OptionSpec upper = {"A", OptionSpec::Kind::kInt, "", ""};
  const struct {
    Claims claims;
    const char* why;
  } cases[] = {
      {{"", 2, 2, {}}, "lower-case"},
      {{"Chess", 2, 2, {}}, "lower-case"},
      {{"4-in-a-row", 2, 2, {}}, "lower-case"},
      {{std::string(65, 'x'), 2, 2, {}}, "at most 64"},
      {{"isaac", 2, 2, {}}, "already"},
      {{"chess", 1, 2, {}}, "within 2 to 10"},
      {{"chess", 2, 11, {}}, "within 2 to 10"},
      {{"chess", 3, 2, {}}, "within 2 to 10"},
      {{"chess", 2, 2, {b, a}}, "sorted"},
      {{"chess", 2, 2, {a, a}}, "sorted"},
      {{"chess", 2, 2, {a, b}}, "more than one"},
      {{"chess", 2, 2, {upper}}, "no name"},
  };
  for (const auto& one : cases) {
    const absl::Status added = AddGames({std::make_shared<const ClaimingType>(one.claims)});
    EXPECT_EQ(added.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(added.message()), HasSubstr(one.why));
  }
  EXPECT_FALSE(AddGames({std::shared_ptr<const GameType>()}).ok());
  EXPECT_EQ(Catalogue().size(), 2u) << "nothing was added";
}

}  // namespace
}  // namespace referee::games
