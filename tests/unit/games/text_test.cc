// Tests of Hypnosia's notation, position strings, options and drawings.
#include <algorithm>
#include <random>
#include <sstream>

#include "referee/base/limits.h"
#include "referee/dice/dice.h"
#include "referee/games/hypnosia/notation.h"
#include "tests/unit/games/boards.h"
#include "tests/unit/games/hypnosia_fixture.h"

namespace referee::games::hypnosia {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

using HypnosiaNotation = HypnosiaTest;
using HypnosiaPosition = HypnosiaTest;
using HypnosiaOptions = HypnosiaTest;
using HypnosiaDrawing = HypnosiaTest;

std::string TextOf(Move move) {
  std::string text;
  AppendMoveText(move, &text);
  return text;
}

Step RandomStep(std::mt19937* random) {
  const auto below = [random](int n) { return static_cast<int>((*random)() % n); };
  // Few places, many of them neighbours in ASCII order.
  const auto ring = [&] {
    static constexpr int kIndices[] = {0, 1, 2, 9, 10, 11, 19, 20, 99 - 1};
    return Place::Ring(below(2) * 7, kIndices[below(9)]);
  };
  Step step;
  step.die = 1 + below(6);
  step.from = below(4) == 0 ? Place::Lane(1 + below(4)) : ring();
  step.stack = below(2) == 0;
  step.to = below(5) == 0 ? Place::Centre() : ring();
  step.captured = below(3);
  return step;
}

TEST_F(HypnosiaNotation, NumbersOfMovesSortAsTheirTexts) {
  std::mt19937 random(3);
  for (int i = 0; i < 100'000; ++i) {
    Steps steps[2];
    for (Steps& s : steps) {
      s.count = 1 + static_cast<int>(random() % 2);
      for (int k = 0; k < s.count; ++k) s.step[k] = RandomStep(&random);
    }
    // Often two moves that differ late.
    if (random() % 2 == 0) steps[1].step[0] = steps[0].step[0];
    if (random() % 4 == 0) steps[1].step[0].captured = 0;
    const Move a = EncodeMove(steps[0]), b = EncodeMove(steps[1]);
    ASSERT_EQ(a < b, TextOf(a) < TextOf(b)) << TextOf(a) << " and " << TextOf(b);
  }
}

TEST_F(HypnosiaNotation, MovesSurviveNumbersAndTexts) {
  std::mt19937 random(4);
  for (int i = 0; i < 20'000; ++i) {
    Steps steps;
    steps.count = 1 + i % 2;
    for (int k = 0; k < steps.count; ++k) steps.step[k] = RandomStep(&random);
    const Move move = EncodeMove(steps);
    const Steps decoded = DecodeMove(move);
    ASSERT_EQ(decoded.count, steps.count);
    for (int k = 0; k < steps.count; ++k) ASSERT_EQ(decoded.step[k], steps.step[k]) << TextOf(move);
    const auto parsed = ParseMoveText(TextOf(move));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    ASSERT_EQ(*parsed, move);
  }
}

TEST_F(HypnosiaNotation, ExamplesAreWrittenAsInTheRules) {
  for (const char* text : {"5:L2>A3", "4:A3>B3", "1:C1*>X", "3:A5*>A8xx", "1:L1>A18 1:A18>A19", "-",
                           "6:A9>A15x 1:C1>X"}) {
    const auto move = game_->ParseMove(text);
    ASSERT_TRUE(move.ok()) << move.status();
    EXPECT_EQ(game_->MoveText(*move), text);
  }
}

TEST_F(HypnosiaNotation, ErrorsNameTheByte) {
  const auto error = [this](absl::string_view text) {
    const auto move = game_->ParseMove(text);
    EXPECT_FALSE(move.ok()) << text;
    return std::string(move.status().message());
  };
  EXPECT_THAT(error(""), HasSubstr("byte 0: expected a die"));
  EXPECT_THAT(error("7:L1>A0"), HasSubstr("byte 0: expected a die"));
  EXPECT_THAT(error("5L1>A0"), HasSubstr("byte 1: expected ':'"));
  EXPECT_THAT(error("5:Q1>A0"), HasSubstr("byte 2: expected a space"));
  EXPECT_THAT(error("5:L5>A0"), HasSubstr("byte 3: expected a lane space"));
  EXPECT_THAT(error("5:A>A0"), HasSubstr("byte 3: expected the number"));
  EXPECT_THAT(error("5:A05>A7"), HasSubstr("byte 3: expected the number of a space without"));
  EXPECT_THAT(error("5:L2A3"), HasSubstr("byte 4: expected '>' or '*>'"));
  EXPECT_THAT(error("5:A2*A3"), HasSubstr("byte 5: expected '>'"));
  EXPECT_THAT(error("5:L2>A3xxx"), HasSubstr("byte 9: expected"));
  EXPECT_THAT(error("5:L2>A3 "), HasSubstr("byte 8: expected a die"));
  EXPECT_THAT(error("5:L2>A3  4:L1>A3"), HasSubstr("byte 8: expected a die"));
  EXPECT_THAT(error("5:L2>A3 4:L1>A3 1:A3>A4"), HasSubstr("byte 15: expected the end"));
  EXPECT_THAT(error("--"), HasSubstr("byte 0"));
  EXPECT_THAT(error(std::string(1000, 'x')), HasSubstr("at most 256 bytes"));
  EXPECT_THAT(error("5:A36>A1"), HasSubstr("step 1: the board has no space A36"));
  EXPECT_THAT(error("5:A1>A6 4:A6>D0"), HasSubstr("step 2: the board has no space D0"));
}

TEST_F(HypnosiaPosition, StringsComeBackAsTheyWere) {
  for (const char* text :
       {"36/24/12 1111,1111 - 0,0 - b 54", "a34B/2b21/11A 0000,0000 b 3,-3 - a 66",
        "36/24/12 0000,0000 aabbb 0,0 - - -", "36/24/12 1111,0000 - 0,0 b - -",
        "36/24/12 1111,1111 - 0,0 - - -", "3a28B3/2b21/12 0110,0000 b -1,1 - a 16"}) {
    EXPECT_EQ(At(text)->Position(), text);
  }
}

TEST_F(HypnosiaPosition, GameThatIsOverWithoutACauseOnTheBoardMetItsTurnLimit) {
  EXPECT_EQ(At("36/24/12 1111,1111 - 0,0 - - -")->outcome().reason, "TURN_LIMIT");
}

TEST_F(HypnosiaPosition, ErrorsNameFieldAndByte) {
  const auto expect = [this](absl::string_view text, absl::string_view where,
                             absl::string_view why) {
    const std::string error = PositionError(text);
    EXPECT_THAT(error, StartsWith("position: " + std::string(where)));
    EXPECT_THAT(error, HasSubstr(std::string(why)));
  };
  expect("", "rings (byte 0)", "ring A has 36 spaces, not 0");
  expect("35/24/12 1111,1111 - 0,0 - b 54", "rings (byte 2)", "ring A has 36 spaces, not 35");
  expect("37/24/12 1111,1111 - 0,0 - b 54", "rings (byte 2)", "36 spaces, not more");
  expect("36a/24/12 1111,1111 - 0,0 - b 54", "rings (byte 2)", "36 spaces");
  expect("99999999999/24/12 1111,1111 - 0,0 - b 54", "rings (byte 0)", "at most 99");
  expect("036/24/12 1111,1111 - 0,0 - b 54", "rings (byte 0)", "does not begin with 0");
  expect("36/24 1111,1111 - 0,0 - b 54", "rings (byte 5)", "the board has 3 rings");
  expect("36/24/12/9 1111,1111 - 0,0 - b 54", "rings (byte 8)", "ends before '/9'");
  expect("35c/24/12 1111,1111 - 0,0 - b 54", "rings (byte 2)", "a to b");
  expect("35?/24/12 1111,1111 - 0,0 - b 54", "rings (byte 2)", "a seat's letter");
  expect("35A/24/12 1110,1111 - 0,0 - b 54", "lanes (byte 12)", "seat a has more than 4 pawns");
  expect("AAA33/24/12 0000,1111 - 0,0 - b 54", "rings (byte 2)", "more than 4 pawns");
  expect("36/24/12 1111,111 - 0,0 - b 54", "lanes (byte 17)", "four digits");
  expect("36/24/12 1111 - 0,0 - b 54", "lanes (byte 13)", "the lane of seat b");
  expect("36/24/12 1112,1111 - 0,0 - b 54", "lanes (byte 12)", "each 0 or 1");
  expect("36/24/12 1111,1111,1111 - 0,0 - b 54", "lanes (byte 18)", "ends before ',1111'");
  expect("36/24/12 1110,1111 c 0,0 - b 54", "centre (byte 19)", "a to b");
  expect("36/24/12 1111,1111 a 0,0 - b 54", "centre (byte 19)", "more than 4 pawns");
  expect("36/24/12 1000,1100 aaabba 0,0 - b 54", "centre (byte 24)", "the centre holds 5");
  expect("36/24/12 1111,1111  0,0 - b 54", "centre (byte 19)", "or '-'");
  expect("36/24/12 1111,1111 - 0 - b 54", "points (byte 22)", "the points of seat b");
  expect("36/24/12 1111,1111 - 0,x - b 54", "points (byte 23)", "'x' is not a number");
  expect("36/24/12 1111,1111 - 5,0 - b 54", "points (byte 21)", "-4 to 4");
  expect("36/24/12 1111,1111 - +1,0 - b 54", "points (byte 21)", "'+1'");
  expect("36/24/12 1111,1111 - -0,0 - b 54", "points (byte 21)", "'-0'");
  expect("36/24/12 1111,1111 - 0,0 a b 54", "forfeits (byte 25)", "has no pawns to move");
  expect("36/24/12 0000,0000 - 0,0 ab - -", "forfeits (byte 26)", "one seat is always left");
  expect("36/24/12 1111,1111 - 0,0 - c 54", "turn (byte 27)",
         "a to b, or '-' for a game over; the field is 'c'");
  expect("36/24/12 0000,1111 - 0,0 - a 54", "turn (byte 27)", "no pawn to move");
  expect("36/24/12 1000,1100 aaabb 0,0 - b 54", "turn (byte 31)", "the centre is full");
  expect("36/24/12 0000,1111 - 0,0 a b 54", "turn (byte 27)", "one seat is left");
  expect("36/24/12 1111,1111 - 0,0 - b 70", "dice (byte 29)", "two dice");
  expect("36/24/12 1111,1111 - 0,0 - b 5", "dice (byte 30)", "1 to 6 each; the field is '5'");
  expect("36/24/12 1111,1111 - 0,0 - b 543", "dice (byte 31)", "ends before '3'");
  expect("36/24/12 1111,1111 - 0,0 - b -", "dice (byte 29)", "two dice");
  expect("36/24/12 1111,1111 - 0,0 - - 54", "dice (byte 29)", "the game is over");
  expect("36/24/12 1111,1111 - 0,0 - b", "dice (byte 28)", "missing");
  expect("36/24/12 1111,1111 - 0,0 - b 54 ", "dice (byte 31)", "after 7 fields");
  expect(std::string(100'000, ' '), "length", "at most");
}

TEST_F(HypnosiaPosition, RandomDamageIsRefusedOrReadExactly) {
  std::mt19937 random(5);
  const std::string good = "a34B/2b21/11A 0000,0000 b 3,-3 - a 66";
  static constexpr char kAlphabet[] = "0123456789abcABC/,- ";
  for (int i = 0; i < 50'000; ++i) {
    std::string text = good;
    for (size_t change = 0; change <= random() % 3; ++change) {
      text[random() % text.size()] = kAlphabet[random() % (sizeof(kAlphabet) - 1)];
    }
    const auto state = game_->ParsePosition(text);
    if (!state.ok()) continue;
    ASSERT_EQ((*state)->Position(), text);
    if ((*state)->phase() == Phase::kTurn) LegalOf(**state);
  }
}

TEST_F(HypnosiaOptions, AreSortedWithDefaultsWrittenOut) {
  const std::vector<Option> expected = {
      {"board", "spiral-36-24-12"}, {"stack_bridges", "true"}, {"turn_limit", "500"}};
  EXPECT_EQ(game_->options(), expected);
  EXPECT_EQ(game_->source(), expected);
  Use(6, {{"turn_limit", "7"}, {"stack_bridges", "false"}});
  EXPECT_EQ(game_->options()[1].value, "false");
  EXPECT_EQ(game_->options()[2].value, "7");
}

TEST_F(HypnosiaOptions, CustomBoardIsNamedByItsFile) {
  Use(2, {{"board", testing::kTinyBoard}});
  const std::string sha = dice::DigestText(dice::Digest(testing::kTinyBoard)).substr(0, 8);
  EXPECT_EQ(game_->options()[0].value, "tiny-" + sha);
  EXPECT_EQ(game_->source()[0].value, testing::kTinyBoard);
  const auto again = Type().Create(2, game_->source());
  ASSERT_TRUE(again.ok());
  EXPECT_EQ((*again)->options(), game_->options());
  // Any other byte is another file, though the board may be the same.
  Use(2, {{"board", std::string(testing::kTinyBoard) + "\n"}});
  EXPECT_NE(game_->options()[0].value, "tiny-" + sha);
}

TEST_F(HypnosiaOptions, ErrorsNameTheOption) {
  EXPECT_THAT(CreateError(1, {}), HasSubstr("2 to 6 seats, not by 1"));
  EXPECT_THAT(CreateError(7, {}), HasSubstr("not by 7"));
  EXPECT_THAT(
      CreateError(2, {{"colour", "red"}}),
      HasSubstr("option 'colour': there is no such option; known: board, position, stack_bridges"));
  EXPECT_THAT(CreateError(2, {{"turn_limit", "5"}, {"turn_limit", "5"}}), HasSubstr("given twice"));
  for (const char* bad : {"0", "100001", "-1", "+5", "05", "5 ", "", "x", "99999999999999999999"}) {
    EXPECT_THAT(CreateError(2, {{"turn_limit", bad}}),
                HasSubstr("turn_limit: '" + std::string(bad) + "' is not a number from 1"));
  }
  for (const char* bad : {"True", "1", "", "yes"}) {
    EXPECT_THAT(CreateError(2, {{"stack_bridges", bad}}), HasSubstr("stack_bridges: "));
  }
  EXPECT_THAT(CreateError(2, {{"board", "square"}}),
              HasSubstr("board: 'square' is not a built-in"));
  EXPECT_THAT(CreateError(2, {{"board", ""}}), HasSubstr("board: "));
  EXPECT_THAT(CreateError(2, {{"board", "boards/square"}}), HasSubstr("board: line 1, column"));
  EXPECT_THAT(CreateError(2, {{"board", "name: \"x\""}}),
              HasSubstr("board: line 1, column 2: the file is not JSON"));
  EXPECT_THAT(CreateError(2, {{"board", std::string(limits::kMaxOptionBytes + 1, ' ')}}),
              HasSubstr("at most 65536"));
}

TEST_F(HypnosiaOptions, TravelOnTheWireWhole) {
  Use(3, {{"board", testing::kTinyBoard}, {"stack_bridges", "false"}, {"turn_limit", "42"}});
  ::referee::v1::GameOptions wire;
  Conversion().OptionsToWire(*game_, &wire);
  const auto options = Conversion().OptionsFromWire(wire);
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(*options, game_->source());
  wire.mutable_hypnosia()->clear_board();
  wire.mutable_hypnosia()->clear_turn_limit();
  EXPECT_EQ(Conversion().OptionsFromWire(wire)->size(), 1u);
}

TEST_F(HypnosiaOptions, PositionTravelsOnTheWire) {
  Use(3);
  ::referee::v1::Position wire;
  Conversion().PositionToWire(*At("c34B/2b21/11A 0000,0010,1000 ca 3,-3,0 - a 66"), &wire);
  const auto& position = wire.hypnosia();
  ASSERT_EQ(position.rings_size(), 3);
  EXPECT_EQ(position.rings(0).spaces(0), 5u);
  EXPECT_EQ(position.rings(0).spaces(35), 4u);
  EXPECT_EQ(position.rings(1).spaces(2), 3u);
  EXPECT_EQ(position.rings(2).spaces(11), 2u);
  EXPECT_TRUE(position.lanes(1).pawns(2));
  EXPECT_FALSE(position.lanes(1).pawns(1));
  EXPECT_THAT(position.centre(), ::testing::ElementsAre(2, 0));
  EXPECT_THAT(position.points(), ::testing::ElementsAre(3, -3, 0));
  // A message that held a larger board is cut to size.
  Use(2, {{"board", testing::kTinyBoard}});
  Conversion().PositionToWire(*At("7 1111,1111 - 0,0 - a 11"), &wire);
  EXPECT_EQ(wire.hypnosia().rings_size(), 1);
  EXPECT_EQ(wire.hypnosia().rings(0).spaces_size(), 7);
  EXPECT_EQ(wire.hypnosia().lanes_size(), 2);
}

TEST_F(HypnosiaDrawing, ShowsWhereEverythingStands) {
  const std::string drawing = At("3a28B3/2b21/11A 0000,0000 b 3,-3 - a 65")->Draw({}, Move::Pass());
  EXPECT_THAT(drawing, HasSubstr("(a)"));
  EXPECT_THAT(drawing, HasSubstr("> a"));
  EXPECT_THAT(drawing, HasSubstr("rings A3 C11*"));
  EXPECT_THAT(drawing, HasSubstr("centre 5"));
  EXPECT_THAT(drawing, HasSubstr("rolled 6 5"));
  EXPECT_TRUE(std::all_of(drawing.begin(), drawing.end(),
                          [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
  EXPECT_EQ(drawing.back(), '\n');
}

TEST_F(HypnosiaDrawing, MarksTheLastMoveInColour) {
  const auto state = At("3a32/24/12 0001,0010 b 3,-3 - b 65");
  const std::string plain = state->Draw({true}, Move::Pass());
  const std::string marked = state->Draw({true}, *game_->ParseMove("3:A0>A3"));
  EXPECT_THAT(plain, HasSubstr("\x1b["));
  EXPECT_THAT(plain, ::testing::Not(HasSubstr("\x1b[7m")));
  EXPECT_THAT(marked, HasSubstr("\x1b[7m(a)"));
}

TEST_F(HypnosiaDrawing, EveryBoardFitsItsFrames) {
  for (const char* board : {testing::kTinyBoard, testing::kCrowdedBoard, testing::kDeepBoard}) {
    Use(6, {{"board", board}});
    const auto state = game_->NewState();
    for (int seat = 0; seat < 6; ++seat) Roll(state.get(), seat + 1, 1);
    Roll(state.get(), 1, 1);
    const std::string drawing = state->Draw({}, Move::Pass());
    const BoardSpec spec = testing::Spec(board);
    size_t spaces = 0, drawn = 0;
    for (const auto& ring : spec.rings) spaces += ring.size;
    // A cell has three columns; the seats' lines come last.
    std::stringstream lines(drawing.substr(0, drawing.find("  a  score")));
    for (std::string line; std::getline(lines, line);) {
      for (size_t at = 0; at < line.size(); at += 3) drawn += line.substr(at, 3) != "   ";
    }
    EXPECT_EQ(drawn, spaces + 1) << drawing;
  }
}

}  // namespace
}  // namespace referee::games::hypnosia
