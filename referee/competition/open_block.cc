#include "referee/competition/open_block.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "referee/match/match.h"

namespace referee::competition {
namespace {

MatchEnd EndWithoutForfeits(const match::Ended& ended) {
  return {ended.ending, ended.reason, ended.scores, ended.ranks, {}};
}

bool AnyReady(const match::Match& match) {
  for (int seat = 0; seat < match.seats(); ++seat) {
    if (match.ready(Seat(seat))) return true;
  }
  return false;
}

}  // namespace

MatchEnd EndOf(const host::MatchRunner& runner) {
  MatchEnd end = EndWithoutForfeits(*runner.ended());
  if (runner.match() == nullptr) return end;
  end.unready = runner.begun() && !AnyReady(*runner.match());
  for (const match::Forfeited& forfeited : runner.match()->forfeits()) {
    end.forfeits.push_back({forfeited.seat.index(), forfeited.cause});
  }
  return end;
}

MatchEnd EndOf(const replay::Replay& replay) {
  MatchEnd end = EndWithoutForfeits(*replay.ended());
  for (const match::Record& record : replay.records) {
    if (const auto* forfeited = std::get_if<match::Forfeited>(&record)) {
      end.forfeits.push_back({forfeited->seat.index(), forfeited->cause});
    }
  }
  return end;
}

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
    if (end->ending != match::Ending::kFinished || end->scores.size() != seats ||
        end->ranks.size() != seats) {
      return false;
    }
  }
  return true;
}

std::string OpenBlock::why_void() const {
  for (size_t i = 0; i < ends.size(); ++i) {
    if (ends[i].has_value() && ends[i]->ending != match::Ending::kFinished) return ends[i]->reason;
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
    matches.push_back({block.matches[i].id, ends[i]->scores, ends[i]->ranks, ends[i]->forfeits});
  }
  return matches;
}

void OpenBlock::Retry(Instant when) {
  unready_attempts = unready() ? unready_attempts + 1 : 0;
  ++block.attempt;
  block.block_id.clear();
  block.matches.clear();
  made = false;
  named = false;
  from_before = false;
  takes_places = true;
  not_before = when;
  first = nullptr;
  ends.clear();
}

}  // namespace referee::competition
