// A match that is watched on a terminal, without the terminal.
#include "referee/ctl/match/watched_match.h"

#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/ctl/match/text.h"
#include "referee/ctl/replay/view.h"
#include "referee/games/wire.h"
#include "referee/view/view.h"
#include "tests/unit/replay/sample.h"
#include "tests/unit/view/to_watcher.h"

namespace referee::ctl {
namespace {

using ::referee::testing::SnapshotAt;
using ::referee::testing::ToWatcher;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class WatchedMatchTest : public ::testing::Test {
 protected:
  WatchedMatchTest() {
    const replay::Playback playback(replay_);
    v1::Snapshot* const snapshot = start_.mutable_snapshot();
    *snapshot = SnapshotAt(replay_, playback, 0);
    games::WireOf(game()).OptionsToWire(game(), snapshot->mutable_match()->mutable_options());
    for (const match::Record& record : replay_.records) {
      const auto* const turn = std::get_if<match::Played>(&record);
      if (turn != nullptr)
        *turns_.emplace_back().mutable_turn_played() = ToWatcher(replay_.setup, *turn);
    }
    v1::Verdict* const verdict = end_.mutable_verdict();
    verdict->set_state(v1::MATCH_STATE_FINISHED);
    verdict->set_reason("CENTRE_FULL");
  }
  const games::Game& game() const { return *replay_.setup.game; }
  std::string Status(const MatchView& view) const {
    return std::vector<std::string>(absl::StrSplit(view.Screen(), '\n')).back();
  }

  const replay::Replay replay_ = replay::PlaySample({});
  v1::WatchMatchResponse start_;
  std::vector<v1::WatchMatchResponse> turns_;
  v1::WatchMatchResponse end_;
  WatchedMatch match_;
};

TEST_F(WatchedMatchTest, StopsWhereThePageOfItsReplayDoes) {
  const v1::MatchView page = view::MakeView(replay_, "");
  match_.Take(start_);
  for (size_t i = 0; i < turns_.size(); ++i) {
    const std::string told = match_.Take(turns_[i]);
    const v1::Frame& frame = page.frames(static_cast<int>(i) + 1);
    EXPECT_EQ(match_.course().steps.back().event, frame.events_size() > 0) << "turn " << i + 1;
    const bool last = i + 1 == turns_.size();
    EXPECT_EQ(told.empty(), frame.events_size() == (last ? 1 : 0)) << told;
    EXPECT_EQ(match_.course().steps.back().position, frame.position());
  }
  ASSERT_THAT(match_.course().steps, SizeIs(page.frames_size()));
}

TEST_F(WatchedMatchTest, WhoIsAtTheNewestStepStaysWithItWhoWentBackStaysThere) {
  match_.Take(start_);
  match_.Take(turns_[0]);
  MatchView view(match_.course(), games::DrawStyle());
  view.Resize({60, 100});
  EXPECT_EQ(view.at(), 1u);
  EXPECT_THAT(Status(view), StartsWith("live   "));
  match_.Take(turns_[1]);
  view.Grow();
  EXPECT_EQ(view.at(), 2u);
  view.Take("h");
  match_.Take(turns_[2]);
  view.Grow();
  EXPECT_EQ(view.at(), 1u);
  EXPECT_THAT(Status(view), StartsWith("2 behind (l: live)   "));
  view.Take("l");
  EXPECT_EQ(view.at(), 3u);
  match_.Take(turns_[3]);
  view.Grow();
  EXPECT_EQ(view.at(), 4u);
  EXPECT_THAT(view.Screen(), HasSubstr("Turn 4: seat "));
}

TEST_F(WatchedMatchTest, ShowsTheResultAtItsEndAndIsThenNoLongerLive) {
  match_.Take(start_);
  MatchView view(match_.course(), games::DrawStyle());
  view.Resize({60, 100});
  match_.Take(turns_[0]);
  match_.Take(end_);
  view.Grow();
  EXPECT_EQ(view.at(), 1u);
  EXPECT_THAT(view.Screen(), AllOf(HasSubstr("\nend: CENTRE_FULL; "), Not(HasSubstr("live   "))));
  match_.End(absl::OkStatus());
  EXPECT_EQ(match_.course().end, "end: CENTRE_FULL; scores , ranks ");
}

TEST_F(WatchedMatchTest, SaysWhyItIsNotToldToItsEnd) {
  match_.Take(start_);
  match_.End(absl::UnavailableError("no referee\n"));
  EXPECT_EQ(match_.course().end, "it goes no further: no referee?");
}

TEST_F(WatchedMatchTest, HasNoStepsBeforeItStartsAndNoneOfAnUnknownGame) {
  v1::WatchMatchResponse waiting = start_;
  waiting.mutable_snapshot()->clear_position_text();
  match_.Take(waiting);
  EXPECT_THAT(match_.course().steps, IsEmpty());
  match_.Take(start_);
  EXPECT_THAT(match_.course().steps, SizeIs(1));

  WatchedMatch unknown;
  start_.mutable_snapshot()->mutable_match()->mutable_options()->mutable_general()->set_game(
      "chess");
  unknown.Take(start_);
  EXPECT_EQ(unknown.Take(turns_[0]), "");
  EXPECT_THAT(unknown.course().steps, IsEmpty());
}

TEST_F(WatchedMatchTest, EventsStandAtTheEndOfTheLineOfATurn) {
  EXPECT_THAT(NewsText(turns_[0], false, "capture, new leader"),
              ::testing::EndsWith(" ms  capture, new leader\n"));
  EXPECT_THAT(NewsText(turns_[0], false), ::testing::EndsWith(" ms\n"));
}

}  // namespace
}  // namespace referee::ctl
