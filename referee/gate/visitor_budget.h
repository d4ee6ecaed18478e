// How much each address may ask that was not answered before. An address that makes up ids soon
// has to wait for its own next question; the others share what call_budget.h has.
// Thread-compatible.
//
//   if (absl::Status taken = visitors.Take(address, loop->Now()); !taken.ok()) return then(taken);
//   ...                                      // the answer is there
//   if (!MadeUp(answer)) visitors.GiveBack(address);
#ifndef REFEREE_GATE_VISITOR_BUDGET_H_
#define REFEREE_GATE_VISITOR_BUDGET_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "referee/base/clock.h"
#include "referee/gate/bounds.h"

namespace referee::gate {

class VisitorBudget {
 public:
  explicit VisitorBudget(const Bounds& bounds) : bounds_(bounds) {}

  // Takes a question. Returns ResourceExhausted when this address has none left.
  absl::Status Take(const std::string& address, Instant now);
  // The question was about something that there is: it costs a quarter.
  void GiveBack(const std::string& address);
  // To be called now and then: forgets addresses that have all of their questions again.
  void Sweep(Instant now);

 private:
  struct Visitor {
    double left = 0;
    Instant counted;
  };

  void Refill(Instant now, Visitor* visitor) const;

  const Bounds bounds_;
  absl::flat_hash_map<std::string, Visitor> visitors_;
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_VISITOR_BUDGET_H_
