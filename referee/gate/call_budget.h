// How many questions a gate may put to its referee. What was answered before may take all of them;
// what was not, as an id that a stranger has made up, half, and of these each address only a few:
// an address that makes up ids waits for its own next question. Thread-compatible.
//
//   if (absl::Status taken = budget.Take(key, visitor, now); !taken.ok()) return then(taken);
//   ...                                        // the answer is there
//   budget.Settle(key, visitor, answer.status());
#ifndef REFEREE_GATE_CALL_BUDGET_H_
#define REFEREE_GATE_CALL_BUDGET_H_

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/container/flat_hash_map.h"
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
  // Takes a question for `key` that the address `visitor` asks. Returns ResourceExhausted when it
  // asked too much that was not answered before, Unavailable when all did.
  absl::Status Take(const std::string& key, const std::string& visitor, Instant now);
  // What the answer was to a question that was taken. One about something that exists costs the
  // visitor a quarter. `visitor` may be empty: that was settled before.
  void Settle(const std::string& key, const std::string& visitor, const absl::Status& answer);
  // To be called now and then: forgets addresses that have all of their questions again.
  void Sweep(Instant now);

  // The part of a bound that is for what was not answered before, 1 at least.
  template <typename Number>
  static Number Half(Number bound) {
    return std::max<Number>(1, bound / 2);
  }

 private:
  struct Visitor {
    double left = 0;
    Instant counted;
  };

  void Refill(Instant now, Visitor* visitor) const;
  absl::Status TakeOf(const std::string& visitor, Instant now);

  const Bounds bounds_;
  double left_;
  double left_for_new_;  // of these
  Instant counted_;
  // When there are known_keys in the first it becomes the second.
  absl::flat_hash_set<std::string> known_;
  absl::flat_hash_set<std::string> known_before_;
  absl::flat_hash_map<std::string, Visitor> visitors_;  // by address
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_CALL_BUDGET_H_
