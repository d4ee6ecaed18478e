#include "referee/sdk/match.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "referee/games/catalogue.h"
#include "referee/games/hypnosia/board.h"
#include "referee/games/isaac/pieces.h"
#include "referee/sdk/hypnosia.h"
#include "referee/sdk/isaac.h"
#include "referee/sdk/option_values.h"
#include "sdk/cpp/src/backoff.h"

namespace referee::sdk {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Le;

Match MatchInSeat(uint32_t seat, const std::string& commitment) {
  v1::MatchStart start;
  start.set_seat(seat);
  start.mutable_match()->set_commitment(commitment);
  return Match(start, Logger());
}

TEST(SdkTurn, CountsItsTimeFromTheArrivalOfTheRequest) {
  const Match match = MatchInSeat(0, "c");
  v1::TurnRequest request;
  request.mutable_limit()->set_seconds(30);
  request.mutable_limit()->set_nanos(500'000'000);
  const Turn turn(match, request, std::chrono::steady_clock::now() - std::chrono::seconds(10));
  EXPECT_EQ(turn.limit(), absl::Milliseconds(30'500));
  EXPECT_THAT(turn.time_left(), AllOf(Le(absl::Milliseconds(20'500)), Ge(absl::Seconds(1))));
  EXPECT_THAT(turn.deadline(), Le(absl::Now() + absl::Milliseconds(20'500)));
  EXPECT_EQ(turn.bank_left(), absl::nullopt);
}

TEST(SdkTurn, HasNoTimeLeftOnceItsLimitHasPassed) {
  const Match match = MatchInSeat(0, "c");
  v1::TurnRequest request;
  request.mutable_limit()->set_seconds(1);
  const Turn turn(match, request, std::chrono::steady_clock::now() - std::chrono::seconds(10));
  EXPECT_EQ(turn.time_left(), absl::ZeroDuration());
}

TEST(SdkMatch, ChanceDependsOnCommitmentSeatAndTurn) {
  std::set<uint64_t> numbers;
  for (const char* commitment : {"c", "d"}) {
    for (uint32_t seat = 0; seat < 6; ++seat) {
      const Match match = MatchInSeat(seat, commitment);
      EXPECT_EQ(match.Chance(3), MatchInSeat(seat, commitment).Chance(3));
      for (uint32_t turn = 1; turn <= 100; ++turn) numbers.insert(match.Chance(turn));
    }
  }
  EXPECT_EQ(numbers.size(), 2u * 6 * 100);
}

// Else whoever chooses by it plays the same match with the seats changed, so that a block of two
// such bots is level whatever they do.
TEST(SdkMatch, ChanceOfASeatIsAnotherForAnotherBot) {
  std::set<uint64_t> numbers;
  for (const char* name : {"alice", "bob"}) {
    for (uint32_t seat = 0; seat < 2; ++seat) {
      v1::MatchStart start = MatchInSeat(seat, "c").proto();
      start.mutable_match()->add_bots(seat == 0 ? name : "other");
      start.mutable_match()->add_bots(seat == 1 ? name : "other");
      const Match match(start, Logger());
      EXPECT_EQ(match.Chance(3), Match(start, Logger()).Chance(3));
      for (uint32_t turn = 1; turn <= 100; ++turn) numbers.insert(match.Chance(turn));
    }
  }
  EXPECT_EQ(numbers.size(), 2u * 2 * 100);
}

// The SDKs for Python and Node have the same numbers in their tests.
TEST(SdkMatch, ChanceIsThatOfTheOtherSdks) {
  std::string commitment;
  for (char byte = 0; byte < 32; ++byte) commitment.push_back(byte);
  std::vector<uint64_t> chances;
  for (const char* name : {"ann", "bob"}) {
    v1::MatchStart start = MatchInSeat(1, commitment).proto();
    start.mutable_match()->add_bots("other");
    start.mutable_match()->add_bots(name);
    chances.push_back(Match(start, Logger()).Chance(7));
  }
  EXPECT_THAT(chances, ElementsAre(1616034103337092269u, 5017184269829859537u));
}

TEST(SdkMatch, ChanceIsEven) {
  const Match match = MatchInSeat(1, std::string(32, 'x'));
  int counts[10] = {};
  for (uint32_t turn = 1; turn <= 10'000; ++turn) ++counts[match.Chance(turn) % 10];
  for (const int count : counts) EXPECT_THAT(count, AllOf(Ge(850), Le(1150)));
}

TEST(SdkNotation, WritesEveryMoveOfARandomMatchAsTheRulesDo) {
  for (const games::Entry& entry : games::Catalogue()) {
    const auto game = *entry.type->Create(2, {});
    const auto state = game->NewState();
    const dice::Key key = dice::PinnedKey(dice::PinnedSeed(3));
    const auto ignore = [](const games::Chance&, absl::Span<const int>) {};
    std::vector<games::Move> legal;
    Move typed;
    size_t turn = 0;
    for (games::DrawChance(key, state.get(), ignore); state->phase() == games::Phase::kTurn;
         games::DrawChance(key, state.get(), ignore)) {
      state->LegalMoves(&legal);
      for (const games::Move move : legal) {
        entry.wire->MoveToWire(*game, move, &typed);
        ASSERT_EQ(Notation(typed), game->MoveText(move));
      }
      state->Apply(legal[turn++ * 7 % legal.size()]);
    }
    EXPECT_GT(turn, 20u);
  }
}

TEST(SdkNotation, ReadsNoMoveThatIsNone) {
  hypnosia::Move hypnosia;
  for (const char* text : {"", "5", "5:", "5:L2", "5:L2>", "5:L2>I3", "5:Z2>A3", "5:L2>A3 ",
                           "5:L2>A3y", "5:L>A3", "99999999999:L2>A3", "x34h+12"}) {
    EXPECT_FALSE(hypnosia::ParseMove(text, &hypnosia)) << text;
  }
  EXPECT_TRUE(hypnosia::ParseMove("5:L2*>A3xx", &hypnosia));
  EXPECT_EQ(hypnosia::Notation(hypnosia), "5:L2*>A3xx");
  isaac::Move isaac;
  for (const char* text : {"", "7", "7h", "7d33", "h33", "x34", "x34h", "x34h+", "x34h+1234",
                           "7h333", "xh+1", "5:L2>A3"}) {
    EXPECT_FALSE(isaac::ParseMove(text, &isaac)) << text;
  }
  EXPECT_TRUE(isaac::ParseMove("-", &isaac));
  EXPECT_EQ(isaac::Notation(isaac), "-");
}

// An organiser's own game, of which the SDK has no types.
TEST(SdkTurn, ListsTheMovesOfAGameThatItHasNoTypesForAsText) {
  const Match match = MatchInSeat(0, "");
  v1::TurnRequest request;
  request.set_legal_notations("hold\nroll\n");
  const Turn turn(match, request, std::chrono::steady_clock::now());
  ASSERT_EQ(turn.legal_count(), 2);
  EXPECT_EQ(Notation(turn.legal_move(1)), "roll");
  EXPECT_EQ(Notation(turn.legal_moves()[0]), "hold");
}

TEST(SdkMatch, TellsTheOptionsOfAGameThatItHasNoTypesFor) {
  GameOptions options;
  options.mutable_general()->set_game("pig");
  ::referee::v1::GeneralOption* const target = options.mutable_general()->add_options();
  target->set_name("target");
  target->set_value("50");
  const std::vector<OptionValue> values = OptionValues(options);
  ASSERT_EQ(values.size(), 1u);
  EXPECT_EQ(values[0].name, "target");
  EXPECT_EQ(values[0].value, "50");
}

TEST(SdkIsaac, KnowsTheBoardAndThePieces) {
  for (int length = isaac::kMinLength; length <= isaac::kMaxLength; ++length) {
    const auto index = static_cast<size_t>(length - isaac::kMinLength);
    EXPECT_EQ(isaac::ValueOf(length), games::isaac::kValues[index]);
    EXPECT_EQ(isaac::StockOf(length), games::isaac::kStock[index]);
  }
  EXPECT_EQ(isaac::CounterCell(0, 12), 12);
  EXPECT_EQ(isaac::CounterCell(1, 12), 87);
}

TEST(SdkIsaac, TellsWhichPieceCoversACell) {
  const games::Entry entry = *games::Find("isaac");
  const auto game = *entry.type->Create(2, {});
  const auto state = *game->ParsePosition("a7h33,b3v70 54320,44321 0,0 0,0 - P a a");
  Position position;
  entry.wire->PositionToWire(*state, &position);
  const std::vector<int> cover = isaac::Cover(position.isaac());
  ASSERT_EQ(cover.size(), 100u);
  for (int cell = 0; cell < 100; ++cell) {
    const bool in_row = cell >= 33 && cell <= 39;
    const bool in_column = cell == 70 || cell == 80 || cell == 90;
    EXPECT_EQ(cover[static_cast<size_t>(cell)], in_row ? 0 : in_column ? 1 : -1) << cell;
  }
}

TEST(SdkNotation, WritesHypnosiaAsTheRulesDo) {
  Move move;
  EXPECT_EQ(Notation(move), "?");
  move.mutable_hypnosia();
  EXPECT_EQ(Notation(move), "-");
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"(hypnosia {
           steps { die: 3 from { area: 1 index: 5 } stack: true to { area: 1 index: 8 } captured: 2 }
           steps { die: 1 from { area: 3 index: 1 } to { area: 9 } } })",
      &move));
  EXPECT_EQ(Notation(move), "3:A5*>A8xx 1:C1>X");
  EXPECT_EQ(Notation(MoveFromNotation("5:L2>A3")), "5:L2>A3");
  EXPECT_EQ(Notation(MoveFromNotation("M\xfcller")), "M\\xfcller") << "as UTF-8, and no move";
}

TEST(SdkHypnosia, KnowsTheBuiltInBoard) {
  const games::hypnosia::BoardSpec expected = games::hypnosia::SpiralBoard();
  const hypnosia::Board board = hypnosia::BoardOf({}).value();
  EXPECT_EQ(board.name(), expected.name);
  EXPECT_EQ(board.centre_places(), expected.centre_places);
  EXPECT_THAT(board.lane_entries(), ::testing::ElementsAreArray(expected.lane_entries));
  ASSERT_EQ(board.rings_size(), static_cast<int>(expected.rings.size()));
  for (int r = 0; r < board.rings_size(); ++r) {
    EXPECT_EQ(board.rings(r).size(), expected.rings[r].size);
    ASSERT_EQ(board.rings(r).bridges_size(), static_cast<int>(expected.rings[r].bridges.size()));
    for (int b = 0; b < board.rings(r).bridges_size(); ++b) {
      EXPECT_EQ(board.rings(r).bridges(b).from(), expected.rings[r].bridges[b].from);
      EXPECT_EQ(board.rings(r).bridges(b).has_to(), expected.rings[r].bridges[b].to.has_value());
      EXPECT_EQ(board.rings(r).bridges(b).to(), expected.rings[r].bridges[b].to.value_or(0));
    }
  }
}

TEST(SdkHypnosia, ReadsABoardFileAndNamesAFieldThatIsUnknown) {
  hypnosia::Options options;
  options.set_board(R"({"name": "mine", "centre_places": 3})");
  EXPECT_EQ(hypnosia::BoardOf(options).value().centre_places(), 3u);
  options.set_board(R"({"name": "mine", "middle": 3})");
  EXPECT_THAT(std::string(hypnosia::BoardOf(options).status().message()), HasSubstr("middle"));
}

TEST(SdkHypnosia, PutsSeatsOnLanesAsTheRulesDo) {
  EXPECT_EQ(hypnosia::LaneOf(0, 2), 0);
  EXPECT_EQ(hypnosia::LaneOf(1, 2), 3);
  EXPECT_EQ(hypnosia::LaneOf(1, 4), 5);
  EXPECT_EQ(hypnosia::LaneOf(2, 4), 3);
  EXPECT_EQ(hypnosia::LaneOf(3, 4), 2);
}

TEST(SdkBackoff, DoublesUpToALimitWithFullJitter) {
  EXPECT_EQ(FullJitter(0, 0), absl::ZeroDuration());
  const auto longest = [](int attempt) {
    absl::Duration longest;
    for (uint64_t i = 1; i <= 1000; ++i) {
      longest = std::max(longest, FullJitter(attempt, i * 0x9e3779b97f4a7c15));
    }
    return longest;
  };
  EXPECT_THAT(longest(0), AllOf(Le(absl::Milliseconds(20)), Ge(absl::Milliseconds(19))));
  EXPECT_THAT(longest(3), AllOf(Le(absl::Milliseconds(160)), Ge(absl::Milliseconds(152))));
  EXPECT_THAT(longest(1000), AllOf(Le(kMaxBackoff), Ge(kMaxBackoff * 0.95)));
}

}  // namespace
}  // namespace referee::sdk
