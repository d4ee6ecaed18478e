#include "referee/ctl/match/text.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/limits.h"

namespace referee::ctl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(MatchText, StatesAreReadAsTheyAreWritten) {
  for (const auto state :
       {v1::MATCH_STATE_WAITING, v1::MATCH_STATE_RUNNING, v1::MATCH_STATE_FINISHED,
        v1::MATCH_STATE_VOID, v1::MATCH_STATE_CANCELLED}) {
    EXPECT_EQ(ParseState(StateText(state)).value(), state);
  }
  EXPECT_FALSE(ParseState("unspecified").ok());
  EXPECT_FALSE(ParseState("").ok());
}

TEST(MatchText, TurnIsALine) {
  v1::WatchMatchResponse news;
  v1::TurnPlayed* const turn = news.mutable_turn_played();
  turn->set_turn(12);
  turn->set_seat(1);
  turn->add_dice(3);
  turn->add_dice(1);
  turn->set_notation("3:A0>A3");
  turn->mutable_time_used()->set_nanos(1'500'000);
  EXPECT_EQ(NewsText(news, false), "  12 b 31 3:A0>A3  1.5 ms\n");
}

TEST(MatchText, VerdictHasRanksAndScores) {
  v1::WatchMatchResponse news;
  v1::Verdict* const verdict = news.mutable_verdict();
  verdict->set_state(v1::MATCH_STATE_FINISHED);
  verdict->set_reason("CENTRE_FULL");
  for (const int rank : {2, 1}) verdict->add_ranks(static_cast<uint32_t>(rank));
  for (const int score : {-3, 9}) verdict->add_scores(score);
  EXPECT_EQ(NewsText(news, false),
            "finished: CENTRE_FULL\n  a rank 2, score -3\n  b rank 1, score 9\n");
}

TEST(MatchText, SnapshotHasTheWholeTimeControl) {
  v1::Snapshot snapshot;
  v1::TimeControl* const time = snapshot.mutable_match()->mutable_time_control();
  time->mutable_per_move()->set_seconds(1);
  time->mutable_first_move()->set_seconds(5);
  time->mutable_ready()->set_seconds(3);
  EXPECT_THAT(SnapshotText(snapshot, false), HasSubstr("time 1s,first=5s,ready=3s\n"));
}

TEST(MatchText, UnknownGameIsShownAsFarAsItGoes) {
  v1::Snapshot snapshot;
  snapshot.mutable_match()->set_game("chess");
  snapshot.mutable_match()->add_bots("alice");
  snapshot.set_position_text("e4");
  snapshot.set_seat_to_move(limits::kMaxSeats);
  EXPECT_THAT(SnapshotText(snapshot, false),
              AllOf(HasSubstr("bot a alice"), HasSubstr("position e4\n"), HasSubstr("? to move")));
}

}  // namespace
}  // namespace referee::ctl
