// Tests of watching a match on a terminal, without the terminal.
#include "referee/ctl/match/watched_match.h"

#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/ctl/match/text.h"
#include "referee/ctl/replay/view.h"
#include "tests/unit/replay/sample.h"
#include "tests/unit/view/told_match.h"

namespace referee::ctl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class WatchedMatchTest : public ::testing::Test {
 protected:
  WatchedMatchTest() {
    start_ = told_.snapshot;
    *start_.mutable_snapshot()->mutable_match() = told_.description;
    turns_.assign(start_.history().begin(), start_.history().end());
    start_.clear_history();
    v1::Verdict* const verdict = end_.mutable_verdict();
    verdict->set_state(v1::MATCH_STATE_FINISHED);
    verdict->set_reason("CENTRE_FULL");
  }
  std::string Status(const MatchView& view) const {
    return std::vector<std::string>(absl::StrSplit(view.Screen(), '\n')).back();
  }

  const view::ToldMatch told_{replay::SampleOptions()};
  v1::WatchMatchResponse start_;
  std::vector<v1::WatchMatchResponse> turns_;
  v1::WatchMatchResponse end_;
  WatchedMatch match_;
};

TEST_F(WatchedMatchTest, StopsWhereThePageOfItsReplayDoes) {
  const v1::MatchView& page = told_.view;
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

TEST_F(WatchedMatchTest, HasWhatWasPlayedBeforeItWasWatched) {
  match_.Take(start_);
  for (const v1::WatchMatchResponse& turn : turns_) match_.Take(turn);
  v1::WatchMatchResponse late = start_;
  for (const v1::WatchMatchResponse& turn : turns_) *late.add_history() = turn;
  WatchedMatch other;
  other.Take(late);
  ASSERT_THAT(other.course().steps, SizeIs(turns_.size() + 1));
  EXPECT_EQ(other.course().steps.back().position, match_.course().steps.back().position);
  EXPECT_EQ(other.course().steps.back().clocks[0].used,
            match_.course().steps.back().clocks[0].used);
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
  waiting.set_started(false);
  waiting.clear_drawn();
  match_.Take(waiting);
  EXPECT_THAT(match_.course().steps, IsEmpty());
  match_.Take(start_);
  EXPECT_THAT(match_.course().steps, SizeIs(1));

  WatchedMatch unknown;
  start_.mutable_snapshot()->mutable_match()->set_game("chess");
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
