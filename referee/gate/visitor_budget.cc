#include "referee/gate/visitor_budget.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace referee::gate {
namespace {

constexpr double kGivenBack = 0.75;

}  // namespace

void VisitorBudget::Refill(Instant now, Visitor* visitor) const {
  const double seconds = absl::ToDoubleSeconds(now - std::exchange(visitor->counted, now));
  visitor->left =
      std::min(bounds_.visitor_burst, visitor->left + seconds * bounds_.visitor_calls_per_second);
}

absl::Status VisitorBudget::Take(const std::string& address, Instant now) {
  // Too many to keep: all begin anew, and what all share still holds.
  if (visitors_.size() >= bounds_.visitors && !visitors_.contains(address)) visitors_.clear();
  Visitor& visitor =
      visitors_.try_emplace(address, Visitor{bounds_.visitor_burst, now}).first->second;
  Refill(now, &visitor);
  if (visitor.left < 1) {
    return absl::ResourceExhaustedError(
        "Too many requests from this address for things that do not exist. Try again in some "
        "seconds.");
  }
  visitor.left -= 1;
  return absl::OkStatus();
}

void VisitorBudget::GiveBack(const std::string& address) {
  const auto found = visitors_.find(address);
  if (found == visitors_.end()) return;
  found->second.left = std::min(bounds_.visitor_burst, found->second.left + kGivenBack);
}

void VisitorBudget::Sweep(Instant now) {
  for (auto& entry : visitors_) Refill(now, &entry.second);
  absl::erase_if(visitors_,
                 [this](const auto& entry) { return entry.second.left >= bounds_.visitor_burst; });
}

}  // namespace referee::gate
