#include "referee/store/kept_replays.h"

#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "referee/replay/summary.h"

namespace referee::store {

absl::StatusOr<KeptReplays> KeptReplays::Read(Store* store) {
  KeptReplays kept;
  const absl::Status read = ForEachCompetition(store, [&](const Competition& competition) {
    kept.from_[competition.id.text()] = competition.spec.keep_replays ? 0 : competition.counted;
    return absl::OkStatus();
  });
  if (!read.ok()) return read;
  return kept;
}

bool KeptReplays::Keep(absl::string_view request_id) const {
  const auto from = from_.find(std::string(replay::CompetitionOf(request_id)));
  if (from == from_.end()) return false;
  const std::vector<absl::string_view> parts = absl::StrSplit(request_id, '/');
  int64_t number;
  return parts.size() < 3 || !absl::SimpleAtoi(parts[2], &number) || number >= from->second;
}

}  // namespace referee::store
