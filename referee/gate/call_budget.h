// How many questions a gate may put to its referee. What was answered before may take all of them;
// what was not, as an id that a stranger has made up, half: so nobody who asks for what is not
// there keeps those waiting who watch what is. Thread-compatible.
//
//   if (absl::Status taken = budget.Take(key, loop->Now()); !taken.ok()) return then(taken);
//   ...                                      // the answer is there
//   if (answer.ok()) budget.Answered(key);
#ifndef REFEREE_GATE_CALL_BUDGET_H_
#define REFEREE_GATE_CALL_BUDGET_H_

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "referee/base/clock.h"
#include "referee/gate/bounds.h"

namespace referee::gate {

class CallBudget {
 public:
  CallBudget(const Bounds& bounds, Instant now)
      : bounds_(bounds), left_(bounds.calls_burst), left_for_new_(Half(left_)), counted_(now) {}

  // Whether it was answered before; at least bounds.known_keys of the last ones are known.
  bool Knows(absl::string_view key) const;
  // Takes a question for `key`. Returns Unavailable when too many were asked.
  absl::Status Take(absl::string_view key, Instant now);
  // There is such a thing.
  void Answered(absl::string_view key);

  // The part of a bound that is for what was not answered before, 1 at least.
  template <typename Number>
  static Number Half(Number bound) {
    return std::max<Number>(1, bound / 2);
  }

 private:
  const Bounds bounds_;
  double left_;
  double left_for_new_;  // of these
  Instant counted_;
  // When there are known_keys in the first it becomes the second.
  absl::flat_hash_set<std::string> known_;
  absl::flat_hash_set<std::string> known_before_;
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_CALL_BUDGET_H_
