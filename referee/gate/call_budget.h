// The rate limit of a gate's calls to its referee, in all and for each address.
//
// Calls for keys that were answered before may use the whole budget. Calls for new keys, which a
// client may have made up, get half of it. Each address gets only a small part of that. So an
// address that makes up ids delays only itself. Thread-compatible.
//
//   if (absl::Status taken = budget.Take(key, visitor, now); !taken.ok()) return then(taken);
//   ...                                        // the call is answered
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

  // Whether the key was answered before. Remembers at least the last bounds.known_keys keys.
  bool Knows(absl::string_view key) const;
  // Charges a call for `key` by the address `visitor`. Returns ResourceExhausted if the address has
  // made too many calls for new keys, Unavailable if all addresses together have made too many.
  absl::Status Take(const std::string& key, const std::string& visitor, Instant now);
  // Notes the answer of a call that was charged. For a new key the visitor gets three quarters
  // back, unless the answer is NotFound or InvalidArgument. `visitor` is empty for a call that was
  // settled before.
  void Settle(const std::string& key, const std::string& visitor, const absl::Status& answer);
  // Forgets addresses with a full budget. Call it from time to time.
  void Sweep(Instant now);

  // The half of a bound that is for new keys, at least 1.
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
  double left_for_new_;  // the part of left_ for new keys
  Instant counted_;
  // When known_ has known_keys entries, it replaces known_before_.
  absl::flat_hash_set<std::string> known_;
  absl::flat_hash_set<std::string> known_before_;
  absl::flat_hash_map<std::string, Visitor> visitors_;  // by address
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_CALL_BUDGET_H_
