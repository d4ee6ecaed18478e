// Tests that the frames of a live match equal those of its replay.
#include "referee/view/live_match.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/replay/sample.h"
#include "tests/unit/view/pig_sample.h"
#include "tests/unit/view/told_match.h"

namespace referee::view {
namespace {

using replay::SampleOptions;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<SampleOptions> Samples() {
  SampleOptions six;
  six.seats = 6;
  six.committed = true;
  SampleOptions isaac;
  isaac.game = "isaac";
  SampleOptions resigned;
  resigned.seats = 3;
  resigned.resign_at = 9;
  SampleOptions cancelled;
  cancelled.cancel_at = 7;
  return {SampleOptions(),
          six,
          isaac,
          PigSample(),
          resigned,
          cancelled,
          replay::EventfulSample(),
          replay::TimedOutSample()};
}

std::string Text(v1::Frame frame) {
  // The last frame of a replay has it whatever the ending was.
  auto* const events = frame.mutable_events();
  events->erase(std::remove(events->begin(), events->end(), v1::FRAME_EVENT_END), events->end());
  return frame.DebugString();
}

TEST(LiveMatch, HasTheFramesOfItsReplayFromItsHistory) {
  for (const SampleOptions& options : Samples()) {
    const ToldMatch told(options);
    LiveMatch live(told.description);
    const std::vector<LiveMatch::Step> steps = live.Begin(told.snapshot);
    EXPECT_TRUE(live.problem().ok()) << options.game << ": " << live.problem();
    ASSERT_EQ(static_cast<int>(steps.size()), told.view.frames_size()) << options.game;
    for (int i = 0; i < told.view.frames_size(); ++i) {
      EXPECT_EQ(Text(steps[static_cast<size_t>(i)].frame), Text(told.view.frames(i)))
          << options.game << " " << i;
    }
  }
}

TEST(LiveMatch, HasTheSameFramesEventByEvent) {
  for (const SampleOptions& options : Samples()) {
    ToldMatch told(options);
    LiveMatch live(told.description);
    v1::WatchMatchResponse start = told.snapshot;
    start.clear_history();
    std::vector<LiveMatch::Step> steps = live.Begin(start);
    for (const v1::WatchMatchResponse& event : told.snapshot.history()) live.Take(event, &steps);
    ASSERT_EQ(static_cast<int>(steps.size()), told.view.frames_size()) << options.game;
    EXPECT_EQ(Text(steps.back().frame), Text(told.view.frames(told.view.frames_size() - 1)));
  }
}

TEST(LiveMatch, IsDescribedAsItsReplayIs) {
  for (const SampleOptions& options : Samples()) {
    ToldMatch told(options);
    LiveMatch live(told.description);
    told.view.clear_frames();
    told.view.clear_ledger();
    told.view.clear_verdict();
    EXPECT_EQ(live.head().DebugString(), told.view.DebugString()) << options.game;
  }
}

TEST(LiveMatch, EndsItsFramesWhenTheGameIsOver) {
  const ToldMatch told{SampleOptions()};
  LiveMatch live(told.description);
  const std::vector<LiveMatch::Step> steps = live.Begin(told.snapshot);
  EXPECT_THAT(steps.back().frame.events(), ::testing::Contains(v1::FRAME_EVENT_END));
  EXPECT_THAT(steps.front().frame.events(),
              ::testing::Not(::testing::Contains(v1::FRAME_EVENT_END)));
}

TEST(LiveMatch, OfAGameThatIsNotKnownHasAProblemAndNoFrames) {
  ToldMatch told{SampleOptions()};
  told.description.set_game("go");
  LiveMatch live(told.description);
  EXPECT_THAT(live.Begin(told.snapshot), IsEmpty());
  EXPECT_THAT(live.head().problem(), HasSubstr("go"));
}

// Whatever a referee says: the frames end, and whoever watches goes on.
TEST(LiveMatch, EndsItsFramesAtWhatCannotBe) {
  const ToldMatch told{SampleOptions()};
  const auto lie = [&told](const std::function<void(v1::WatchMatchResponse*)>& change) {
    v1::WatchMatchResponse snapshot = told.snapshot;
    change(&snapshot);
    LiveMatch live(told.description);
    const size_t frames = live.Begin(snapshot).size();
    EXPECT_FALSE(live.problem().ok());
    EXPECT_NE(live.head().problem(), "");
    return frames;
  };
  using Event = v1::WatchMatchResponse;
  EXPECT_EQ(lie([](Event* e) { e->clear_drawn(); }), 0u);
  EXPECT_EQ(lie([](Event* e) { e->set_drawn(0, 7); }), 0u);
  EXPECT_EQ(lie([](Event* e) { e->set_drawn(0, 0); }), 0u);
  EXPECT_EQ(lie([](Event* e) { e->mutable_history(3)->clear_drawn(); }), 4u);
  EXPECT_EQ(lie([](Event* e) { e->mutable_history(3)->mutable_turn_played()->set_seat(9); }), 4u);
  EXPECT_EQ(
      lie([](Event* e) { e->mutable_history(3)->mutable_turn_played()->set_notation("9:Z1>Z2"); }),
      4u);
  EXPECT_EQ(lie([](Event* e) { e->mutable_history(3)->mutable_seat_forfeited()->set_seat(200); }),
            4u);
}

}  // namespace
}  // namespace referee::view
