#include "referee/host/timers.h"

#include <atomic>
#include <future>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "referee/base/clock.h"

namespace referee::host {
namespace {

TEST(ThreadTimers, CallsInOrderOfTimeNotOfAsking) {
  const SystemClock clock;
  ThreadTimers timers(&clock);
  const Instant now = clock.Now();
  std::vector<int> order;
  std::promise<void> done;
  timers.At(now + absl::Milliseconds(20), [&] {
    order.push_back(2);
    done.set_value();
  });
  timers.At(now + absl::Milliseconds(10), [&] { order.push_back(1); });
  done.get_future().wait();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(ThreadTimers, NeverCallsEarly) {
  const SystemClock clock;
  ThreadTimers timers(&clock);
  const Instant when = clock.Now() + absl::Milliseconds(5);
  std::promise<Instant> called;
  timers.At(when, [&] { called.set_value(clock.Now()); });
  EXPECT_GE(called.get_future().get(), when);
}

TEST(ThreadTimers, DropsWhatIsNotDueWhenItEnds) {
  const SystemClock clock;
  bool called = false;
  {
    ThreadTimers(&clock).At(clock.Now() + absl::Hours(1), [&] { called = true; });
  }
  EXPECT_FALSE(called);
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
