// Tests every game of the catalogue by random matches, and the engines against the naive models.
#include "tests/support/random_walk.h"

#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "referee/games/catalogue.h"
#include "referee/games/hypnosia/game.h"
#include "tests/unit/games/boards.h"
#include "tests/unit/games/naive_hypnosia.h"
#include "tests/unit/games/naive_isaac.h"

namespace referee::games {
namespace {

using ::referee::testing::RandomWalk;
using ::referee::testing::WalkAndCheck;

TEST(EveryGame, KeepsItsContractInRandomMatches) {
  for (const Entry& entry : Catalogue()) {
    for (int seats = entry.type->min_seats(); seats <= entry.type->max_seats(); ++seats) {
      const auto game = entry.type->Create(seats, {});
      ASSERT_TRUE(game.ok()) << game.status();
      for (uint64_t seed = 0; seed < 4; ++seed) {
        RandomWalk walk;
        walk.seed = seed;
        WalkAndCheck(entry, **game, walk);
        walk.forfeit_one_in = 30;
        WalkAndCheck(entry, **game, walk);
      }
    }
  }
}

// A variant of Hypnosia to walk through.
struct Variant {
  std::string board;  // a board file, or empty for the built-in
  std::string stack_bridges;
  int matches;
};

hypnosia::BoardSpec SpecOf(const Variant& variant) {
  return variant.board.empty() ? hypnosia::SpiralBoard() : hypnosia::testing::Spec(variant.board);
}

void CompareWithModel(const Variant& variant, int seats, uint64_t seed) {
  const Entry entry = *Find("hypnosia");
  std::vector<Option> options = {{"stack_bridges", variant.stack_bridges}};
  if (!variant.board.empty()) options.push_back({"board", variant.board});
  const auto game = entry.type->Create(seats, options);
  ASSERT_TRUE(game.ok()) << game.status();
  const hypnosia::naive::Model model(SpecOf(variant), seats, variant.stack_bridges == "true");

  RandomWalk walk;
  walk.seed = seed;
  walk.forfeit_one_in = seed % 3 == 0 ? 40 : 0;
  hypnosia::naive::Position expected;
  char mover = '-';
  walk.before_move = [&](const State& state, const std::vector<Move>& legal, Move move) {
    const auto position = model.Read(state.Position());
    std::vector<std::string> found;
    for (const Move m : legal) found.push_back((*game)->MoveText(m));
    const std::set<std::string> wanted = model.LegalMoves(position);
    ASSERT_EQ(found, std::vector<std::string>(wanted.begin(), wanted.end())) << state.Position();
    expected = model.After(position, (*game)->MoveText(move));
    mover = position.mover;
  };
  walk.after_move = [&](const State& state) {
    const auto position = model.Read(state.Position());
    ASSERT_EQ(position.rings, expected.rings) << state.Position();
    for (int seat = 0; seat < seats; ++seat) {
      const char letter = static_cast<char>('a' + seat);
      EXPECT_EQ(model.Score(expected, letter), state.score(Seat(seat)));
    }
    EXPECT_EQ(position.lanes, [&] {
      auto lanes = expected.lanes;
      for (auto it = lanes.begin(); it != lanes.end();) {
        it = it->second.empty() ? lanes.erase(it) : std::next(it);
      }
      return lanes;
    }()) << state.Position();
    EXPECT_EQ(position.centre, expected.centre);
    EXPECT_EQ(position.points, expected.points);
    const std::string reason = model.EndReason(expected);
    if (state.phase() == Phase::kOver) {
      EXPECT_EQ(state.outcome().reason, reason.empty() ? "TURN_LIMIT" : reason.c_str());
    } else {
      EXPECT_EQ(position.mover, model.NextMover(expected, mover)) << state.Position();
    }
  };
  WalkAndCheck(entry, **game, walk);
}

TEST(HypnosiaEngine, AgreesWithTheNaiveModelOnEveryBoardAndVariant) {
  const Variant variants[] = {
      {"", "true", 3},
      {"", "false", 3},
      {hypnosia::testing::kTinyBoard, "true", 12},
      {hypnosia::testing::kTinyBoard, "false", 12},
      {hypnosia::testing::kDeepBoard, "true", 1},
      {hypnosia::testing::kCrowdedBoard, "true", 5},
      {hypnosia::testing::kCrowdedBoard, "false", 5},
  };
  for (const Variant& variant : variants) {
    for (int seats = 2; seats <= 6; ++seats) {
      for (int match = 0; match < variant.matches; ++match) {
        SCOPED_TRACE(variant.board + " stack_bridges=" + variant.stack_bridges);
        CompareWithModel(variant, seats, static_cast<uint64_t>(100 * seats + match));
        if (HasFailure()) return;
      }
    }
  }
}

// A variant of Isaac to walk through.
struct IsaacVariant {
  IsaacVariant(const std::string& advance, const std::string& starter)
      : model(advance == "EXACT", starter == "FIRST_TO_PASS"),
        game(*Find("isaac")->type->Create(
            2, {{"counter_advance", advance}, {"scoring_starter", starter}})),
        name(advance + " " + starter),
        exact(advance == "EXACT") {}

