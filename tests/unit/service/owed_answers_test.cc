#include "referee/service/play/owed_answers.h"
#include "tests/support/match_id.h"

#include <gtest/gtest.h>

#include <string>

namespace referee::service {
namespace {

using ::referee::testing::NumberedId;

Instant AtMillis(int64_t millis) { return Instant::FromNanos(millis * 1'000'000); }

// Asks for a turn of `matches` matches, and sends the requests at 0.
OwedAnswers AskedIn(int matches) {
  OwedAnswers owed;
  for (int i = 0; i < matches; ++i) {
    const MatchId match = NumberedId(static_cast<uint8_t>(i));
    owed.Add(match, 1, 0);
    owed.NoteSent(match, 1, 0, AtMillis(0));
  }
  return owed;
}

TEST(OwedAnswers, SettleARequestOnce) {
  OwedAnswers owed = AskedIn(1);
  owed.NoteWritten(NumberedId(0), 1, 0, AtMillis(1));
  const OwedAnswers::Settled first = owed.Settle(NumberedId(0), 1, 0, AtMillis(5));
  EXPECT_TRUE(first.asked);
  EXPECT_EQ(first.written, AtMillis(1));
  EXPECT_TRUE(owed.empty());
  EXPECT_FALSE(owed.Settle(NumberedId(0), 1, 0, AtMillis(6)).asked);
}

TEST(OwedAnswers, CountAnAnswerToAReplacedRequestAsAskedForAndStillOweTheOther) {
  OwedAnswers owed;
  owed.Add(NumberedId(0), 7, 0);
  owed.Add(NumberedId(0), 7, 1);
  const OwedAnswers::Settled replaced = owed.Settle(NumberedId(0), 7, 0, AtMillis(1));
  EXPECT_TRUE(replaced.asked);
  EXPECT_EQ(replaced.written, Instant::InfiniteFuture());
  EXPECT_FALSE(owed.empty());
  EXPECT_FALSE(owed.Settle(NumberedId(0), 7, 0, AtMillis(2)).asked) << "once each";
}

TEST(OwedAnswers, HoldTurnsBackWhileABotThatAnswersAtOnceOwesMore) {
  OwedAnswers owed = AskedIn(6);
  EXPECT_FALSE(owed.HoldsBack(1)) << "it has not answered yet";
  owed.Settle(NumberedId(0), 1, 0, AtMillis(1));
  EXPECT_TRUE(owed.HoldsBack(1));
  EXPECT_TRUE(owed.HoldsBack(4));
  EXPECT_FALSE(owed.HoldsBack(5)) << "as many as it owes";
}

TEST(OwedAnswers, HoldNothingBackFromABotThatThinks) {
  OwedAnswers owed = AskedIn(6);
  owed.Settle(NumberedId(0), 1, 0, AtMillis(2));
  EXPECT_FALSE(owed.HoldsBack(1));
}

TEST(OwedAnswers, HoldNothingBackForFewTurns) {
  OwedAnswers owed = AskedIn(4);
  owed.Settle(NumberedId(0), 1, 0, AtMillis(1));
  EXPECT_FALSE(owed.HoldsBack(1)) << "four together";
  EXPECT_TRUE(owed.HoldsBack(2)) << "five together";
}

TEST(OwedAnswers, BoundTheRoundTripByTheTimeOfAnAnswer) {
  OwedAnswers owed = AskedIn(1);
  EXPECT_TRUE(owed.Pong(owed.Ping(AtMillis(0)), AtMillis(50)));
  EXPECT_EQ(owed.round_trip(), absl::Milliseconds(50));
  owed.Settle(NumberedId(0), 1, 0, AtMillis(3));
  EXPECT_EQ(owed.round_trip(), absl::Milliseconds(3));
}

TEST(OwedAnswers, ForgetAMatchThatHasEnded) {
  OwedAnswers owed = AskedIn(1);
  owed.EndMatch(NumberedId(0), absl::nullopt);
  EXPECT_TRUE(owed.empty());
  EXPECT_FALSE(owed.Settle(NumberedId(0), 1, 0, AtMillis(1)).asked);
}

TEST(OwedAnswers, ExplainAReplyThatLostItsMatchOnTime) {
  OwedAnswers owed = AskedIn(1);
  const std::string id = NumberedId(0).text();
  owed.EndMatch(NumberedId(0), match::LostTurn{1, AtMillis(100), absl::Milliseconds(100)});
  const absl::Status late = owed.WhyNotInMatch(id, 1, AtMillis(130));
  EXPECT_NE(late.message().find("the match is over"), absl::string_view::npos) << late;
  EXPECT_NE(owed.WhyNotInMatch(id, 2, AtMillis(130)), late) << "another turn";
  EXPECT_NE(owed.WhyNotInMatch(NumberedId(1).text(), 1, AtMillis(130)), late) << "another match";
}

TEST(OwedAnswers, RememberOnlyTheLatestLostTurns) {
  OwedAnswers owed;
  const match::LostTurn lost{1, AtMillis(100), absl::Milliseconds(100)};
  for (uint8_t i = 0; i < 65; ++i) owed.EndMatch(NumberedId(i), lost);
  const auto is_explained = [&](uint8_t match) {
    const absl::Status why = owed.WhyNotInMatch(NumberedId(match).text(), 1, AtMillis(130));
    return why.message().find("the move is late") != absl::string_view::npos;
  };
  EXPECT_FALSE(is_explained(0));
  EXPECT_TRUE(is_explained(1));
  EXPECT_TRUE(is_explained(64));
}

}  // namespace
}  // namespace referee::service
