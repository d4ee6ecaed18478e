// Tests of Isaac's options, notation, position strings and drawings.
#include <algorithm>
#include <random>

#include "referee/games/isaac/notation.h"
#include "tests/unit/games/isaac_fixture.h"

namespace referee::games::isaac {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using IsaacOptions = IsaacTest;
using IsaacNotation = IsaacTest;
using IsaacPosition = IsaacTest;
using IsaacDrawing = IsaacTest;

// --- Options ---

TEST_F(IsaacOptions, DefaultsAreWrittenOut) {
  EXPECT_THAT(game_->options(),
              ElementsAre(Option{"counter_advance", "UP_TO"}, Option{"first_player", "RANDOM"},
                          Option{"scoring_starter", "FIRST_PLAYER"}));
}

TEST_F(IsaacOptions, ErrorsNameOptionAndValues) {
  EXPECT_THAT(CreateError(2, {{"counter_advance", "up_to"}}),
              ::testing::AllOf(HasSubstr("counter_advance"), HasSubstr("EXACT or UP_TO")));
  EXPECT_THAT(CreateError(2, {{"first_player", "SEAT_C"}}),
              HasSubstr("RANDOM or SEAT_A or SEAT_B"));
  EXPECT_THAT(CreateError(2, {{"scoring_starter", ""}}),
              HasSubstr("FIRST_PLAYER or FIRST_TO_PASS"));
  EXPECT_THAT(CreateError(2, {{"board", "x"}}),
              HasSubstr("known: counter_advance, first_player, position, scoring_starter"));
  EXPECT_THAT(CreateError(2, {{"first_player", "RANDOM"}, {"first_player", "RANDOM"}}),
              HasSubstr("first_player"));
  EXPECT_THAT(CreateError(3, {}), HasSubstr("isaac is played by 2 seats, not by 3"));
}

TEST_F(IsaacOptions, TravelThereAndBack) {
  for (const char* advance : {"EXACT", "UP_TO"}) {
    for (const char* first : {"RANDOM", "SEAT_A", "SEAT_B"}) {
      for (const char* starter : {"FIRST_PLAYER", "FIRST_TO_PASS"}) {
        Use(2,
            {{"counter_advance", advance}, {"first_player", first}, {"scoring_starter", starter}});
        ::referee::v1::GameOptions wire;
        Conversion().OptionsToWire(*game_, &wire);
        const auto back = Conversion().OptionsFromWire(wire);
        ASSERT_TRUE(back.ok()) << back.status();
        EXPECT_EQ(*back, game_->options());
      }
    }
  }
}

TEST_F(IsaacOptions, OnTheWireMayBeLeftToTheirDefaults) {
  EXPECT_THAT(*Conversion().OptionsFromWire({}), ElementsAre());
}

TEST_F(IsaacOptions, UnknownNumbersOnTheWireAreRefused) {
  ::referee::v1::GameOptions wire;
  wire.mutable_isaac()->set_scoring_starter(static_cast<::games::isaac::v1::ScoringStarter>(3));
  EXPECT_THAT(std::string(Conversion().OptionsFromWire(wire).status().message()),
              HasSubstr("scoring_starter"));
}

// --- Notation ---

TEST_F(IsaacNotation, NumbersSortAsTextDoes) {
  std::vector<Move> moves = {Move::Pass()};
  for (const bool vertical : {false, true}) {
    for (int cell = 0; cell < 100; ++cell) {
      for (int length = 3; length <= 7; ++length) {
        moves.push_back(EncodeMove(Play::Placement(length, vertical, cell)));
      }
      for (int advance = 0; advance <= kMaxAdvance; advance += 1 + advance / 120) {
        moves.push_back(EncodeMove(Play::Removal(cell, vertical, advance)));
      }
    }
  }
  std::sort(moves.begin(), moves.end());
  std::string last;
  for (const Move move : moves) {
    const std::string text = game_->MoveText(move);
    EXPECT_LT(last, text);
    const auto parsed = game_->ParseMove(text);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, move) << text;
    last = text;
  }
}

