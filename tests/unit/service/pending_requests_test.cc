#include "referee/service/play/pending_requests.h"

#include <gtest/gtest.h>

namespace referee::service {
namespace {

MatchId Id(uint8_t last) {
  uint8_t random[10] = {};
  random[9] = last;
  return MatchId::Make(absl::UnixEpoch(), random);
}
Instant At(int64_t nanos) { return Instant::FromNanos(nanos); }

TEST(PendingRequests, IsSettledByTheAnswerToWhatWasAskedLast) {
  PendingRequests owed;
  owed.Add(Id(1), 7, 0);
  owed.Add(Id(1), 8, 0);
  EXPECT_FALSE(owed.Settle(Id(1), 7, 0).has_value());
  EXPECT_FALSE(owed.Settle(Id(2), 8, 0).has_value());
  EXPECT_FALSE(owed.empty());
  EXPECT_TRUE(owed.Settle(Id(1), 8, 0).has_value());
  EXPECT_FALSE(owed.Settle(Id(1), 8, 0).has_value());
  EXPECT_TRUE(owed.empty());
}

TEST(PendingRequests, KnowsWhenARequestWasSentAndWritten) {
  PendingRequests owed;
  owed.Add(Id(1), 7, 0);
  owed.Add(Id(2), 7, 0);
  owed.Sent(Id(1), 7, 0, At(10));
  owed.Written(Id(1), 7, 0, At(20));
  owed.Sent(Id(2), 6, 0, At(11));
  const PendingRequests::Answer first = *owed.Settle(Id(1), 7, 0);
  EXPECT_EQ(first.sent, At(10));
  EXPECT_EQ(first.written, At(20));
  const PendingRequests::Answer second = *owed.Settle(Id(2), 7, 0);
  EXPECT_EQ(second.sent, Instant::InfiniteFuture());
  EXPECT_EQ(second.written, Instant::InfiniteFuture());
}

TEST(PendingRequests, CountsTheTurnsThatWereSent) {
  PendingRequests owed;
  owed.Add(Id(1), PendingRequests::kReady, 0, At(10));
  owed.Add(Id(2), 7, 0);
  owed.Add(Id(3), 7, 0);
  EXPECT_EQ(owed.turns_sent(), 0);
  owed.Sent(Id(2), 7, 0, At(10));
  owed.Sent(Id(2), 7, 0, At(10));
  owed.Sent(Id(3), 7, 0, At(10));
  EXPECT_EQ(owed.turns_sent(), 2);
  owed.Add(Id(2), 8, 0);
  EXPECT_EQ(owed.turns_sent(), 1);
  owed.Forget(Id(2));
  owed.Settle(Id(3), 7, 0);
  owed.Settle(Id(1), PendingRequests::kReady, 0);
  EXPECT_EQ(owed.turns_sent(), 0);
}

TEST(PendingRequests, KnowsNothingOfATurnThatIsAskedAnew) {
  PendingRequests owed;
  owed.Add(Id(1), 7, 0);
  owed.Sent(Id(1), 7, 0, At(10));
  owed.Written(Id(1), 7, 0, At(20));
  owed.Add(Id(1), 7, 0);
  EXPECT_EQ(owed.Settle(Id(1), 7, 0)->written, Instant::InfiniteFuture());
}

TEST(PendingRequests, IsTheRequestThatTookAnothersPlace) {
  PendingRequests owed;
  owed.Add(Id(1), 7, 0);
  owed.Add(Id(1), 7, 1);
  owed.Sent(Id(1), 7, 0, At(10));
  EXPECT_FALSE(owed.Settle(Id(1), 7, 0).has_value());
  EXPECT_EQ(owed.Settle(Id(1), 7, 1)->sent, Instant::InfiniteFuture());
}

TEST(PendingRequests, LetsEachRequestThatWasReplacedBeAnsweredOnce) {
  PendingRequests owed;
  owed.Add(Id(1), 7, 0);
  EXPECT_FALSE(owed.SettleReplaced(Id(1), 7, 0));
  owed.Add(Id(1), 7, 2);
  EXPECT_FALSE(owed.SettleReplaced(Id(2), 7, 0));
  EXPECT_FALSE(owed.SettleReplaced(Id(1), 6, 0));
  EXPECT_FALSE(owed.SettleReplaced(Id(1), 7, 2));
  EXPECT_TRUE(owed.SettleReplaced(Id(1), 7, 0));
  EXPECT_TRUE(owed.SettleReplaced(Id(1), 7, 1));
  EXPECT_FALSE(owed.SettleReplaced(Id(1), 7, 0));
  EXPECT_TRUE(owed.Settle(Id(1), 7, 2).has_value());
}

TEST(PendingRequests, IsForgottenWithTheMatch) {
  PendingRequests owed;
  owed.Add(Id(1), PendingRequests::kReady, 0);
  owed.Forget(Id(1));
  EXPECT_TRUE(owed.empty());
  owed.Written(Id(1), PendingRequests::kReady, 0, At(1));
  EXPECT_TRUE(owed.empty());
}

}  // namespace
}  // namespace referee::service
