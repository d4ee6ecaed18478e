#include <algorithm>
#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/conformance/rerun.h"
#include "referee/ctl/rules/selfplay.h"
#include "referee/games/catalogue.h"

namespace referee::conformance {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class RecordedTurnsTest : public ::testing::Test {
 protected:
  static replay::Replay Played(const char* game, int seats) {
    return ctl::Selfplay(games::Find(game)->type->Create(seats, {}).value(), /*pinned_number=*/4);
  }
  RerunTerms terms_;
};

TEST_F(RecordedTurnsTest, AreThoseOfASeatThatHadAChoiceOrAMove) {
  const replay::Replay replay = Played("hypnosia", 3);
  terms_.seat = Seat(1);
  const auto turns = RecordedTurns(replay, terms_);
  ASSERT_TRUE(turns.ok()) << turns.status();
  EXPECT_THAT(*turns, Not(IsEmpty()));
  for (const RecordedTurn& turn : *turns) {
    EXPECT_EQ(turn.asked.seat(), Seat(1));
    EXPECT_EQ(turn.match_id, replay.setup.id.text());
    std::vector<games::Move> legal;
    turn.asked.state->LegalMoves(&legal);
    EXPECT_TRUE(std::binary_search(legal.begin(), legal.end(), turn.played));
    EXPECT_FALSE(legal.size() == 1 && legal[0].is_pass());
  }
}

TEST_F(RecordedTurnsTest, HaveTheTimeThatWasLeftUnlessToldOtherwise) {
  replay::Replay replay = Played("isaac", 2);
  replay.setup.time_control.bank = absl::Milliseconds(200);
  for (match::Record& record : replay.records) {
    if (auto* played = std::get_if<match::Played>(&record)) played->bank_left = absl::Seconds(1);
  }
  terms_.seat = Seat(0);
  const auto turns = RecordedTurns(replay, terms_).value();
  EXPECT_EQ(turns[0].asked.limit, absl::Milliseconds(200));
  EXPECT_EQ(turns[0].asked.bank_left, absl::Milliseconds(200));
  EXPECT_EQ(turns[1].asked.limit, absl::Milliseconds(500));
  EXPECT_EQ(turns[1].asked.bank_left, absl::Seconds(1));
  terms_.limit = absl::Seconds(9);
  EXPECT_EQ(RecordedTurns(replay, terms_).value()[0].asked.limit, absl::Seconds(9));
}

TEST_F(RecordedTurnsTest, MayBeOneTurnOrThoseOfAName) {
  const replay::Replay replay = Played("isaac", 2);
  terms_.bot = replay.setup.bots[1];
  const auto all = RecordedTurns(replay, terms_).value();
  terms_.turn = all[2].asked.turn;
  EXPECT_THAT(RecordedTurns(replay, terms_).value(), SizeIs(1));
  terms_.turn = 100'000;
  EXPECT_THAT(std::string(RecordedTurns(replay, terms_).status().message()),
              HasSubstr("turn 100000 was not played by it"));
  terms_.bot = "nobody";
  EXPECT_TRUE(absl::IsNotFound(RecordedTurns(replay, terms_).status()));
}

// Of two dice for two pawns, the order makes two moves and one position.
TEST_F(RecordedTurnsTest, MovesToOnePositionAreTheSame) {
  const replay::Replay replay = Played("hypnosia", 2);
  terms_.seat = Seat(0);
  size_t moves = 0;
  size_t positions = 0;
  const auto turns = RecordedTurns(replay, terms_).value();
  for (const RecordedTurn& turn : turns) {
    std::vector<games::Move> legal;
    turn.asked.state->LegalMoves(&legal);
    std::vector<games::Move> different;
    for (const games::Move move : legal) {
      const bool known = std::any_of(different.begin(), different.end(), [&](games::Move other) {
        return LeadToTheSame(*turn.asked.state, move, other);
      });
      if (!known) different.push_back(move);
    }
    moves += legal.size();
    positions += different.size();
  }
  EXPECT_LT(positions, moves);
  EXPECT_GT(positions, moves / 4);
}

}  // namespace
}  // namespace referee::conformance
