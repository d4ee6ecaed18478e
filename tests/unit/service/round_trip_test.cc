#include "referee/service/play/round_trip.h"

#include <gtest/gtest.h>

namespace referee::service {
namespace {

class RoundTripTest : public ::testing::Test {
 protected:
  void Pass(absl::Duration time) { now_ = now_ + time; }
  // Pings, and answers after `time`.
  void Measure(absl::Duration time) {
    Pass(absl::Seconds(1));
    const uint64_t number = trip_.Ping(now_);
    ASSERT_NE(number, 0u);
    Pass(time);
    EXPECT_TRUE(trip_.Pong(number, now_));
  }

  Instant now_ = Instant::FromNanos(1'000'000'000);
  RoundTrip trip_;
};

TEST_F(RoundTripTest, IsNothingUntilAPongHasCome) {
  EXPECT_EQ(trip_.estimate(), absl::ZeroDuration());
  EXPECT_NE(trip_.Ping(now_), 0u);
  trip_.Replied(absl::Seconds(1));
  EXPECT_EQ(trip_.estimate(), absl::ZeroDuration());
  EXPECT_FALSE(trip_.Pong(2, now_));
  EXPECT_EQ(trip_.estimate(), absl::ZeroDuration());
}

TEST_F(RoundTripTest, PingsOnceASecondAtMost) {
  EXPECT_EQ(trip_.Ping(now_), 1u);
  EXPECT_TRUE(trip_.Pong(1, now_));
  Pass(limits::kPingInterval - absl::Nanoseconds(1));
  EXPECT_EQ(trip_.Ping(now_), 0u);
  Pass(absl::Nanoseconds(1));
  EXPECT_EQ(trip_.Ping(now_), 2u);
}

TEST_F(RoundTripTest, HasOnePingUnderWayUntilItIsGivenUp) {
  EXPECT_EQ(trip_.Ping(now_), 1u);
  Pass(limits::kPingPatience - absl::Nanoseconds(1));
  EXPECT_EQ(trip_.Ping(now_), 0u);
  Pass(absl::Nanoseconds(1));
  EXPECT_EQ(trip_.Ping(now_), 2u);
  EXPECT_FALSE(trip_.Pong(1, now_)) << "given up";
  EXPECT_TRUE(trip_.Pong(2, now_));
}

TEST_F(RoundTripTest, TakesEachPongOnceAndNoneThatWasNotAskedFor) {
  EXPECT_FALSE(trip_.Pong(0, now_));
  EXPECT_FALSE(trip_.Pong(1, now_));
  EXPECT_EQ(trip_.Ping(now_), 1u);
  EXPECT_FALSE(trip_.Pong(2, now_));
  EXPECT_TRUE(trip_.Pong(1, now_));
  EXPECT_FALSE(trip_.Pong(1, now_));
}

TEST_F(RoundTripTest, FallsAtOnceAndRisesSlowly) {
  Measure(absl::Milliseconds(20));
  EXPECT_EQ(trip_.estimate(), absl::Milliseconds(20));
  Measure(absl::Milliseconds(4));
  EXPECT_EQ(trip_.estimate(), absl::Milliseconds(4));
  Measure(absl::Milliseconds(84));
  EXPECT_EQ(trip_.estimate(), absl::Milliseconds(14));
  for (int i = 0; i < 100; ++i) Measure(absl::Milliseconds(84));
  EXPECT_GT(trip_.estimate(), absl::Milliseconds(83)) << "the network has changed";
}

TEST_F(RoundTripTest, IsNeverMoreThanAReplyHasTaken) {
  Measure(absl::Milliseconds(500));
  trip_.Replied(absl::Seconds(2));
  EXPECT_EQ(trip_.estimate(), absl::Milliseconds(500));
  trip_.Replied(absl::Milliseconds(3));
  EXPECT_EQ(trip_.estimate(), absl::Milliseconds(3));
}

TEST_F(RoundTripTest, IsNeverMoreThanAReplyHasTakenThatCameBeforeThePong) {
  EXPECT_EQ(trip_.Ping(now_), 1u);
  trip_.Replied(absl::Milliseconds(3));
  Pass(absl::Milliseconds(500));
  EXPECT_TRUE(trip_.Pong(1, now_));
  EXPECT_EQ(trip_.estimate(), absl::Milliseconds(3));
}

// The records are checked to the last nanosecond, and hold no parts of one.
TEST_F(RoundTripTest, IsWholeNanoseconds) {
  Measure(absl::Nanoseconds(1'000));
  Measure(absl::Nanoseconds(1'001));
  EXPECT_EQ(trip_.estimate(), absl::Nanoseconds(1'000));
  Measure(absl::Nanoseconds(1'009));
  EXPECT_EQ(trip_.estimate(), absl::Nanoseconds(1'001));
}

// The bot answers in 2 ms what it knows at once, and holds back every pong for 100 ms.
TEST_F(RoundTripTest, IsNotBoughtByHoldingBackPongsAlone) {
  for (int i = 0; i < 100; ++i) {
    Measure(absl::Milliseconds(100));
    trip_.Replied(absl::Milliseconds(2));
    EXPECT_EQ(trip_.estimate(), absl::Milliseconds(2));
  }
  for (int i = 0; i < 100; ++i) {
    Pass(absl::Seconds(1));
    const uint64_t number = trip_.Ping(now_);
    trip_.Replied(absl::Milliseconds(2));
    Pass(absl::Milliseconds(100));
    EXPECT_TRUE(trip_.Pong(number, now_));
    EXPECT_EQ(trip_.estimate(), absl::Milliseconds(2));
  }
}

}  // namespace
}  // namespace referee::service
