#include "referee/competition/open_block.h"

#include <algorithm>
#include <utility>

#include "referee/base/rotation.h"

namespace referee::competition {

bool OpenBlock::over() const {
  if (ends.empty()) return false;
  for (const absl::optional<MatchEnd>& end : ends) {
    if (!end.has_value()) return false;
  }
  return true;
}

bool OpenBlock::settled() const {
  return over() && std::all_of(ends.begin(), ends.end(),
                               [](const absl::optional<MatchEnd>& end) { return end->shared; });
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

// Of the matches without a result, one that ended by itself says why; the others were stopped for
// it.
store::Attempt OpenBlock::Failure(absl::Time end_time) const {
  const auto weight = [](const match::Verdict& verdict) {
    if (verdict.ending == match::Ending::kFinished) return 0;
    return verdict.ending == match::Ending::kCancelled || verdict.times.late.valid() ? 2 : 1;
  };
  store::Attempt attempt;
  attempt.number = block.attempt;
  attempt.block_id = block.block_id;
  attempt.end_time = end_time;
  int most = 0;
  for (size_t i = 0; i < ends.size(); ++i) {
    const match::Verdict& verdict = ends[i]->verdict;
    const bool recorded = ends[i]->recorded;
    attempt.matches.push_back(
        {block.matches[i].id, recorded ? verdict : match::Verdict(), recorded});
    if (weight(verdict) <= most) continue;
    most = weight(verdict);
    attempt.ending = verdict.ending;
    attempt.reason = verdict.reason;
    attempt.cancelled_by = verdict.cancelled_by;
  }
  return attempt;
}

std::vector<int> OpenBlock::LatePlaces() const {
  std::vector<int> places;
  const int seats = static_cast<int>(block.pairing.bots.size());
  for (size_t i = 0; i < ends.size(); ++i) {
    const Seat late = ends[i]->verdict.times.late;
    if (!late.valid() || late.index() >= seats) continue;
    places.push_back(PlaceOfSeat(late.index(), static_cast<int>(i), seats));
  }
  return places;
}

bool OpenBlock::was_begun() const {
  return over() && std::any_of(ends.begin(), ends.end(),
                               [](const absl::optional<MatchEnd>& end) { return end->begun; });
}

bool OpenBlock::unready() const {
  return over() && std::any_of(ends.begin(), ends.end(),
                               [](const absl::optional<MatchEnd>& end) { return end->unready; });
}

std::vector<store::BlockMatch> OpenBlock::results() const {
  std::vector<store::BlockMatch> matches;
  for (size_t i = 0; i < ends.size(); ++i) {
    matches.push_back({block.matches[i].id, ends[i]->verdict});
  }
  return matches;
}

void OpenBlock::Retry(store::Attempt failed, Instant when) {
  block.attempts.push_back(std::move(failed));
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

absl::optional<Forfeit> FindForfeit(absl::Span<const store::Attempt> attempts,
                                    absl::Span<const int> gone) {
  for (auto attempt = attempts.rbegin(); attempt != attempts.rend(); ++attempt) {
    const bool recorded =
        std::all_of(attempt->matches.begin(), attempt->matches.end(),
                    [](const store::BlockMatch& match) { return match.recorded; });
    if (!recorded) continue;
    Forfeit forfeit{&*attempt, {}};
    for (const int place : gone) {
      if (store::HasLost(*attempt, place)) forfeit.places.push_back(place);
    }
    if (!forfeit.places.empty()) return forfeit;
  }
  return absl::nullopt;
}

}  // namespace referee::competition
