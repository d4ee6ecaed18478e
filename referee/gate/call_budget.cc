#include "referee/gate/call_budget.h"

#include <utility>

#include "absl/time/time.h"
#include "referee/gate/errors.h"

namespace referee::gate {

bool CallBudget::Knows(absl::string_view key) const {
  return known_.contains(key) || known_before_.contains(key);
}

absl::Status CallBudget::Take(absl::string_view key, Instant now) {
  const double more =
      absl::ToDoubleSeconds(now - std::exchange(counted_, now)) * bounds_.calls_per_second;
  left_ = std::min(bounds_.calls_burst, left_ + more);
  left_for_new_ = std::min(Half(bounds_.calls_burst), left_for_new_ + more / 2);
  const bool is_new = !Knows(key);
  if (left_ < 1 || (is_new && left_for_new_ < 1)) return TooManyCalls();
  left_ -= 1;
  if (is_new) left_for_new_ -= 1;
  return absl::OkStatus();
}

void CallBudget::Answered(absl::string_view key) {
  if (known_.contains(key)) return;
  if (known_.size() >= bounds_.known_keys) known_before_ = std::exchange(known_, {});
  known_.emplace(key);
}

}  // namespace referee::gate
