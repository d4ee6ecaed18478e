#include "referee/base/mutex.h"

#include <chrono>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace referee {
namespace {

struct Counter {
  Mutex mutex;
  CondVar changed;
  int value ABSL_GUARDED_BY(mutex) = 0;
};

TEST(Mutex, LetsOneThreadInAtATime) {
  Counter counter;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&counter] {
      for (int i = 0; i < 1'000; ++i) {
        MutexLock lock(&counter.mutex);
        ++counter.value;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  MutexLock lock(&counter.mutex);
  EXPECT_EQ(counter.value, 4'000);
}

TEST(CondVar, WaitSeesWhatTheOtherThreadDid) {
  Counter counter;
  std::thread other([&counter] {
    MutexLock lock(&counter.mutex);
    counter.value = 7;
    counter.changed.NotifyAll();
  });
  {
    MutexLock lock(&counter.mutex);
    while (counter.value == 0) counter.changed.Wait(&counter.mutex);
    EXPECT_EQ(counter.value, 7);
  }
  other.join();
}

TEST(CondVar, WaitForHoldsTheMutexAgainAfterItsTime) {
  Counter counter;
  MutexLock lock(&counter.mutex);
  counter.changed.WaitFor(&counter.mutex, std::chrono::milliseconds(1));
  ++counter.value;
  EXPECT_EQ(counter.value, 1);
}

}  // namespace
}  // namespace referee