TEST_F(IsaacNotation, ErrorsNameTheByte) {
  const auto expect = [this](absl::string_view text, int byte, absl::string_view why) {
    const auto move = game_->ParseMove(text);
    ASSERT_FALSE(move.ok()) << text;
    EXPECT_THAT(
        std::string(move.status().message()),
        ::testing::AllOf(HasSubstr(absl::StrCat("byte ", byte)), HasSubstr(std::string(why))));
  };
  expect("", 0, "the length of a piece, 3 to 7, or 'x'");
  expect("2h33", 0, "3 to 7");
  expect("8h33", 0, "3 to 7");
  expect("7d33", 1, "'h' or 'v'");
  expect("7h3", 3, "two digits of a cell, 00 to 99");
  expect("7h-1", 2, "two digits of a cell");
  expect("7h100", 4, "the end of the move");
  expect("7h33 ", 4, "the end of the move");
  expect("x3h+1", 2, "two digits of a cell");
  expect("x34+1", 3, "'h' or 'v'");
  expect("x34h", 4, "'+' and how far the counter advances");
  expect("x34h-1", 4, "'+'");
  expect("x34h+", 5, "how far the counter advances");
  expect("x34h+01", 5, "without a leading 0");
  expect("x34h+1000", 8, "at most 999");
  expect("x34h+1a", 6, "the end of the move");
  expect("--", 0, "the length of a piece");
  expect(std::string(1000, '7'), 256, "at most 256 bytes");
}

// --- Position strings ---

TEST_F(IsaacPosition, IsThePublishedOneAtTheStart) {
  const auto state = game_->NewState();
  state->ApplyChance({0});
  EXPECT_EQ(state->Position(), "- 54321,54321 0,0 0,0 - P a a");
}

TEST_F(IsaacPosition, IsReadAndWrittenTheSame) {
  for (const char* text : {
           "- 54321,54321 0,0 0,0 - P b b",
           "a7h33,b3v70 54320,44321 0,0 0,0 b P a a",
           "a3h00,b3v03,a7h33 00000,00000 99,1 3,7 b S a b",
           "a3h00 00000,00000 171,0 7,0 - - - a",
           "- 00000,00000 12,12 0,7 ba - - b",
       }) {
    EXPECT_EQ(At(text)->Position(), text);
  }
}

TEST_F(IsaacPosition, SaysWhyTheMatchIsOver) {
  EXPECT_EQ(At("- 00000,00000 100,3 7,0 - - - a")->outcome().reason, "TARGET_REACHED");
  EXPECT_EQ(At("- 00000,00000 100,3 7,0 b - - a")->outcome().reason, "TARGET_REACHED");
  EXPECT_EQ(At("- 00000,00000 9,3 7,0 ab - - a")->outcome().reason, "NO_MOVES");
  EXPECT_EQ(At("- 00000,00000 9,3 7,0 a - - a")->outcome().reason, "LAST_SEAT");
}

