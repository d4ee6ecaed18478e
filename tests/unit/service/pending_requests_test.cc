#include "referee/service/play/pending_requests.h"
#include "tests/support/match_id.h"

#include <gtest/gtest.h>

namespace referee::service {
namespace {

using ::referee::testing::NumberedId;

Instant At(int64_t nanos) { return Instant::FromNanos(nanos); }

TEST(PendingRequests, IsSettledByTheAnswerToWhatWasAskedLast) {
  PendingRequests owed;
  owed.Add(NumberedId(1), 7, 0);
  owed.Add(NumberedId(1), 8, 0);
  EXPECT_FALSE(owed.Settle(NumberedId(1), 7, 0).has_value());
  EXPECT_FALSE(owed.Settle(NumberedId(2), 8, 0).has_value());
  EXPECT_FALSE(owed.empty());
  EXPECT_TRUE(owed.Settle(NumberedId(1), 8, 0).has_value());
  EXPECT_FALSE(owed.Settle(NumberedId(1), 8, 0).has_value());
  EXPECT_TRUE(owed.empty());
}

TEST(PendingRequests, KnowsWhenARequestWasSentAndWritten) {
  PendingRequests owed;
  owed.Add(NumberedId(1), 7, 0);
  owed.Add(NumberedId(2), 7, 0);
  owed.Sent(NumberedId(1), 7, 0, At(10));
  owed.Written(NumberedId(1), 7, 0, At(20));
  owed.Sent(NumberedId(2), 6, 0, At(11));
  const PendingRequests::Answer first = *owed.Settle(NumberedId(1), 7, 0);
  EXPECT_EQ(first.sent, At(10));
  EXPECT_EQ(first.written, At(20));
  const PendingRequests::Answer second = *owed.Settle(NumberedId(2), 7, 0);
  EXPECT_EQ(second.sent, Instant::InfiniteFuture());
  EXPECT_EQ(second.written, Instant::InfiniteFuture());
}

TEST(PendingRequests, CountsTheTurnsThatWereSent) {
  PendingRequests owed;
  owed.Add(NumberedId(1), PendingRequests::kReady, 0, At(10));
  owed.Add(NumberedId(2), 7, 0);
  owed.Add(NumberedId(3), 7, 0);
  EXPECT_EQ(owed.turns_sent(), 0);
  owed.Sent(NumberedId(2), 7, 0, At(10));
  owed.Sent(NumberedId(2), 7, 0, At(10));
  owed.Sent(NumberedId(3), 7, 0, At(10));
  EXPECT_EQ(owed.turns_sent(), 2);
  owed.Add(NumberedId(2), 8, 0);
  EXPECT_EQ(owed.turns_sent(), 1);
  owed.Forget(NumberedId(2));
  owed.Settle(NumberedId(3), 7, 0);
  owed.Settle(NumberedId(1), PendingRequests::kReady, 0);
  EXPECT_EQ(owed.turns_sent(), 0);
}

TEST(PendingRequests, KnowsNothingOfATurnThatIsAskedAnew) {
  PendingRequests owed;
  owed.Add(NumberedId(1), 7, 0);
  owed.Sent(NumberedId(1), 7, 0, At(10));
  owed.Written(NumberedId(1), 7, 0, At(20));
  owed.Add(NumberedId(1), 7, 0);
  EXPECT_EQ(owed.Settle(NumberedId(1), 7, 0)->written, Instant::InfiniteFuture());
}

TEST(PendingRequests, IsTheRequestThatTookAnothersPlace) {
  PendingRequests owed;
  owed.Add(NumberedId(1), 7, 0);
  owed.Add(NumberedId(1), 7, 1);
  owed.Sent(NumberedId(1), 7, 0, At(10));
  EXPECT_FALSE(owed.Settle(NumberedId(1), 7, 0).has_value());
  EXPECT_EQ(owed.Settle(NumberedId(1), 7, 1)->sent, Instant::InfiniteFuture());
}

TEST(PendingRequests, LetsEachRequestThatWasReplacedBeAnsweredOnce) {
  PendingRequests owed;
  owed.Add(NumberedId(1), 7, 0);
  EXPECT_FALSE(owed.SettleReplaced(NumberedId(1), 7, 0));
  owed.Add(NumberedId(1), 7, 2);
  EXPECT_FALSE(owed.SettleReplaced(NumberedId(2), 7, 0));
  EXPECT_FALSE(owed.SettleReplaced(NumberedId(1), 6, 0));
  EXPECT_FALSE(owed.SettleReplaced(NumberedId(1), 7, 2));
  EXPECT_TRUE(owed.SettleReplaced(NumberedId(1), 7, 0));
  EXPECT_TRUE(owed.SettleReplaced(NumberedId(1), 7, 1));
  EXPECT_FALSE(owed.SettleReplaced(NumberedId(1), 7, 0));
  EXPECT_TRUE(owed.Settle(NumberedId(1), 7, 2).has_value());
}

TEST(PendingRequests, IsForgottenWithTheMatch) {
  PendingRequests owed;
  owed.Add(NumberedId(1), PendingRequests::kReady, 0);
  owed.Forget(NumberedId(1));
  EXPECT_TRUE(owed.empty());
  owed.Written(NumberedId(1), PendingRequests::kReady, 0, At(1));
  EXPECT_TRUE(owed.empty());
}

}  // namespace
}  // namespace referee::service
