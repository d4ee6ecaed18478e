#include "referee/service/telling.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <variant>

namespace referee::service {
namespace {

// The turn in which the record was made, 0 before the first; nullopt if the record does not say.
absl::optional<uint32_t> TurnOf(const match::Record& record) {
  if (const auto* played = std::get_if<match::Played>(&record)) return played->number;
  if (const auto* faulted = std::get_if<match::Faulted>(&record)) return faulted->number;
  if (const auto* forfeited = std::get_if<match::Forfeited>(&record)) return forfeited->number;
  const bool first = std::holds_alternative<match::Started>(record) ||
                     std::holds_alternative<match::Drawn>(record);
  return first ? absl::optional<uint32_t>(0) : absl::nullopt;
}

// The time from the request of the turn to its reply; zero for other records.
absl::Duration TurnTook(const match::Record& record) {
  const auto* played = std::get_if<match::Played>(&record);
  if (played == nullptr || !played->timing.has_value()) return absl::ZeroDuration();
  return std::max(absl::ZeroDuration(), played->timing->read);
}

}  // namespace

bool Audience::HearsMatchOf(absl::Span<const std::string> bots) const {
  if (hears_all()) return true;
  if (role != Role::kBot || for_observers || name.empty()) return false;
  return std::find(bots.begin(), bots.end(), name) != bots.end();
}

std::vector<absl::Duration> LeastAges(absl::Span<const match::Record> records) {
  std::vector<absl::Duration> ages(records.size(), absl::ZeroDuration());
  absl::Duration later;    // duration of all turns after the current one
  absl::Duration in_turn;  // duration of the current turn
  uint32_t turn = UINT32_MAX;
  for (size_t i = records.size(); i > 0; --i) {
    const match::Record& record = records[i - 1];
    if (const absl::optional<uint32_t> number = TurnOf(record); number && *number < turn) {
      later += in_turn;
      in_turn = absl::ZeroDuration();
      turn = *number;
    }
    ages[i - 1] = later;
    in_turn = std::max(in_turn, TurnTook(record));
  }
  return ages;
}

}  // namespace referee::service
