// Tests of the C interface to the rules (sdk/c).
//
// The tests of the Python SDK call it with every conformance vector; they show that the rules are
// the same.
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee_rules.h"

extern "C" int referee_test_c_header(void);

namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

// A seat a that can play 5:L2>A3 4:A3>B3, among others.
constexpr char kPosition[] = "36/24/12 1111,1111 - 0,0 - a 54";

using Game = std::unique_ptr<referee_game, decltype(&referee_game_free)>;
using State = std::unique_ptr<referee_state, decltype(&referee_state_free)>;

Game NewGame(const char* name = "hypnosia", int32_t seats = 2,
             const char* const* options = nullptr) {
  return Game(referee_game_new(name, seats, options), &referee_game_free);
}

State NewState(const Game& game, const char* position = kPosition) {
  return State(referee_state_new(game.get(), position), &referee_state_free);
}

std::string PositionOf(const State& state) {
  char text[1024];
  referee_state_position(state.get(), text, sizeof(text));
  return text;
}

std::vector<uint64_t> MovesOf(const State& state) {
  std::vector<uint64_t> moves(4096);
  moves.resize(static_cast<size_t>(referee_state_moves(state.get(), moves.data(), 4096)));
  return moves;
}

TEST(RulesInC, HeaderAndLibraryAgree) { EXPECT_EQ(referee_test_c_header(), 1); }

TEST(RulesInC, AGameThatIsNotKnownIsRefusedWithAReason) {
  EXPECT_EQ(referee_game_new("chess", 2, nullptr), nullptr);
  EXPECT_THAT(referee_rules_error(), HasSubstr("chess"));
  EXPECT_EQ(referee_game_new("isaac", -3, nullptr), nullptr);
  const char* const unknown[] = {"colour", "red", nullptr};
  EXPECT_EQ(referee_game_new("isaac", 2, unknown), nullptr);
  EXPECT_THAT(referee_rules_error(), HasSubstr("colour"));
  const char* const half[] = {"turn_limit", nullptr};
  EXPECT_EQ(referee_game_new("hypnosia", 2, half), nullptr);
}

TEST(RulesInC, OptionsAreTaken) {
  const char* const options[] = {"turn_limit", "1", nullptr};
  const Game game = NewGame("hypnosia", 2, options);
  const State state = NewState(game);
  EXPECT_EQ(referee_state_play(state.get(), MovesOf(state)[0]), REFEREE_OVER);
  char reason[32];
  EXPECT_EQ(referee_state_reason(state.get(), reason, sizeof(reason)), 10);
  EXPECT_STREQ(reason, "TURN_LIMIT");
}

TEST(RulesInC, APositionThatIsNoneIsRefusedWithItsByte) {
  const Game game = NewGame();
  EXPECT_EQ(referee_state_new(game.get(), "36/24/12 1111"), nullptr);
  EXPECT_THAT(referee_rules_error(), HasSubstr("byte 13"));
}

TEST(RulesInC, AMoveThatIsNotLegalChangesNothing) {
  const Game game = NewGame();
  const State state = NewState(game);
  EXPECT_EQ(referee_state_play(state.get(), 0), -1);
  EXPECT_EQ(referee_state_play(state.get(), UINT64_MAX), -1);
  EXPECT_THAT(referee_rules_error(), HasSubstr("legal moves"));
  uint64_t move = 0;
  EXPECT_EQ(referee_state_find(state.get(), "6:L1>A5", &move), -1);
  EXPECT_THAT(referee_rules_error(), HasSubstr("no die shows 6"));
  EXPECT_EQ(referee_state_find(state.get(), "nonsense", &move), -1);
  EXPECT_EQ(PositionOf(state), kPosition);
}

TEST(RulesInC, AMatchGoesThroughItsPhases) {
  const Game game = NewGame();
  const State state = NewState(game, nullptr);
  char label[32];
  ASSERT_EQ(referee_state_label(state.get(), label, sizeof(label)), 9);
  EXPECT_STREQ(label, "setup/0/0");
  EXPECT_EQ(referee_state_moves(state.get(), nullptr, 0), -1);
  EXPECT_EQ(referee_state_position(state.get(), nullptr, 0), -1);
  const int32_t draws[][2] = {{5, 5}, {0, 1}, {3, 2}};
  EXPECT_EQ(referee_state_draw(state.get(), draws[0], 2), REFEREE_CHANCE);
  EXPECT_EQ(referee_state_draw(state.get(), draws[1], 2), REFEREE_CHANCE);
  referee_info info;
  EXPECT_EQ(referee_state_info(state.get(), &info), REFEREE_CHANCE);
  EXPECT_EQ(info.sides, 6);
  EXPECT_EQ(info.numbers, 2);
  EXPECT_EQ(referee_state_draw(state.get(), draws[2], 2), REFEREE_TURN);
  referee_state_info(state.get(), &info);
  EXPECT_EQ(info.seat, 0);
  EXPECT_EQ(info.first, 0);
  EXPECT_THAT(info.dice, ElementsAre(4, 3));
  EXPECT_EQ(referee_state_forfeit(state.get(), 0), REFEREE_OVER);
  referee_state_info(state.get(), &info);
  EXPECT_EQ(info.seat, -1);
  EXPECT_EQ(info.ranks[0], 2);
  EXPECT_EQ(info.ranks[1], 1);
}

