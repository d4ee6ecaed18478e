#include "referee/metrics/instruments.h"

#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace referee::metrics {
namespace {

constexpr int kThreads = 24;  // more than there are shards
constexpr uint64_t kEach = 10'000;

void InThreads(const std::function<void()>& act) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(act);
  for (std::thread& thread : threads) thread.join();
}

TEST(Counter, SumsWhatManyThreadsAdd) {
  Counter counter;
  InThreads([&] {
    for (uint64_t i = 0; i < kEach; ++i) counter.Add(2);
  });
  EXPECT_EQ(counter.Sum(), 2 * kThreads * kEach);
}

TEST(Histogram, SumsWhatManyThreadsObserve) {
  Histogram histogram;
  InThreads([&] {
    for (uint64_t i = 0; i < kEach; ++i) histogram.Observe(absl::Milliseconds(2));
  });
  const Histogram::Snapshot read = histogram.Read();
  EXPECT_EQ(read.buckets[5], kThreads * kEach);
  EXPECT_DOUBLE_EQ(read.sum_seconds, kThreads * kEach * 0.002);
}

TEST(Histogram, BoundBelongsToItsBucketAndOneMoreToTheNext) {
  for (size_t i = 0; i < Histogram::kBoundsNanos.size(); ++i) {
    Histogram histogram;
    histogram.Observe(absl::Nanoseconds(Histogram::kBoundsNanos[i]));
    histogram.Observe(absl::Nanoseconds(Histogram::kBoundsNanos[i] + 1));
    const Histogram::Snapshot read = histogram.Read();
    EXPECT_EQ(read.buckets[i], 1) << i;
    EXPECT_EQ(read.buckets[i + 1], 1) << i;
  }
}

TEST(Histogram, NegativeDurationCountsAsZeroAndInfiniteOneAsADay) {
  Histogram histogram;
  histogram.Observe(-absl::Seconds(1));
  EXPECT_EQ(histogram.Read().buckets.front(), 1);
  EXPECT_EQ(histogram.Read().sum_seconds, 0);
  histogram.Observe(absl::InfiniteDuration());
  EXPECT_EQ(histogram.Read().buckets.back(), 1);
  EXPECT_DOUBLE_EQ(histogram.Read().sum_seconds, 86'400);
}

}  // namespace
}  // namespace referee::metrics
