#include "referee/gate/call_budget.h"

#include <utility>

#include "absl/time/time.h"
#include "referee/gate/errors.h"

namespace referee::gate {
namespace {

constexpr double kGivenBack = 0.75;

}  // namespace

bool CallBudget::Knows(absl::string_view key) const {
  return known_.contains(key) || known_before_.contains(key);
}

void CallBudget::Refill(Instant now, Visitor* visitor) const {
  const double seconds = absl::ToDoubleSeconds(now - std::exchange(visitor->counted, now));
  visitor->left =
      std::min(bounds_.visitor_burst, visitor->left + seconds * bounds_.visitor_calls_per_second);
}

absl::Status CallBudget::TakeOf(const std::string& visitor, Instant now) {
  // At too many addresses all budgets start anew; the common limits still hold.
  if (visitors_.size() >= bounds_.visitors && !visitors_.contains(visitor)) visitors_.clear();
  Visitor& asks = visitors_.try_emplace(visitor, Visitor{bounds_.visitor_burst, now}).first->second;
  Refill(now, &asks);
  if (asks.left < 1) {
    return absl::ResourceExhaustedError(
        "Too many requests from this address for things that do not exist. Try again in some "
        "seconds.");
  }
  asks.left -= 1;
  return absl::OkStatus();
}

absl::Status CallBudget::Take(const std::string& key, const std::string& visitor, Instant now) {
  const bool is_new = !Knows(key);
  if (is_new) {
    if (absl::Status taken = TakeOf(visitor, now); !taken.ok()) return taken;
  }
  const double more =
      absl::ToDoubleSeconds(now - std::exchange(counted_, now)) * bounds_.calls_per_second;
  left_ = std::min(bounds_.calls_burst, left_ + more);
  left_for_new_ = std::min(Half(bounds_.calls_burst), left_for_new_ + more / 2);
  if (left_ < 1 || (is_new && left_for_new_ < 1)) {
    Settle(key, visitor, TooManyCalls());
    return TooManyCalls();
  }
  left_ -= 1;
  if (is_new) left_for_new_ -= 1;
  return absl::OkStatus();
}

void CallBudget::Settle(const std::string& key, const std::string& visitor,
                        const absl::Status& answer) {
  const bool made_up = absl::IsNotFound(answer) || absl::IsInvalidArgument(answer);
  const auto asked = visitors_.find(visitor);
  if (!made_up && asked != visitors_.end() && !Knows(key)) {
    asked->second.left = std::min(bounds_.visitor_burst, asked->second.left + kGivenBack);
  }
  if (!answer.ok() || known_.contains(key)) return;
  if (known_.size() >= bounds_.known_keys) known_before_ = std::exchange(known_, {});
  known_.emplace(key);
}

void CallBudget::Sweep(Instant now) {
  for (auto& entry : visitors_) Refill(now, &entry.second);
  absl::erase_if(visitors_,
                 [this](const auto& entry) { return entry.second.left >= bounds_.visitor_burst; });
}

}  // namespace referee::gate
