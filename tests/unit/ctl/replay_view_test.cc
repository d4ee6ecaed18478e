// Tests of the replay viewer without a terminal.
#include "referee/ctl/replay/view.h"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/ctl/replay/screen.h"
#include "referee/games/viewable.h"
#include "referee/view/view.h"
#include "tests/unit/replay/sample.h"

namespace referee::ctl {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Le;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

TEST(ViewerKeys, AreTakenAsTerminalsSendThem) {
  absl::string_view bytes = "\x1b[C\x1b[D\x1b[5~ Gz\x1b[99;9~";
  std::vector<ViewerKey> keys;
  while (!bytes.empty()) keys.push_back(TakeViewerKey(&bytes));
  EXPECT_THAT(keys,
              ElementsAre(ViewerKey::kNext, ViewerKey::kPrevious, ViewerKey::kPagePrevious,
                          ViewerKey::kPlay, ViewerKey::kLast, ViewerKey::kNone, ViewerKey::kNone));
}

TEST(ViewerKeys, StayWithinTheMatch) {
  EXPECT_EQ(StepAfterKey(ViewerKey::kPrevious, 0, 5), 0u);
  EXPECT_EQ(StepAfterKey(ViewerKey::kPagePrevious, 3, 5), 0u);
  EXPECT_EQ(StepAfterKey(ViewerKey::kNext, 4, 5), 4u);
  EXPECT_EQ(StepAfterKey(ViewerKey::kPageNext, 0, 50), 10u);
  EXPECT_EQ(StepAfterKey(ViewerKey::kPageNext, 0, 5), 4u);
  EXPECT_EQ(StepAfterKey(ViewerKey::kLast, 0, 5), 4u);
}

TEST(WrapLine, CountsWhatIsSeenAndKeepsColours) {
  EXPECT_THAT(WrapLine("", 3), ElementsAre(""));
  EXPECT_THAT(WrapLine("abc", 3), ElementsAre("abc"));
  EXPECT_THAT(WrapLine("abcd", 3), ElementsAre("abc", "d"));
  EXPECT_THAT(WrapLine("\x1b[1;31mab\x1b[0mcd", 3), ElementsAre("\x1b[1;31mab\x1b[0mc", "d"));
  EXPECT_THAT(WrapLine("━━━", 2), ElementsAre("━━", "━"));
  EXPECT_THAT(WrapLine("a\x1b[", 5), ElementsAre("a\x1b["));
}

std::vector<match::Played> TurnsOf(const replay::Replay& replay) {
  std::vector<match::Played> turns;
  for (const match::Record& record : replay.records) {
    if (const auto* turn = std::get_if<match::Played>(&record)) turns.push_back(*turn);
  }
  return turns;
}

TEST(Course, FindsTheLastStepWithSoManyTurns) {
  replay::SampleOptions options;
  options.seats = 3;
  options.time_out_at = 5;
  const Course course = CourseOf(replay::PlaySample(options));
  EXPECT_EQ(course.StepOfTurn(0), 0u);
  EXPECT_EQ(course.StepOfTurn(3), 3u);
  EXPECT_EQ(course.StepOfTurn(4), 5u);  // the forfeit follows turn 4
  EXPECT_EQ(course.StepOfTurn(1'000'000), course.steps.size() - 1);
}

TEST(Course, GoesAsFarAsTheRecordsCanBePlayed) {
  replay::Replay replay = replay::PlaySample({});
  for (match::Record& record : replay.records) {
    auto* const turn = std::get_if<match::Played>(&record);
    if (turn != nullptr && turn->number == 2) turn->move = games::Move(1);
  }
  const Course course = CourseOf(replay);
  ASSERT_THAT(course.steps, SizeIs(2));
  EXPECT_EQ(course.steps[0].happened, "start; 1 turns");
  EXPECT_EQ(course.end, "it goes no further: turn 2: the move is illegal");
}

class ReplayViewTest : public ::testing::Test {
 protected:
  explicit ReplayViewTest(const replay::SampleOptions& options = replay::EventfulSample())
      : replay_(replay::PlaySample(options)) {}