TEST(RulesInC, ADrawOutOfItsRangeIsRefused) {
  const Game game = NewGame();
  const State state = NewState(game, nullptr);
  const int32_t six[] = {0, 6};
  const int32_t less[] = {-1, 0};
  const int32_t good[] = {0, 0, 0};
  for (const auto& [numbers, count] :
       {std::pair(six, 2), {less, 2}, {good, 1}, {good, 3}, {good, -1}}) {
    EXPECT_EQ(referee_state_draw(state.get(), numbers, count), -1);
    EXPECT_THAT(referee_rules_error(), HasSubstr("2 numbers from 0 to 5"));
  }
}

TEST(RulesInC, DiceAndForfeitsThatCannotBeAreRefused) {
  const Game game = NewGame();
  const State state = NewState(game);
  const int32_t dice[] = {7, 1};
  EXPECT_EQ(referee_state_set_dice(state.get(), dice, 2), -1);
  EXPECT_EQ(referee_state_set_dice(state.get(), dice, -1), -1);
  EXPECT_EQ(referee_state_set_dice(state.get(), dice, 2147483647), -1);  // two are read at most
  EXPECT_EQ(referee_state_forfeit(state.get(), 2), -1);
  EXPECT_EQ(referee_state_forfeit(state.get(), -1), -1);
  EXPECT_EQ(PositionOf(state), kPosition);
  const int32_t good[] = {1, 1};
  EXPECT_EQ(referee_state_set_dice(state.get(), good, 2), REFEREE_TURN);
  EXPECT_EQ(PositionOf(state), "36/24/12 1111,1111 - 0,0 - a 11");
}

TEST(RulesInC, WhatWasListedBeforeADieWasChangedIsNotPlayed) {
  const Game game = NewGame();
  const State state = NewState(game);
  const std::vector<uint64_t> before = MovesOf(state);
  const int32_t dice[] = {1, 1};
  referee_state_set_dice(state.get(), dice, 2);
  EXPECT_EQ(referee_state_play(state.get(), before[0]), -1);
}

TEST(RulesInC, ATextThatDoesNotFitIsCutOff) {
  const Game game = NewGame();
  const State state = NewState(game);
  char text[9] = "--------";
  EXPECT_EQ(referee_state_position(state.get(), text, 6), sizeof(kPosition) - 1);
  EXPECT_EQ(std::string(text, 9), std::string("36/24\0--", 9));
  EXPECT_EQ(referee_state_position(state.get(), nullptr, 0), sizeof(kPosition) - 1);
}

TEST(RulesInC, MovesAreListedAsFarAsThereIsRoom) {
  const Game game = NewGame();
  const State state = NewState(game);
  const std::vector<uint64_t> all = MovesOf(state);
  uint64_t few[3] = {};
  EXPECT_EQ(referee_state_moves(state.get(), few, 2), static_cast<int64_t>(all.size()));
  EXPECT_THAT(few, ElementsAre(all[0], all[1], 0));
  char texts[64];
  referee_move_texts(game.get(), all.data(), 1, texts, sizeof(texts));
  uint64_t found = 0;
  EXPECT_EQ(referee_state_find(state.get(), std::string(texts, strlen(texts) - 1).c_str(), &found),
            0);
  EXPECT_EQ(found, all[0]);
}

TEST(RulesInC, AStateOutlivesItsGameAndAClone) {
  Game game = NewGame();
  const State state = NewState(game);
  State clone(referee_state_clone(state.get()), &referee_state_free);
  game.reset();
  EXPECT_GE(referee_state_play(clone.get(), MovesOf(clone)[0]), 0);
  clone.reset();
  EXPECT_EQ(PositionOf(state), kPosition);
  referee_game_free(nullptr);
  referee_state_free(nullptr);
}

TEST(RulesInC, PlayoutsFollowFromTheirSeed) {
  const Game game = NewGame("hypnosia", 3);
  const State state = NewState(game, nullptr);
  std::vector<int32_t> ranks(30), scores(30), again(30);
  const int64_t moves = referee_state_playouts(state.get(), 10, 7, ranks.data(), scores.data());
  EXPECT_GT(moves, 10 * 20);
  EXPECT_EQ(referee_state_playouts(state.get(), 10, 7, again.data(), nullptr), moves);
  EXPECT_EQ(again, ranks);
  EXPECT_THAT(ranks, Each(testing::AllOf(testing::Ge(1), testing::Le(3))));
  // Each is the first of a seed of its own.
  std::vector<int32_t> one(3);
  referee_state_playouts(state.get(), 1, 7 + 9, nullptr, one.data());
  EXPECT_THAT(one, testing::ElementsAreArray(scores.end() - 3, scores.end()));
  EXPECT_EQ(referee_state_playouts(state.get(), 0, 7, nullptr, nullptr), 0);
  EXPECT_EQ(referee_state_playouts(state.get(), -5, 7, nullptr, nullptr), 0);
}

}  // namespace
