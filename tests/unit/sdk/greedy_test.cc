// Plays the sample bot against random moves with the rules in this process, without a referee.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "referee/games/catalogue.h"
#include "sample-bots/greedy/greedy_bot.h"

namespace greedy {
namespace {

namespace games = referee::games;
namespace sdk = referee::sdk;
namespace v1 = referee::v1;

class Table {
 public:
  Table(int seats, int greedy_seat, std::vector<games::Option> options = {})
      : entry_(games::Find("hypnosia").value()),
        game_(entry_.type->Create(seats, options).value()),
        greedy_seat_(greedy_seat),
        match_(Start(), sdk::Logger()),
        bot_(GreedyBots().ForMatch(match_)) {}

  // Plays a match with pinned dice, all other seats at random. Returns its moves.
  std::vector<games::Move> Play(uint64_t number) {
    const auto key = referee::dice::PinnedKey(referee::dice::PinnedSeed(number));
    const auto no_one = [](const games::Chance&, absl::Span<const int>) {};
    std::mt19937_64 random(number);
    std::vector<games::Move> played;
    std::vector<games::Move> legal;
    state_ = game_->NewState();
    games::DrawChance(key, state_.get(), no_one);
    while (state_->phase() == games::Phase::kTurn) {
      state_->LegalMoves(&legal);
      games::Move move = legal[random() % legal.size()];
      if (state_->seat_to_move().index() == greedy_seat_ && !move.is_pass()) move = Choose(legal);
      played.push_back(move);
      state_->Apply(move);
      games::DrawChance(key, state_.get(), no_one);
    }
    return played;
  }
  // Whether the greedy seat came first in the match just played.
  bool Won() const { return state_->outcome().ranks[greedy_seat_] == 1; }

 private:
  v1::MatchStart Start() const {
    v1::MatchStart start;
    start.set_seat(greedy_seat_);
    entry_.wire->OptionsToWire(*game_, start.mutable_match()->mutable_options());
    return start;
  }

  games::Move Choose(const std::vector<games::Move>& legal) {
    v1::TurnRequest request;
    request.set_seat(greedy_seat_);
    entry_.wire->PositionToWire(*state_, request.mutable_position());
    for (const games::Move move : legal) {
      entry_.wire->MoveToWire(*game_, move, request.add_legal_moves());
    }
    const sdk::Turn turn(match_, request, std::chrono::steady_clock::now());
    const v1::Move move = bot_->ChooseTurn(turn);
    return state_->Resolve(entry_.wire->MoveFromWire(*game_, move).value(), legal).value();
  }

  const games::Entry entry_;
  const std::shared_ptr<const games::Game> game_;
  const int greedy_seat_;
  const sdk::Match match_;
  const std::unique_ptr<sdk::Bot> bot_;
  std::unique_ptr<games::State> state_;
};

TEST(GreedyBot, WinsAtLeastEightyOfAHundredAgainstRandom) {
  int won = 0;
  for (uint64_t match = 0; match < 100; ++match) {
    Table table(2, static_cast<int>(match % 2));
    table.Play(match);
    won += table.Won();
  }
  RecordProperty("won", won);
  EXPECT_GE(won, 80);
}

TEST(GreedyBot, PlaysEveryNumberOfSeatsAndBothVariants) {
  for (int seats = 2; seats <= 6; ++seats) {
    for (const char* stack_bridges : {"true", "false"}) {
      Table table(seats, seats - 1, {{"stack_bridges", stack_bridges}});
      table.Play(seats);
    }
  }
}

TEST(GreedyBot, PlaysAPinnedMatchTheSameWayAgain) {
  EXPECT_THAT(Table(3, 1).Play(7), ::testing::ElementsAreArray(Table(3, 1).Play(7)));
}

}  // namespace
}  // namespace greedy
