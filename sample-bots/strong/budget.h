// How long the strong bot may think about a move.
#ifndef REFEREE_SAMPLE_BOTS_STRONG_BUDGET_H_
#define REFEREE_SAMPLE_BOTS_STRONG_BUDGET_H_

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

namespace strong {

// Counts down time, or steps of thought: a test that counts steps comes out the same on every
// machine. Thread-compatible.
class Budget {
 public:
  // Ends `time` from now.
  static Budget Of(std::chrono::nanoseconds time) {
    return Budget(time, std::numeric_limits<int64_t>::max());
  }
  // Ends after `steps` calls of Step().
  static Budget OfSteps(int64_t steps) { return Budget(std::chrono::nanoseconds::max(), steps); }

  void Step() { ++steps_; }
  // The share that is used up, from 0 on; 1 and more: all of it.
  double used() const {
    const std::chrono::nanoseconds time = std::chrono::steady_clock::now() - start_;
    return std::max(static_cast<double>(time.count()) / static_cast<double>(time_.count()),
                    static_cast<double>(steps_) / static_cast<double>(most_steps_));
  }

 private:
  Budget(std::chrono::nanoseconds time, int64_t steps) : time_(time), most_steps_(steps) {}

  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const std::chrono::nanoseconds time_;
  const int64_t most_steps_;
  int64_t steps_ = 0;
};

}  // namespace strong

#endif  // REFEREE_SAMPLE_BOTS_STRONG_BUDGET_H_