  const isaac::naive::Model model;
  const absl::StatusOr<std::shared_ptr<const Game>> game;
  const std::string name;
  const bool exact;
};

std::vector<std::string> Texts(const Game& game, const std::vector<Move>& moves) {
  std::vector<std::string> texts;
  for (const Move move : moves) texts.push_back(game.MoveText(move));
  return texts;
}

std::vector<std::string> Sorted(const std::set<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

void ExpectResult(const IsaacVariant& variant, const isaac::naive::Position& position,
                  const State& state) {
  ASSERT_EQ(state.Position(), variant.model.Write(position));
  if (state.phase() != Phase::kOver) return;
  const auto [reason, winner] = variant.model.Result(position);
  EXPECT_EQ(std::string(state.outcome().reason), reason);
  EXPECT_EQ(state.outcome().ranks[static_cast<size_t>(winner - 'a')], 1);
}

// Compares a position with other scores, and so with the counters on other cells, and all the
// positions that its legal moves lead to.
void CompareWithScores(const IsaacVariant& variant, isaac::naive::Position position, int a, int b) {
  position.scores = {{'a', a}, {'b', b}};
  const auto state = (*variant.game)->ParsePosition(variant.model.Write(position));
  ASSERT_TRUE(state.ok()) << state.status();
  std::vector<Move> legal;
  (*state)->LegalMoves(&legal);
  ASSERT_EQ(Texts(**variant.game, legal), Sorted(variant.model.LegalMoves(position)))
      << (*state)->Position();
  for (const Move move : legal) {
    const std::unique_ptr<State> after = (*state)->Clone();
    after->Apply(move);
    ExpectResult(variant, variant.model.After(position, (*variant.game)->MoveText(move)), *after);
  }
}

void CompareWithModel(const IsaacVariant& variant, uint64_t seed) {
  RandomWalk walk;
  walk.seed = seed;
  walk.forfeit_one_in = seed % 4 == 0 ? 60 : 0;
  std::mt19937 random(static_cast<uint32_t>(seed));
  isaac::naive::Position expected;
  walk.before_move = [&](const State& state, const std::vector<Move>& legal, Move move) {
    const auto position = variant.model.Read(state.Position());
    EXPECT_EQ(variant.model.Write(position), state.Position());
    ASSERT_EQ(Texts(**variant.game, legal), Sorted(variant.model.LegalMoves(position)))
        << state.Position();
    expected = variant.model.After(position, (*variant.game)->MoveText(move));
    if (position.phase != 'S') return;
    // Counters near the target, and one a little ahead of the other, or on its cell.
    const int a = static_cast<int>(random() % 100), near = 90 + static_cast<int>(random() % 10);
    CompareWithScores(variant, position, near, near - static_cast<int>(random() % 40));
    const int ahead = static_cast<int>(random() % 25) + (variant.exact ? 0 : 1);
    if (a + ahead <= 99) CompareWithScores(variant, position, a, 99 - a - ahead);
  };
  walk.after_move = [&](const State& state) { ExpectResult(variant, expected, state); };
  WalkAndCheck(*Find("isaac"), **variant.game, walk);
}

TEST(IsaacEngine, AgreesWithTheNaiveModelInEveryVariant) {
  for (const char* advance : {"EXACT", "UP_TO"}) {
    for (const char* starter : {"FIRST_PLAYER", "FIRST_TO_PASS"}) {
      const IsaacVariant variant(advance, starter);
      ASSERT_TRUE(variant.game.ok()) << variant.game.status();
      SCOPED_TRACE(variant.name);
      for (uint64_t seed = 0; seed < 10 && !HasFailure(); ++seed) CompareWithModel(variant, seed);
    }
  }
}

}  // namespace
}  // namespace referee::games
