// Counts durations in buckets that are at most 3 % wide. Thread-safe, without locks.
#ifndef REFEREE_TESTS_BENCH_BENCH_REFEREE_HISTOGRAM_H_
#define REFEREE_TESTS_BENCH_BENCH_REFEREE_HISTOGRAM_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace referee::bench {

class Histogram {
 public:
  void Add(int64_t nanos) {
    counts_[BucketOf(nanos < 0 ? 0 : static_cast<uint64_t>(nanos))].fetch_add(
        1, std::memory_order_relaxed);
  }

  struct Taken {
    // How many there are.
    uint64_t size() const {
      uint64_t size = 0;
      for (uint64_t count : counts) size += count;
      return size;
    }
    // The duration in ns that the part `quantile` of all does not exceed; 0 if there are none.
    uint64_t At(double quantile) const {
      const auto wanted = static_cast<uint64_t>(quantile * static_cast<double>(size()));
      uint64_t seen = 0;
      for (size_t bucket = 0; bucket < counts.size(); ++bucket) {
        seen += counts[bucket];
        if (seen > wanted) return MiddleOf(bucket);
      }
      return 0;
    }
    std::vector<uint64_t> counts;  // by bucket
  };
  // What was added since the last call.
  Taken Take() {
    Taken taken;
    taken.counts.reserve(counts_.size());
    for (auto& count : counts_) taken.counts.push_back(count.exchange(0));
    return taken;
  }

 private:
  // Numbers below 2^5 have a bucket each; above, each power of two is cut into 2^5.
  static constexpr int kBits = 5;
  static constexpr uint64_t kParts = 1 << kBits;

  static size_t BucketOf(uint64_t value) {
    if (value < kParts) return value;
    const int shift = 63 - __builtin_clzll(value) - kBits;
    return static_cast<size_t>(shift) * kParts + (value >> shift);
  }
  static uint64_t MiddleOf(size_t bucket) {
    if (bucket < 2 * kParts) return bucket;
    const uint64_t shift = bucket / kParts - 1;
    return ((bucket % kParts + kParts) << shift) + (uint64_t{1} << shift) / 2;
  }

  std::array<std::atomic<uint64_t>, (64 - kBits + 1) * kParts> counts_{};
};

}  // namespace referee::bench

#endif  // REFEREE_TESTS_BENCH_BENCH_REFEREE_HISTOGRAM_H_
