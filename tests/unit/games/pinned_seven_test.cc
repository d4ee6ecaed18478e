// Tests the published example: a two-seat match with the dice pinned to 7.
//
// The expected values were not made with this code.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/dice/dice.h"
#include "referee/games/catalogue.h"

namespace referee::games {
namespace {

using ::testing::ElementsAre;

class PinnedSeven : public ::testing::Test {
 protected:
  void SetUp() override {
    auto entry = Find("hypnosia");
    ASSERT_TRUE(entry.ok());
    auto game = entry->type->Create(2, {});
    ASSERT_TRUE(game.ok());
    game_ = *game;
    state_ = game_->NewState();
    Draw();
  }

  void Draw() {
    DrawChance(key_, state_.get(), [this](const Chance& chance, absl::Span<const int> outcome) {
      if (chance.kind != Chance::Kind::kSetupRoll) return;
      std::string roll;
      for (const int number : outcome) roll.push_back(static_cast<char>('1' + number));
      setup_.push_back(std::to_string(chance.index) + chance.seat.letter() + roll);
    });
  }

  // Plays a move, draws the next dice, and returns the digest.
  std::string Play(const std::string& text, size_t legal_count) {
    std::vector<Move> legal;
    state_->LegalMoves(&legal);
    EXPECT_EQ(legal.size(), legal_count);
    const auto claimed = game_->ParseMove(text);
    EXPECT_TRUE(claimed.ok()) << claimed.status();
    const auto move = state_->Resolve(*claimed, legal);
    EXPECT_TRUE(move.ok()) << move.status();
    state_->Apply(*move);
    Draw();
    return dice::DigestText(dice::Digest(state_->Position()));
  }

  const dice::Key key_ = dice::PinnedKey(dice::PinnedSeed(7));
  std::shared_ptr<const Game> game_;
  std::unique_ptr<State> state_;
  std::vector<std::string> setup_;
};

TEST_F(PinnedSeven, TiedSeatsRollAgainUntilOneIsHighest) {
  EXPECT_THAT(setup_, ElementsAre("0a33", "0b51", "1a13", "1b52"));
  EXPECT_EQ(state_->first_seat(), Seat(1));
  EXPECT_EQ(state_->seat_to_move(), Seat(1));
}

TEST_F(PinnedSeven, FirstTurnsHaveThePublishedDiceCountsAndDigests) {
  EXPECT_THAT(state_->roll(), ElementsAre(1, 1));
  EXPECT_EQ(Play("1:L1>A18 1:A18>A19", 1), "3cdb328d8f04127f");
  EXPECT_EQ(state_->seat_to_move(), Seat(0));
  EXPECT_THAT(state_->roll(), ElementsAre(1, 5));
  EXPECT_EQ(Play("1:L1>A0 5:A0>A5", 12), "6ade900c5b0d3473");
  EXPECT_THAT(state_->roll(), ElementsAre(3, 6));
  EXPECT_EQ(Play("3:L2>A19 6:L3>A21", 26), "411185d5fb1a8886");
}

}  // namespace
}  // namespace referee::games
