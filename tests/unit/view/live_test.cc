// A match that is followed has the frames that its replay has.
#include "referee/view/live.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/playback.h"
#include "referee/view/view.h"
#include "tests/unit/replay/sample.h"
#include "tests/unit/view/pig_sample.h"
#include "tests/unit/view/to_watcher.h"

namespace referee::view {
namespace {

using ::referee::testing::SnapshotAt;
using ::referee::testing::ToWatcher;
using replay::PlaySample;
using replay::Replay;
using replay::SampleOptions;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// The match of a replay as who watches it from step `from` on is told it.
struct Watched {
  // `unbegun`: from before it had begun.
  explicit Watched(const Replay& replay, size_t from = 0, bool unbegun = false) {
    const replay::Playback playback(replay);
    const match::Setup& setup = replay.setup;
    v1::Snapshot snapshot = SnapshotAt(replay, playback, from);
    if (unbegun) snapshot.clear_position_text();
    const std::unique_ptr<LiveMatch> match = LiveMatch::Begin(setup.game, snapshot).value();
    EXPECT_EQ(match->start().has_value(), !unbegun);
    if (match->start()) steps.push_back(*match->start());
    size_t at = 0;
    for (const match::Record& record : replay.records) {
      const auto* const turn = std::get_if<match::Played>(&record);
      const auto* const forfeit = std::get_if<match::Forfeited>(&record);
      if ((turn == nullptr && forfeit == nullptr) || ++at <= from) continue;
      const auto taken =
          turn != nullptr ? match->Take(ToWatcher(setup, *turn)) : match->Take(ToWatcher(*forfeit));
      problem = taken.status();
      if (!taken.ok()) return;
      for (const LiveStep& step : *taken) steps.push_back(step);
    }
  }

  std::vector<LiveStep> steps;
  absl::Status problem;
};

TEST(LiveMatch, HasTheFramesOfItsReplayWithTheRollsThatNobodyTold) {
  SampleOptions six;
  six.seats = 6;
  six.committed = true;
  SampleOptions isaac;
  isaac.game = "isaac";
  SampleOptions resigned;
  resigned.seats = 3;
  resigned.resign_at = 9;
  for (const SampleOptions& options : {SampleOptions(), six, isaac, PigSample(), resigned}) {
    const Replay replay = PlaySample(options);
    const v1::MatchView view = MakeView(replay, "");
    const Watched watched(replay);
    ASSERT_TRUE(watched.problem.ok()) << watched.problem;
    ASSERT_THAT(watched.steps, SizeIs(view.frames_size())) << options.game;
    for (int i = 0; i < view.frames_size(); ++i) {
      v1::Frame expected = view.frames(i);
      expected.clear_draws();  // their labels count from the start of the match
      EXPECT_EQ(watched.steps[static_cast<size_t>(i)].frame.DebugString(), expected.DebugString())
          << options.game << ", step " << i;
    }
  }
}

TEST(LiveMatch, HasItsStartOnceItsFirstTurnIsPlayed) {
  SampleOptions isaac;
  isaac.game = "isaac";
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    SampleOptions four;
    four.seats = 4;
    for (SampleOptions options : {SampleOptions(), four, isaac, PigSample()}) {
      options.seed = seed;
      const Replay replay = PlaySample(options);
      const v1::MatchView view = MakeView(replay, "");
      const Watched watched(replay, 0, /*unbegun=*/true);
      ASSERT_TRUE(watched.problem.ok()) << options.game << ": " << watched.problem;
      ASSERT_THAT(watched.steps, SizeIs(view.frames_size())) << options.game;
      for (size_t i = 0; i < watched.steps.size(); ++i) {
        EXPECT_EQ(watched.steps[i].frame.position(), view.frames(static_cast<int>(i)).position());
      }
    }
  }
}

TEST(LiveMatch, MayBeginInTheMiddle) {
  const Replay replay = PlaySample({});
  const v1::MatchView view = MakeView(replay, "");
  const Watched watched(replay, 10);
  ASSERT_TRUE(watched.problem.ok()) << watched.problem;
  ASSERT_THAT(watched.steps, SizeIs(view.frames_size() - 10));
  EXPECT_EQ(watched.steps[0].frame.text(), "After turn 10.");
  for (size_t i = 0; i < watched.steps.size(); ++i) {
    EXPECT_EQ(watched.steps[i].frame.position(), view.frames(static_cast<int>(i) + 10).position());
  }
}

TEST(LiveMatch, ThatEndsForTheNumberOfItsTurnsShowsTheLastOfThem) {
  SampleOptions options;
  options.options = {{"turn_limit", "20"}};
  const Replay replay = PlaySample(options);
  const Watched watched(replay, 15);
  ASSERT_TRUE(watched.problem.ok()) << watched.problem;
  ASSERT_THAT(watched.steps, SizeIs(6));
  const v1::Frame& last = watched.steps.back().frame;
  EXPECT_EQ(last.turn(), 20u);
  EXPECT_FALSE(last.has_next_seat()) << "the position that it was watched from counts no turns";
  EXPECT_THAT(last.next_dice(), IsEmpty());
}

TEST(LiveMatch, RefusesWhatTheMatchCannotHaveComeTo) {
  const Replay replay = PlaySample({});
  const replay::Playback playback(replay);
  v1::Snapshot snapshot;
  snapshot.set_position_text("nonsense");
  EXPECT_FALSE(LiveMatch::Begin(replay.setup.game, snapshot).ok());
  snapshot.set_position_text(playback.steps()[0].state->Position());
  EXPECT_FALSE(LiveMatch::Begin(replay.setup.game, snapshot).ok()) << "there are no bots";
  for (const std::string& bot : replay.setup.bots) snapshot.mutable_match()->add_bots(bot);

  const v1::TurnPlayed right = ToWatcher(replay.setup, *playback.steps()[1].turn);
  std::vector<v1::TurnPlayed> wrong(4, right);
  wrong[0].set_seat(1 - right.seat());
  wrong[1].set_notation("nonsense");
  wrong[2].set_seat(4'000'000'000u);
  for (int i = 0; i < 50; ++i) wrong[3].add_dice(1);
  for (const v1::TurnPlayed& turn : wrong) {
    const auto match = LiveMatch::Begin(replay.setup.game, snapshot).value();
    EXPECT_FALSE(match->Take(turn).ok());
    EXPECT_FALSE(match->Take(right).ok()) << "it takes nothing more";
  }
  v1::SeatForfeited forfeit;
  forfeit.set_seat(200);
  const auto match = LiveMatch::Begin(replay.setup.game, snapshot).value();
  EXPECT_FALSE(match->Take(forfeit).ok());
}

}  // namespace
}  // namespace referee::view