TEST_F(IsaacPosition, ErrorsNameFieldAndByte) {
  const auto expect = [this](absl::string_view text, absl::string_view where,
                             absl::string_view why) {
    const std::string error = PositionError(text);
    EXPECT_THAT(error, StartsWith("position: " + std::string(where)));
    EXPECT_THAT(error, HasSubstr(std::string(why)));
  };
  expect("", "pieces (byte 0)", "or '-' for none");
  expect("c3h00 54321,54321 0,0 0,0 - P a a", "pieces (byte 0)", "a piece such as a7h33");
  expect("a2h00 54321,54321 0,0 0,0 - P a a", "pieces (byte 1)", "3 to 7");
  expect("a3d00 54321,54321 0,0 0,0 - P a a", "pieces (byte 2)", "'h' or 'v'");
  expect("a3h0 54321,54321 0,0 0,0 - P a a", "pieces (byte 4)", "a cell, 00 to 99");
  expect("a3h00, 54321,54321 0,0 0,0 - P a a", "pieces (byte 6)", "a piece such as");
  expect("a3h08 44321,54321 0,0 0,0 - P a a", "pieces (byte 0)", "'a3h08' leaves the board");
  expect("a3h00,b3v80 44321,44321 0,0 0,0 - P a a", "pieces (byte 6)", "'b3v80' leaves the board");
  expect("a3h00,b3v02 44321,44321 0,0 0,0 - P a a", "pieces (byte 6)",
         "'b3v02' lies over another piece");
  expect("a3h10,b3v05 44321,44321 0,0 0,0 - P a a", "pieces (byte 6)", "sorted by their anchors");
  expect("a7h00,a7h10 54320,54321 0,0 0,0 - P a a", "pieces (byte 6)",
         "seat a has more than 1 piece of length 7");
  expect("a3h00 54321,54321 0,0 0,0 - P a a", "unplayed (byte 6)",
         "seat a has more than 5 pieces of length 3");
  expect("- 5432,54321 0,0 0,0 - P a a", "unplayed (byte 6)", "five digits");
  expect("- 54321 0,0 0,0 - P a a", "unplayed (byte 7)", "seat b");
  expect("- 543210,54321 0,0 0,0 - P a a", "unplayed (byte 7)", "','");
  expect("- 54321,54322 0,0 0,0 - P a a", "unplayed (byte 12)", "more than 1 piece of length 7");
  expect("- 54321,54321 0 0,0 - P a a", "scores (byte 15)", "seat b");
  expect("- 54321,54321 0,00 0,0 - P a a", "scores (byte 16)", "a number from 0 to 171");
  expect("- 54321,54321 0,172 0,0 - P a a", "scores (byte 16)", "a number from 0 to 171");
  expect("- 54321,54321 -1,0 0,0 - P a a", "scores (byte 14)", "a number from 0 to 171");
  expect("- 00000,00000 100,101 7,7 - - - a", "scores (byte 21)", "only one seat");
  expect("- 00000,00000 60,39 7,7 - S a a", "scores (byte 19)", "both counters");
  expect("- 00000,00000 0,0 2,0 - S a a", "floors (byte 18)", "3 to 7, or 0");
  expect("- 00000,00000 0,0 8,0 - S a a", "floors (byte 18)", "3 to 7, or 0");
  expect("- 54321,54321 0,0 0,0 c P a a", "out (byte 22)", "a or b");
  expect("- 54321,54321 0,0 0,0 aa P b a", "out (byte 23)", "once");
  expect("- 54321,54321 0,0 0,0  P b a", "out (byte 22)", "or '-'");
  expect("- 54321,54321 0,0 0,0 - Q a a", "phase (byte 24)", "P (placement), S (scoring) or '-'");
  expect("- 54321,54321 1,0 0,0 - P a a", "phase (byte 24)", "nobody has points");
  expect("- 54321,54321 0,0 3,0 - P a a", "phase (byte 24)", "floors are 0");
  expect("- 54321,54321 0,0 0,0 ab P a a", "phase (byte 25)", "expected S");
  expect("- 00000,00000 0,0 0,0 ab S a a", "phase (byte 25)", "the match is over");
  expect("- 00000,00000 100,0 3,0 - S b a", "phase (byte 26)", "100 points");
  expect("- 54321,54321 0,0 0,0 - P - a", "turn (byte 26)", "the seat to move");
  expect("- 54321,54321 0,0 0,0 a P a a", "turn (byte 26)", "seat a has passed or is out");
  expect("- 00000,00000 1,0 3,0 ab - a a", "turn (byte 27)", "the match is over");
  expect("- 54321,54321 0,0 0,0 - P a -", "first (byte 28)", "a or b");
  expect("- 54321,54321 0,0 0,0 - P a", "first (byte 27)", "missing; a position has 8 fields");
  expect("- 54321,54321 0,0 0,0 - P a a ", "first (byte 29)", "after 8 fields");
  expect("- 54321,54321 0,0 0,0 - P a ab", "first (byte 29)", "ends before 'b'");
  expect(std::string(100'000, ' '), "length", "at most");
}

TEST_F(IsaacPosition, BothCountersMayShareACellWhereAdvancesAreExact) {
  Use(2, {{"counter_advance", "EXACT"}});
  EXPECT_EQ(At("- 00000,00000 60,39 7,7 - S a a")->score(Seat(0)), 60);
}

TEST_F(IsaacPosition, FirstSeatIsTheOneThatTheOptionsName) {
  Use(2, {{"first_player", "SEAT_B"}});
  EXPECT_THAT(PositionError(kStart), HasSubstr("first (byte 28)"));
  EXPECT_EQ(At("- 54321,54321 0,0 0,0 - P a b")->first_seat(), Seat(1));
}

TEST_F(IsaacPosition, RandomDamageIsRefusedOrReadExactly) {
  std::mt19937 random(5);
  const std::string good = "a3h00,b3v03,a7h33 10000,00010 99,12 3,7 b S a b";
  static constexpr char kAlphabet[] = "0123456789abhvPS,- ";
  int read = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = good;
    for (uint32_t n = 1 + random() % 3; n > 0 && !text.empty(); --n) {
      const size_t at = random() % text.size();
      const char c = kAlphabet[random() % (sizeof(kAlphabet) - 1)];
      if (random() % 3 == 0) {
        text.erase(at, 1);
      } else if (random() % 2 == 0) {
        text.insert(at, 1, c);
      } else {
        text[at] = c;
      }
    }
    const auto state = game_->ParsePosition(text);
    if (!state.ok()) continue;
    ++read;
    EXPECT_EQ((*state)->Position(), text);
    if ((*state)->phase() == Phase::kTurn) {
      EXPECT_FALSE(LegalOf(**state).empty());
    }
  }
  EXPECT_GT(read, 100);
}

TEST_F(IsaacPosition, HasNoDiceToReplace) { EXPECT_FALSE(At(kStart)->SetRoll({1, 2}).ok()); }

// --- Drawings ---

TEST_F(IsaacDrawing, ShowsPiecesCountersScoresAndTheLastMove) {
  const auto state = At("b4v40,a3h43,a3h63 00001,20000 59,38 3,0 - S b a");
  EXPECT_EQ(state->Draw({}, *game_->ParseMove("x46h+4")),
            R"(90  .   .   .   .   .   .   .   .   .   .

80  .   .   .   .   .   .   .   .   .   .

70  b   .   .   .   .   .   .   .   .   .
    |
60  b   .B  .   a---a---a   .   .   .   .
    |
50  b   .   .   .   .   .   .   .   .  A.
    |
40  b   .   .   a---a---a   x   x   x   .

30  .   .   .   .   .   .   .   .   .   .

20  .   .   .   .   .   .   .   .   .   .

10  .   .   .   .   .   .   .   .   .   .

00  .   .   .   .   .   .   .   .   .   .
    0   1   2   3   4   5   6   7   8   9
  a  score  59  unplayed 1x7  floor 3  began
> b  score  38  unplayed 2x3  floor -
)");
}

TEST_F(IsaacDrawing, MarksThePiecePlacedLast) {
  const std::string drawn =
      At("a7h33,b3v70 54320,44321 0,0 0,0 - P a a")->Draw({}, *game_->ParseMove("3v70"));
  EXPECT_THAT(drawn, HasSubstr("30  .   .   .   a---a---a---a---a---a---a\n"));
  EXPECT_THAT(drawn, HasSubstr("80  b   .   .   .   .   .   .   .   .   .\n    #\n70  b"));
  EXPECT_THAT(drawn, HasSubstr("> a  score   0  unplayed 5x3 4x4 3x5 2x6  began\n"));
  EXPECT_THAT(drawn, HasSubstr("  b  score   0  unplayed 4x3 4x4 3x5 2x6 1x7\n"));
}

TEST_F(IsaacDrawing, IsPlainAsciiWithoutTrailingSpacesUnlessColoursAreAskedFor) {
  const auto state = At("a7h33,b3v70 54320,44321 0,0 0,0 - P a a");
  const std::string plain = state->Draw({}, *game_->ParseMove("3v70"));
  EXPECT_TRUE(std::all_of(plain.begin(), plain.end(),
                          [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
  EXPECT_THAT(plain, Not(HasSubstr(" \n")));
  DrawStyle style;
  style.colour = true;
  const std::string coloured = state->Draw(style, *game_->ParseMove("3v70"));
  EXPECT_THAT(coloured, HasSubstr("\x1b[1;31ma━━━a━━━a"));
  EXPECT_THAT(coloured, HasSubstr("\x1b[1;34m\x1b[7mb"));
}

}  // namespace
}  // namespace referee::games::isaac
