#include "referee/host/timers.h"

#include <atomic>
#include <future>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "referee/base/clock.h"
#include "tests/support/simulated_time.h"

namespace referee::host {
namespace {

TEST(ThreadTimers, CallsInOrderOfTimeNotOfAsking) {
  const SystemClock clock;
  ThreadTimers timers(&clock);
  const Instant now = clock.Now();
  std::vector<int> order;
  std::promise<void> done;
  const Timer second = timers.At(now + absl::Milliseconds(20), [&] {
    order.push_back(2);
    done.set_value();
  });
  const Timer first = timers.At(now + absl::Milliseconds(10), [&] { order.push_back(1); });
  done.get_future().wait();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(ThreadTimers, NeverCallsEarly) {
  const SystemClock clock;
  ThreadTimers timers(&clock);
  const Instant when = clock.Now() + absl::Milliseconds(5);
  std::promise<Instant> called;
  const Timer timer = timers.At(when, [&] { called.set_value(clock.Now()); });
  EXPECT_GE(called.get_future().get(), when);
}

TEST(ThreadTimers, DropsWhatIsNotDueWhenItEnds) {
  const SystemClock clock;
  bool called = false;
  Timer timer;
  {
    ThreadTimers timers(&clock);
    timer = timers.At(clock.Now() + absl::Hours(1), [&] { called = true; });
  }
  EXPECT_FALSE(called);
}

TEST(ThreadTimers, DestroyingATimerWaitsForItsCall) {
  const SystemClock clock;
  ThreadTimers timers(&clock);
  std::promise<void> begun;
  std::promise<void> destroying;
  std::atomic<bool> ended{false};
  {
    const Timer timer = timers.At(clock.Now(), [&] {
      begun.set_value();
      destroying.get_future().wait();
      // Long enough for a destructor that does not wait.
      const Instant end = clock.Now() + absl::Milliseconds(20);
      while (clock.Now() < end) std::this_thread::yield();
      ended = true;
    });
    begun.get_future().wait();
    destroying.set_value();
  }
  EXPECT_TRUE(ended);
}

TEST(ThreadTimers, ACallMayDestroyItsTimer) {
  const SystemClock clock;
  ThreadTimers timers(&clock);
  std::promise<void> done;
  Timer timer = timers.At(Instant::InfiniteFuture(), [&] {
    timer = Timer();
    done.set_value();
  });
  timer.SetTo(clock.Now());
  done.get_future().wait();
}

// With a clock that the test moves, for what does not depend on threads.
class TimerTest : public ::testing::Test {
 protected:
  Instant In(int seconds) const { return clock_.Now() + absl::Seconds(seconds); }
  void Pass(int seconds) { timers_.Advance(absl::Seconds(seconds)); }

  referee::testing::SimulatedClock clock_;
  referee::testing::SimulatedTimers timers_{&clock_};
  int calls_ = 0;
  Timer timer_ = timers_.At(In(10), [this] { ++calls_; });
};

TEST_F(TimerTest, CallsOnce) {
  Pass(9);
  EXPECT_EQ(calls_, 0);
  Pass(100);
  EXPECT_EQ(calls_, 1);
}

TEST_F(TimerTest, DestroyedDoesNotCall) {
  timer_ = Timer();
  Pass(100);
  EXPECT_EQ(calls_, 0);
}

TEST_F(TimerTest, ReplacedCallsOnlyAsTheOtherDoes) {
  timer_ = timers_.At(In(1), [this] { calls_ += 10; });
  Pass(100);
  EXPECT_EQ(calls_, 10);
}

TEST_F(TimerTest, IsPutOff) {
  timer_.SetTo(In(20));
  Pass(19);
  EXPECT_EQ(calls_, 0);
  Pass(1);
  EXPECT_EQ(calls_, 1);
}

TEST_F(TimerTest, IsBroughtForwardAndThenCallsNoSecondTime) {
  timer_.SetTo(In(5));
  Pass(5);
  EXPECT_EQ(calls_, 1);
  Pass(100);
  EXPECT_EQ(calls_, 1);
}

TEST_F(TimerTest, BroughtForwardAndPutOffAgainCallsAtTheLast) {
  timer_.SetTo(In(5));
  timer_.SetTo(In(15));
  Pass(14);
  EXPECT_EQ(calls_, 0);
  Pass(100);
  EXPECT_EQ(calls_, 1);
}

TEST_F(TimerTest, SetToInfiniteFutureWaitsUntilItIsSetAgain) {
  timer_.SetTo(Instant::InfiniteFuture());
  Pass(100);
  EXPECT_EQ(calls_, 0);
  timer_.SetTo(In(1));
  Pass(1);
  EXPECT_EQ(calls_, 1);
}

TEST_F(TimerTest, IsSetAgainByItsCall) {
  timer_ = timers_.At(In(1), [this] {
    if (++calls_ < 3) timer_.SetTo(In(1));
  });
  Pass(2);
  EXPECT_EQ(calls_, 2);
  Pass(100);
  EXPECT_EQ(calls_, 3);
}

TEST(ThreadExecutor, WithMoreThreadsDoesSeveralThingsAtOnce) {
  std::atomic<int> arrived{0};
  ThreadExecutor executor(3);
  // Each waits until all three are under way: with fewer threads this would not end.
  for (int i = 0; i < 3; ++i) {
    executor.Run([&arrived] {
      ++arrived;
      while (arrived < 3) std::this_thread::yield();
    });
  }
}

TEST(ThreadExecutor, FinishesWhatWasAskedForBeforeItEnds) {
  std::vector<int> done;
  {
    ThreadExecutor executor;
    for (int i = 0; i < 100; ++i) executor.Run([&done, i] { done.push_back(i); });
  }
  ASSERT_EQ(done.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(done[i], i);
}

}  // namespace
}  // namespace referee::host
