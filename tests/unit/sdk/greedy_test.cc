// Tests the sample bot "greedy" against random moves, with the rules and without a referee.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "referee/games/catalogue.h"
#include "sample-bots/greedy/greedy_bot.h"
#include "sample-bots/greedy/isaac_bot.h"

namespace greedy {
namespace {

namespace games = referee::games;
namespace sdk = referee::sdk;
namespace v1 = referee::v1;

class Table {
 public:
  Table(const char* game, int seats, int greedy_seat, std::vector<games::Option> options = {})
      : entry_(games::Find(game).value()),
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
    start.set_seat(static_cast<uint32_t>(greedy_seat_));
    start.mutable_match()->set_game(std::string(entry_.type->name()));
    for (int seat = 0; seat < game_->seats(); ++seat) start.mutable_match()->add_bots("bot");
    entry_.wire->OptionsToWire(*game_, start.mutable_match()->mutable_options());
    return start;
  }

  games::Move Choose(const std::vector<games::Move>& legal) {
    v1::TurnRequest request;
    request.set_seat(static_cast<uint32_t>(greedy_seat_));
    request.set_position_text(state_->Position());
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

int WinsOfAHundred(const char* game) {
  int won = 0;
  for (uint64_t match = 0; match < 100; ++match) {
    Table table(game, 2, static_cast<int>(match % 2));
    table.Play(match);
    won += table.Won() ? 1 : 0;
  }
  return won;
}

TEST(GreedyBot, WinsAtLeastEightyOfAHundredAgainstRandomInHypnosia) {
  const int won = WinsOfAHundred("hypnosia");
  RecordProperty("won", won);
  EXPECT_GE(won, 80);
}

TEST(GreedyBot, WinsAtLeastEightyOfAHundredAgainstRandomInIsaac) {
  const int won = WinsOfAHundred("isaac");
  RecordProperty("won", won);
  EXPECT_GE(won, 80);
}

TEST(GreedyBot, PlaysEveryNumberOfSeatsAndBothVariantsOfHypnosia) {
  for (int seats = 2; seats <= 6; ++seats) {
    for (const char* stack_bridges : {"true", "false"}) {
      Table table("hypnosia", seats, seats - 1, {{"stack_bridges", stack_bridges}});
      table.Play(static_cast<uint64_t>(seats));
    }
  }
}

TEST(GreedyBot, PlaysEveryVariantOfIsaac) {
  for (const char* advance : {"EXACT", "UP_TO"}) {
    for (const char* starter : {"FIRST_PLAYER", "FIRST_TO_PASS"}) {
      Table table("isaac", 2, 1, {{"counter_advance", advance}, {"scoring_starter", starter}});
      table.Play(3);
    }
  }
}

TEST(GreedyBot, PlaysAPinnedMatchTheSameWayAgain) {
  for (const char* game : {"hypnosia", "isaac"}) {
    EXPECT_THAT(Table(game, 2, 1).Play(7), ::testing::ElementsAreArray(Table(game, 2, 1).Play(7)));
  }
}

isaac::Table TableOf(const char* position) {
  const auto game = games::Find("isaac")->type->Create(2, {}).value();
  const auto state = game->ParsePosition(position).value();
  return static_cast<const isaac::IsaacState&>(*state).table();
}

// Of a's pieces the 7 has one other in its row and a's counter at the end of it, a 3 three others
// in its column, the other 3 none in its row.
constexpr char kScoring[] = "a7h01,b3v08,a3v32,b3h60,a3h92 34320,34321 0,40 0,0 - S a a";
constexpr char kFloorOfFour[] = "a7h01,b3v08,a3v32,b3h60,a3h92 34320,34321 0,40 4,0 - S a a";

TEST(GreedyIsaac, CountsTheBestRemovalAsTheRulesScoreIt) {
  EXPECT_EQ(BestRemoval(TableOf(kScoring), 0), 1 * 6 * 2);
}

TEST(GreedyIsaac, CountsWhatLiesBelowTheFloorAsLost) {
  EXPECT_EQ(BelowFloor(TableOf(kScoring), 0), 0);
  EXPECT_EQ(BelowFloor(TableOf(kFloorOfFour), 0), 3 * 1);
}

TEST(GreedyIsaac, LikesOwnLongPiecesInCrowdedLinesAndRoomForMore) {
  const isaac::Table apart = TableOf("a7h00,b3h70 54320,44321 0,0 0,0 - P a a");
  const isaac::Table crossed = TableOf("a7h00,b3v07 54320,44321 0,0 0,0 - P a a");
  EXPECT_GT(PlacementWorth(crossed, 0), PlacementWorth(apart, 0));
  EXPECT_LT(PlacementWorth(crossed, 1), PlacementWorth(apart, 1));
}

}  // namespace
}  // namespace greedy
