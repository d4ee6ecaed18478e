#include "referee/store/removal.h"

#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace referee::store {
namespace {

constexpr char kTimeFormat[] = "%Y-%m-%dT%H:%M:%E6SZ";

}  // namespace

std::string RemovalDetail(const Competition& competition) {
  return absl::StrCat("a ", schedule::FormatName(competition.spec.format), " of ",
                      competition.spec.game, ", ", competition.next_block, " blocks, made ",
                      absl::FormatTime(kTimeFormat, competition.create_time, absl::UTCTimeZone()));
}

absl::optional<Removal> RemovalIn(const AuditEntry& entry) {
  if (entry.action != kRemoveCompetition) return absl::nullopt;
  const std::vector<absl::string_view> parts = absl::StrSplit(entry.detail, ", ");
  if (parts.size() < 3) return absl::nullopt;
  absl::string_view blocks = parts[parts.size() - 2];
  absl::string_view made = parts.back();
  Removal removal;
  removal.removed = entry.time;
  const bool read = absl::ConsumeSuffix(&blocks, " blocks") &&
                    absl::SimpleAtoi(blocks, &removal.blocks) &&
                    absl::ConsumePrefix(&made, "made ") &&
                    absl::ParseTime(kTimeFormat, made, &removal.made, nullptr);
  if (!read) return absl::nullopt;
  return removal;
}

}  // namespace referee::store
