#include "referee/view/view.h"

#include <algorithm>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/cursor.h"
#include "tests/unit/replay/sample.h"
#include "tests/unit/view/pig_sample.h"

namespace referee::view {
namespace {

using replay::PlaySample;
using replay::Replay;
using replay::SampleOptions;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

std::vector<SampleOptions> AllGames() {
  SampleOptions six;
  six.seats = 6;
  six.committed = true;
  SampleOptions isaac;
  isaac.game = "isaac";
  return {SampleOptions(), six, isaac, PigSample(), replay::EventfulSample()};
}

TEST(View, EveryStepOfAMatchHasAFrame) {
  for (const SampleOptions& options : AllGames()) {
    const Replay match = PlaySample(options);
    const v1::MatchView view = MakeView(match, "bytes");
    absl::optional<replay::Cursor> cursor = replay::CursorOf(match);
    int frames = 0;
    for (const match::Record& record : match.records) {
      ASSERT_TRUE(cursor->Take(record).ok());
      if (!cursor->moved()) continue;
      ASSERT_LT(frames, view.frames_size()) << options.game;
      const v1::Frame& frame = view.frames(frames++);
      const games::State& state = cursor->state();
      EXPECT_EQ(frame.turn(), cursor->turns_played());
      EXPECT_EQ(frame.position(), state.Position());
      EXPECT_EQ(frame.has_next_seat(), state.phase() == games::Phase::kTurn);
      ASSERT_EQ(frame.seats_size(), options.seats);
      for (int seat = 0; seat < options.seats; ++seat) {
        EXPECT_EQ(frame.seats(seat).score(), state.score(Seat(seat)));
        EXPECT_EQ(frame.seats(seat).forfeited(), state.forfeited(Seat(seat)));
      }
    }
    EXPECT_EQ(view.frames_size(), frames) << options.game;
    EXPECT_THAT(view.frames(view.frames_size() - 1).events(), Contains(v1::FRAME_EVENT_END));
    EXPECT_EQ(view.replay(), "bytes");
    EXPECT_EQ(view.problem(), "");
  }
}

TEST(View, SaysInWordsWhatHappened) {
  SampleOptions options;
  options.moves = {"1:L1>A18 1:A18>A19", "1:L1>A0 5:A0>A5"};
  const v1::MatchView view = MakeView(PlaySample(options), "");
  EXPECT_EQ(view.frames(0).text(), "The start.");
  EXPECT_EQ(view.frames(1).text(),
            "Turn 1: seat b rolled 1 1 and moves a pawn from L1 to A18, then a pawn from A18 to "
            "A19.");
  EXPECT_EQ(view.frames(1).move(), "1:L1>A18 1:A18>A19");
  EXPECT_THAT(view.frames(1).dice(), ElementsAre(1, 1));
}

dice::Label LabelOf(const std::string& text) {
  const std::vector<std::string> parts = absl::StrSplit(text, '/');
  if (parts.size() != 3) return dice::Label::FirstPlayer();
  const int first = std::stoi(parts[1]), second = std::stoi(parts[2]);
  return parts[0] == "roll" ? dice::Label::Roll(Seat(first), second)
                            : dice::Label::Setup(first, Seat(second));
}

// A page can check the dice from the seed alone: every draw is there, once, with its label.
TEST(View, EveryDrawFollowsFromTheKeyByItsLabel) {
  for (const SampleOptions& options : AllGames()) {
    const Replay match = PlaySample(options);
    const v1::MatchView view = MakeView(match, "");
    const dice::Key key = *replay::MatchKey(match);
    std::set<std::string> labels;
    for (const v1::Frame& frame : view.frames()) {
      for (const v1::ChanceDraw& draw : frame.draws()) {
        EXPECT_TRUE(labels.insert(draw.label()).second) << draw.label();
        EXPECT_GT(draw.sides(), 1u);
        std::vector<int> drawn(static_cast<size_t>(draw.numbers_size()));
        key.Uniform(LabelOf(draw.label()), static_cast<int>(draw.sides()), absl::MakeSpan(drawn));
        for (int& number : drawn) ++number;
        EXPECT_THAT(draw.numbers(), ::testing::ElementsAreArray(drawn)) << draw.label();
      }
      if (frame.next_dice().empty() || frame.draws().empty()) continue;
      const v1::ChanceDraw& roll = frame.draws(frame.draws_size() - 1);
      EXPECT_TRUE(absl::StartsWith(roll.label(), absl::StrCat("roll/", frame.next_seat(), "/")))
          << roll.label();
      EXPECT_THAT(roll.numbers(), ::testing::ElementsAreArray(frame.next_dice()));
    }
    EXPECT_FALSE(labels.empty());
  }
}

TEST(View, AGameFromOutsideIsDrawnAsItsText) {
  const v1::MatchView view = MakeView(PlaySample(PigSample()), "");
  EXPECT_FALSE(view.has_geometry());
  ASSERT_GT(view.frames_size(), 3);
  for (const v1::Frame& frame : view.frames()) {
    EXPECT_NE(frame.drawing(), "");
    EXPECT_THAT(frame.pieces(), IsEmpty());
  }
  EXPECT_THAT(view.frames(1).text(), HasSubstr("plays "));
  const v1::MatchView drawn = MakeView(PlaySample({}), "");
  EXPECT_EQ(drawn.frames(0).drawing(), "");
}

TEST(View, FaultsAndForfeitsAreEvents) {
  SampleOptions options;
  options.illegal_at = 5;
  options.seats = 3;
  const v1::MatchView forfeited = MakeView(PlaySample(options), "");
  const v1::Frame& frame = forfeited.frames(5);
  EXPECT_THAT(frame.events(), Contains(v1::FRAME_EVENT_FORFEIT));
  EXPECT_THAT(frame.text(), HasSubstr("forfeits, ILLEGAL"));
  EXPECT_TRUE(frame.seats(static_cast<int>(frame.seat())).forfeited());

  const v1::MatchView eventful = MakeView(PlaySample(replay::EventfulSample()), "");
  int faults = 0;
  for (const v1::Frame& one : eventful.frames()) {
    for (const int event : one.events()) faults += event == v1::FRAME_EVENT_FAULT ? 1 : 0;
  }
  EXPECT_GT(faults, 1);
}

TEST(View, ANewLeaderIsAnEventAndATieIsNone) {
  const v1::MatchView view = MakeView(PlaySample({}), "");
  int leader = -1;
  for (const v1::Frame& frame : view.frames()) {
    const int lead = frame.seats(0).score() - frame.seats(1).score();
    const int now = lead > 0 ? 0 : 1;
    const bool taken = lead != 0 && now != leader;
    if (taken) leader = now;
    EXPECT_THAT(frame.events(),
                taken ? ::testing::Matcher<const google::protobuf::RepeatedField<int>&>(
                            Contains(v1::FRAME_EVENT_LEAD))
                      : Not(Contains(v1::FRAME_EVENT_LEAD)))
        << frame.text();
  }
  EXPECT_NE(leader, -1);
}

TEST(View, AMatchThatDidNotStartHasItsVerdictOnly) {
  SampleOptions options;
  options.cancel_at = 1;
  Replay match = PlaySample(options);
  // As if it had been cancelled before its bots were ready.
  match.records.erase(match.records.begin(), match.records.end() - 1);
  const v1::MatchView view = MakeView(match, "");
  EXPECT_THAT(view.frames(), IsEmpty());
  EXPECT_EQ(view.verdict().ending(), "CANCELLED");
}

TEST(View, RecordsThatCannotBePlayedStopItWithTheReason) {
  Replay match = PlaySample({});
  auto& turn = std::get<match::Played>(*std::find_if(
      match.records.begin() + 10, match.records.end(),
      [](const match::Record& record) { return std::holds_alternative<match::Played>(record); }));
  turn.move = games::Move(1);
  const v1::MatchView view = MakeView(match, "");
  EXPECT_THAT(view.problem(), HasSubstr(absl::StrCat("turn ", turn.number)));
  EXPECT_THAT(view.frames(), SizeIs(turn.number));
}

TEST(View, EachLedgerEntryNamesTheFrameOfItsTurn) {
  for (const SampleOptions& options : AllGames()) {
    const v1::MatchView view = MakeView(PlaySample(options), "");
    std::set<uint32_t> frames;
    for (const v1::LedgerEntry& entry : view.ledger()) {
      if (!entry.has_frame()) continue;
      const v1::Frame& frame = view.frames(static_cast<int>(entry.frame()));
      EXPECT_TRUE(frames.insert(entry.frame()).second);
      EXPECT_EQ(frame.seat(), entry.seat());
      const bool forfeit = frame.move().empty();
      EXPECT_EQ(frame.turn() + (forfeit ? 1 : 0), entry.turn());
    }
    EXPECT_THAT(frames, SizeIs(static_cast<size_t>(view.frames_size()) - 1));
  }
}

}  // namespace
}  // namespace referee::view
