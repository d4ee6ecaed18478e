// Counters, gauges and histograms that any thread may update at any time without a lock.
//
// An observation is a few relaxed additions to a shard that few other threads use. Reading adds up
// the shards; concurrent updates may show only in the next reading.
#ifndef REFEREE_METRICS_INSTRUMENTS_H_
#define REFEREE_METRICS_INSTRUMENTS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "absl/time/time.h"

namespace referee::metrics {

// Threads are assigned to shards in turn.
inline constexpr size_t kShards = 16;
inline constexpr size_t kCacheLine = 64;

inline size_t ShardOfThisThread() {
  static std::atomic<size_t> threads{0};
  thread_local const size_t shard = threads.fetch_add(1, std::memory_order_relaxed) % kShards;
  return shard;
}

class Counter {
 public:
  void Add(uint64_t n = 1) {
    shards_[ShardOfThisThread()].count.fetch_add(n, std::memory_order_relaxed);
  }
  uint64_t Sum() const {
    uint64_t sum = 0;
    for (const Shard& shard : shards_) sum += shard.count.load(std::memory_order_relaxed);
    return sum;
  }

 private:
  struct alignas(kCacheLine) Shard {
    std::atomic<uint64_t> count{0};
  };
  std::array<Shard, kShards> shards_;
};

class Gauge {
 public:
  void Set(double value) { value_.store(value, std::memory_order_relaxed); }
  double value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<double> value_{0};
};

// A counter whose total is computed elsewhere and set before each reading.
class CounterReading : public Gauge {};

// Counts durations in buckets, which are the same for all histograms.
class Histogram {
 public:
  // Inclusive upper bounds of the buckets. A last bucket has all longer durations.
  static constexpr std::array<int64_t, 15> kBoundsNanos = {
      10'000,        30'000,        100'000,        300'000,        1'000'000,
      3'000'000,     10'000'000,    30'000'000,     100'000'000,    300'000'000,
      1'000'000'000, 3'000'000'000, 10'000'000'000, 30'000'000'000, 100'000'000'000};
  static constexpr size_t kBuckets = kBoundsNanos.size() + 1;
  struct Snapshot {
    std::array<uint64_t, kBuckets> buckets{};
    double sum_seconds = 0;
  };

  // A negative duration counts as zero; one of more than a day counts as a day, in the last bucket.
  void Observe(absl::Duration duration) {
    const int64_t nanos = Nanos(duration);
    size_t bucket = 0;
    while (bucket < kBoundsNanos.size() && nanos > kBoundsNanos[bucket]) ++bucket;
    Shard& shard = shards_[ShardOfThisThread()];
    shard.buckets[bucket].fetch_add(1, std::memory_order_relaxed);
    shard.nanos.fetch_add(static_cast<uint64_t>(nanos), std::memory_order_relaxed);
  }
  Snapshot Read() const {
    Snapshot all;
    uint64_t nanos = 0;
    for (const Shard& shard : shards_) {
      for (size_t i = 0; i < kBuckets; ++i) {
        all.buckets[i] += shard.buckets[i].load(std::memory_order_relaxed);
      }
      nanos += shard.nanos.load(std::memory_order_relaxed);
    }
    all.sum_seconds = static_cast<double>(nanos) * 1e-9;
    return all;
  }

 private:
  static int64_t Nanos(absl::Duration duration) {
    constexpr int64_t kLongest = int64_t{24} * 3'600 * 1'000'000'000;
    const int64_t nanos = absl::ToInt64Nanoseconds(duration);
    return nanos < 0 ? 0 : nanos > kLongest ? kLongest : nanos;
  }

  struct alignas(kCacheLine) Shard {
    std::array<std::atomic<uint64_t>, kBuckets> buckets{};
    std::atomic<uint64_t> nanos{0};
  };
  std::array<Shard, kShards> shards_;
};

}  // namespace referee::metrics

#endif  // REFEREE_METRICS_INSTRUMENTS_H_
