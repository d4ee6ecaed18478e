#include "referee/competition/open_block.h"

#include <algorithm>
#include <utility>

namespace referee::competition {

bool OpenBlock::over() const {
  if (ends.empty()) return false;
  for (const absl::optional<MatchEnd>& end : ends) {
    if (!end.has_value()) return false;
  }
  return true;
}

bool OpenBlock::played() const {
  if (!over()) return false;
  const size_t seats = block.pairing.bots.size();
  for (const absl::optional<MatchEnd>& end : ends) {
    const match::Verdict& verdict = end->verdict;
    if (verdict.ending != match::Ending::kFinished || verdict.scores.size() != seats ||
        verdict.ranks.size() != seats) {
      return false;
    }
  }
  return true;
}

std::string OpenBlock::why_void() const {
  for (size_t i = 0; i < ends.size(); ++i) {
    if (!ends[i].has_value()) continue;
    const match::Verdict& verdict = ends[i]->verdict;
    if (verdict.ending != match::Ending::kFinished) return verdict.reason;
  }
  return "";
}

bool OpenBlock::unready() const {
  return over() && std::all_of(ends.begin(), ends.end(),
                               [](const absl::optional<MatchEnd>& end) { return end->unready; });
}

std::vector<store::BlockMatch> OpenBlock::results() const {
  std::vector<store::BlockMatch> matches;
  for (size_t i = 0; i < ends.size(); ++i) {
    matches.push_back({block.matches[i].id, ends[i]->verdict});
  }
  return matches;
}

void OpenBlock::Retry(Instant when) {
  unready_attempts = unready() ? unready_attempts + 1 : 0;
  ++block.attempt;
  block.block_id.clear();
  block.matches.clear();
  made = false;
  waits = false;
  from_before = false;
  named = false;
  takes_slots = true;
  not_before = when;
  ends.clear();
}

}  // namespace referee::competition