  std::vector<std::string> Rows() const { return absl::StrSplit(view_.Screen(), '\n'); }
  // The number of the turn that is shown.
  uint32_t turn() const { return course_.steps[view_.at()].turns_played; }
  size_t last() const { return course_.steps.size() - 1; }

  const replay::Replay replay_;
  const Course course_ = CourseOf(replay_);
  MatchView view_{course_, games::DrawStyle()};
};

TEST_F(ReplayViewTest, ShowsAllThatPaperHasAndTheClocks) {
  view_.Resize({60, 400});
  view_.Take("\x1b[6~");
  for (const absl::string_view line :
       absl::StrSplit(ScreenOfStep(course_, 10, games::DrawStyle()), '\n')) {
    EXPECT_THAT(view_.Screen(), HasSubstr(std::string(line)));
  }
  EXPECT_THAT(view_.Screen(), HasSubstr("\na used "));
}

TEST(ScreenParts, TellWhatIsLeftOfABankAfterTheTurn) {
  const replay::Replay match = replay::PlaySample({});
  const ScreenParts parts = PartsOfStep(CourseOf(match), 1, games::DrawStyle());
  const match::Played turn = TurnsOf(match).front();
  const absl::Duration left = absl::Trunc(turn.bank_left, absl::Milliseconds(1));
  const auto mover = static_cast<size_t>(turn.seat.index());
  EXPECT_THAT(parts.clocks[mover], EndsWith(", bank " + absl::FormatDuration(left)));
  EXPECT_THAT(parts.clocks[1 - mover], EndsWith("used 0, bank 1m"));
}

TEST_F(ReplayViewTest, ClocksAreWhatEachSeatUsedUpToTheTurn) {
  absl::Duration used[2];
  const std::vector<match::Played> turns = TurnsOf(replay_);
  ASSERT_EQ(turns.size(), last());
  for (size_t at = 1; at <= last(); ++at) {
    used[turns[at - 1].seat.index()] += turns[at - 1].used;
    const ScreenParts parts = PartsOfStep(course_, at, games::DrawStyle());
    for (size_t seat = 0; seat < 2; ++seat) {
      const absl::Duration shown = absl::Trunc(used[seat], absl::Milliseconds(1));
      EXPECT_THAT(parts.clocks[seat], HasSubstr("used " + absl::FormatDuration(shown)));
    }
  }
}

TEST_F(ReplayViewTest, GoesToTheTurnThatIsTyped) {
  view_.Take("g12");
  EXPECT_THAT(Rows().back(), StartsWith("to turn: 12_"));
  EXPECT_EQ(turn(), 0u);
  view_.Take("\r");
  EXPECT_EQ(turn(), 12u);
  view_.Take("g999999999999\r");
  EXPECT_EQ(view_.at(), last());
  view_.Take("g7\x1b");
  EXPECT_EQ(view_.at(), last()) << "Escape leaves it";
  EXPECT_TRUE(view_.Take("g\r"));
  EXPECT_EQ(view_.at(), last()) << "no number";
}

TEST_F(ReplayViewTest, GoesFromFaultToFaultAndSaysWhenThereIsNone) {
  std::vector<uint32_t> turns;
  for (size_t before = last() + 1; before != view_.at();) {
    before = view_.at();
    view_.Take("f");
    if (view_.at() != before) turns.push_back(turn());
  }
  // Played for after time losses, and tries that were illegal.
  std::vector<uint32_t> expected = replay::EventfulSample().time_outs;
  for (const uint32_t turn : replay::EventfulSample().illegals) expected.push_back(turn);
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(turns, expected);
  EXPECT_THAT(Rows().back(), StartsWith("no fault after this"));
  view_.Take("F");
  EXPECT_EQ(turn(), turns[turns.size() - 2]);
  view_.Take(
      "\x1b[H"
      "F");
  EXPECT_THAT(Rows().back(), StartsWith("no fault before this"));
}

TEST_F(ReplayViewTest, GoesFromCaptureToCapture) {
  const games::Viewable* const game = games::ViewableOf(*replay_.setup.game);
  ASSERT_NE(game, nullptr);
  size_t expected = 0;
  for (const match::Played& turn : TurnsOf(replay_)) {
    const std::string text = replay_.setup.game->MoveText(turn.move);
    EXPECT_EQ(game->Captures(turn.move), absl::StrContains(text, "x")) << text;
    expected += absl::StrContains(text, "x") ? 1 : 0;
  }
  size_t found = 0;
  for (size_t before = last() + 1; before != view_.at(); ++found) {
    before = view_.at();
    view_.Take("c");
  }
  EXPECT_EQ(found - 1, expected);
  EXPECT_GT(expected, 1u);
}

TEST_F(ReplayViewTest, PlaysByItselfUntilTheEnd) {
  EXPECT_EQ(view_.interval(), absl::InfiniteDuration());
  view_.Tick();
  EXPECT_EQ(view_.at(), 0u);
  view_.Take(" ");
  const absl::Duration normal = view_.interval();
  view_.Take("+");
  EXPECT_LT(view_.interval(), normal);
  view_.Take("--");
  EXPECT_GT(view_.interval(), normal);
  EXPECT_THAT(Rows().back(), StartsWith("playing, "));
  for (size_t i = 0; i < 2 * last(); ++i) view_.Tick();
  EXPECT_EQ(view_.at(), last());
  EXPECT_EQ(view_.interval(), absl::InfiniteDuration());
  view_.Take(" ");
  EXPECT_EQ(view_.interval(), absl::InfiniteDuration()) << "there is nothing left to play";
}

TEST_F(ReplayViewTest, SpaceStopsPlaying) {
  view_.Take("  ");
  EXPECT_EQ(view_.interval(), absl::InfiniteDuration());
}

TEST_F(ReplayViewTest, ExplainsKeysAndSignsUntilTheNextStep) {
  view_.Resize({60, 80});
  view_.Take("?");
  EXPECT_THAT(view_.Screen(), HasSubstr("plays by itself"));
  EXPECT_THAT(view_.Screen(), HasSubstr("A B ...     a stack"));
  EXPECT_TRUE(view_.Take("\x1b")) << "Escape leaves the legend, not the viewer";
  EXPECT_THAT(view_.Screen(), Not(HasSubstr("plays by itself")));
  view_.Take("?l");
  EXPECT_THAT(view_.Screen(), Not(HasSubstr("plays by itself")));
  EXPECT_FALSE(view_.Take("\x1b"));
  EXPECT_FALSE(view_.Take("q"));
}

TEST_F(ReplayViewTest, LeavesOutBlankLinesFirstThenTheCurveThenThePositionThenTheTitle) {
  view_.Resize({60, 100});
  const size_t all = Rows().size();
  const auto shows = [&](size_t rows, absl::string_view text) {
    view_.Resize({rows, 100});
    return absl::StrContains(view_.Screen(), text);
  };
  size_t blank = 0;
  for (const std::string& row : Rows()) blank += row.empty() ? 1 : 0;
  ASSERT_EQ(blank, 3u);
  EXPECT_TRUE(shows(all, "\n\n"));
  EXPECT_TRUE(shows(all - 3, "  ^\n") && !shows(all - 3, "\n\n"));
  EXPECT_TRUE(shows(all - 6, "position ") && !shows(all - 6, "  ^\n"));
  EXPECT_TRUE(!shows(all - 7, "position ") && shows(all - 7, "match "));
  EXPECT_TRUE(!shows(all - 8, "match ") && !shows(all - 8, "(u d)"));
  EXPECT_TRUE(shows(all - 9, "lines above 0, below 1 (u d)"));
}

// Every line of the board can be seen in every window.
TEST_F(ReplayViewTest, LosesNoLineInASmallWindow) {
  view_.Take("G");
  const ScreenParts parts = PartsOfStep(course_, last(), games::DrawStyle());
  for (const ScreenSize size : {ScreenSize{15, 80}, {8, 80}, {15, 40}, {3, 20}, {2, 10}}) {
    view_.Resize(size);
    view_.Take(std::string(400, 'u'));
    std::string seen;
    for (int i = 0; i < 400; ++i) {
      ASSERT_THAT(Rows(), SizeIs(Le(size.rows)));
      for (const std::string& row : Rows()) {
        ASSERT_THAT(WrapLine(row, size.columns), SizeIs(1)) << row;
        seen += row + "\n";
      }
      view_.Take("d");
    }
    for (const absl::string_view line : absl::StrSplit(parts.board + parts.next, '\n')) {
      for (const std::string& row : WrapLine(line, size.columns)) {
        EXPECT_THAT(seen, HasSubstr(row)) << size.rows << " rows, " << size.columns << " columns";
      }
    }
  }
}

TEST_F(ReplayViewTest, DrawsSomethingInAWindowOfNoSize) {
  for (const ScreenSize size : {ScreenSize{0, 1}, {1, 1}, {2, 1}}) {
    view_.Resize(size);
    view_.Take("lduG");
    EXPECT_THAT(Rows(), SizeIs(Le(2)));
  }
}

class IsaacViewTest : public ReplayViewTest {
 protected:
  static replay::SampleOptions Isaac() {
    replay::SampleOptions options;
    options.game = "isaac";
    return options;
  }
  IsaacViewTest() : ReplayViewTest(Isaac()) {}
};

TEST_F(IsaacViewTest, HasALegendAndNoCaptures) {
  view_.Resize({60, 80});
  view_.Take("?");
  EXPECT_THAT(view_.Screen(), HasSubstr("unplayed    pieces"));
  view_.Take("?c");
  EXPECT_EQ(view_.at(), 0u);
  EXPECT_THAT(Rows().back(), StartsWith("no capture after this"));
}

TEST_F(IsaacViewTest, KeepsTheLastTurnInSightWhileTheBoardScrolls) {
  view_.Resize({15, 80});
  view_.Take("G");
  EXPECT_THAT(Rows(), SizeIs(15));
  EXPECT_THAT(view_.Screen(), HasSubstr("\nend: "));
  view_.Take("dddd");
  EXPECT_THAT(view_.Screen(), HasSubstr("\nend: "));
  EXPECT_THAT(Rows().back(), StartsWith("lines above 4, "));
}

TEST_F(ReplayViewTest, GoesToTheEventsThatAPageStopsAt) {
  const v1::MatchView view = view::MakeView(replay_, "");
  std::vector<size_t> events;
  for (int i = 1; i < view.frames_size(); ++i) {
    if (view.frames(i).events_size() > 0) events.push_back(static_cast<size_t>(i));
  }
  ASSERT_GT(events.size(), 3u);
  for (const size_t event : events) {
    view_.Take("e");
    EXPECT_EQ(view_.at(), event);
  }
  view_.Take("e");
  EXPECT_EQ(view_.at(), last());
  EXPECT_THAT(Rows().back(), HasSubstr("no event after this"));
  view_.Take("E");
  EXPECT_EQ(view_.at(), events[events.size() - 2]);
}

TEST_F(ReplayViewTest, DrawsThePointsOfAllTheMatchAndWhereItIs) {
  const std::vector<std::string> start = ScoreCurve(course_, 0, 80, /*plain=*/true);
  ASSERT_THAT(start, SizeIs(3));
  EXPECT_THAT(start[0], StartsWith("a    0 "));
  EXPECT_EQ(start[2], "       ^");
  const std::vector<std::string> end = ScoreCurve(course_, last(), 80, /*plain=*/true);
  EXPECT_EQ(start[0].substr(7), end[0].substr(7));
  EXPECT_EQ(end[2].size(), end[0].size());
  // Who has the most points at the end stands highest there, of all.
  const bool first =
      course_.steps.back().state->score(Seat(0)) > course_.steps.back().state->score(Seat(1));
  EXPECT_GT(std::string("_.:-=+*#").find(end[first ? 0 : 1].back()),
            std::string("_.:-=+*#").find(end[first ? 1 : 0].back()));
  EXPECT_THAT(ScoreCurve(course_, 0, 19, true), SizeIs(0));
  for (size_t columns = 20; columns < 120; ++columns) {
    for (const std::string& line : ScoreCurve(course_, last(), columns, true)) {
      EXPECT_THAT(line, SizeIs(Le(columns)));
    }
  }
}

}  // namespace
}  // namespace referee::ctl
