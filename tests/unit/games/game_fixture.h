// Helpers for tests of any game: positions and moves as text, results as text.
#ifndef REFEREE_TESTS_UNIT_GAMES_GAME_FIXTURE_H_
#define REFEREE_TESTS_UNIT_GAMES_GAME_FIXTURE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/games/catalogue.h"

namespace referee::games {

class GameTest : public ::testing::Test {
 protected:
  using Texts = std::vector<std::string>;

  explicit GameTest(absl::string_view name) : entry_(*Find(name)) { Use(2); }

  const GameType& Type() const { return *entry_.type; }
  const Wire& Conversion() const { return *entry_.wire; }

  // Makes the game with these seats and options for the rest of the test.
  void Use(int seats, const std::vector<Option>& options = {}) {
    const auto game = Type().Create(seats, options);
    ASSERT_TRUE(game.ok()) << game.status();
    game_ = *game;
  }

  std::unique_ptr<State> At(absl::string_view position) const {
    auto state = game_->ParsePosition(position);
    EXPECT_TRUE(state.ok()) << state.status();
    return state.ok() ? *std::move(state) : game_->NewState();
  }

  static std::vector<Move> LegalOf(const State& state) {
    std::vector<Move> legal;
    state.LegalMoves(&legal);
    return legal;
  }

  Texts Legal(absl::string_view position) const {
    Texts texts;
    for (const Move move : LegalOf(*At(position))) texts.push_back(game_->MoveText(move));
    return texts;
  }

  // Plays a legal move. The roll of the next seat is still due.
  void Play(State* state, absl::string_view move) const {
    const auto claimed = game_->ParseMove(move);
    ASSERT_TRUE(claimed.ok()) << claimed.status();
    const auto resolved = state->Resolve(*claimed, LegalOf(*state));
    ASSERT_TRUE(resolved.ok()) << resolved.status();
    state->Apply(*resolved);
  }

  // The error of Resolve for a move that must be illegal.
  std::string WhyIllegal(absl::string_view position, absl::string_view move) const {
    const auto state = At(position);
    const auto claimed = game_->ParseMove(move);
    EXPECT_TRUE(claimed.ok()) << claimed.status();
    if (!claimed.ok()) return "";
    const auto resolved = state->Resolve(*claimed, LegalOf(*state));
    EXPECT_FALSE(resolved.ok()) << move;
    EXPECT_EQ(resolved.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(resolved.status().message());
  }

  std::string PositionError(absl::string_view position) const {
    const auto state = game_->ParsePosition(position);
    EXPECT_FALSE(state.ok()) << position;
    EXPECT_EQ(state.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(state.status().message());
  }

  std::string CreateError(int seats, const std::vector<Option>& options) const {
    const auto game = Type().Create(seats, options);
    EXPECT_FALSE(game.ok());
    EXPECT_EQ(game.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(game.status().message());
  }

  const Entry entry_;
  std::shared_ptr<const Game> game_;
};

}  // namespace referee::games

#endif  // REFEREE_TESTS_UNIT_GAMES_GAME_FIXTURE_H_
