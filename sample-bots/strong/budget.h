// The budget for one move of the strong bot: a time or a number of steps.
#ifndef REFEREE_SAMPLE_BOTS_STRONG_BUDGET_H_
#define REFEREE_SAMPLE_BOTS_STRONG_BUDGET_H_

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

namespace strong {

// Counts down time, or steps of the search. A test that counts steps gives the same result on every
// machine. Thread-compatible.
class Budget {
 public:
  // Ends after `time` from now.
  static Budget Of(std::chrono::nanoseconds time) {
    return Budget(time, std::numeric_limits<int64_t>::max());
  }
  // Ends after `steps` calls of Step().
  static Budget OfSteps(int64_t steps) { return Budget(std::chrono::nanoseconds::max(), steps); }

  void Step() { ++steps_; }
  // The used share, from 0. At 1 and above the budget is used up.
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
