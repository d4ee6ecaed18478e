#include "referee/host/seating.h"

#include <utility>

namespace referee::host {

void Seating::Wait(Party party, Instant until) {
  for (const std::string& bot : party.bots) waiting_by_bot_[bot].insert(party.id);
  const MatchId id = party.id;
  waiting_.emplace(id, Waiting{std::move(party), until});
}

void Seating::Remove(const MatchId& id) {
  const auto waiting = waiting_.find(id);
  if (waiting == waiting_.end()) return;
  for (const std::string& bot : waiting->second.party.bots) {
    const auto it = waiting_by_bot_.find(bot);
    it->second.erase(id);
    if (it->second.empty()) waiting_by_bot_.erase(it);
  }
  waiting_.erase(waiting);
}

bool Seating::CanBegin(const Party& party) const {
  if (full()) return false;
  for (const std::string& bot : party.bots) {
    if (free_slots_(bot, party.game, party.matches) < party.matches) return false;
  }
  return true;
}

void Seating::SeatOne(const MatchId& id, const Begin& begin) {
  const auto waiting = waiting_.find(id);
  if (waiting == waiting_.end() || !CanBegin(waiting->second.party)) return;
  running_ += waiting->second.party.matches;
  const MatchId seated = id;  // `id` may be in what is removed
  Remove(seated);
  begin(seated);
}

void Seating::SeatFor(const std::string& bot, const Begin& begin) {
  MatchId id;  // what was looked at last: what is seated leaves the set
  while (!full()) {
    const auto waiting = waiting_by_bot_.find(bot);
    if (waiting == waiting_by_bot_.end()) return;
    const auto next = waiting->second.upper_bound(id);
    if (next == waiting->second.end()) return;
    id = *next;
    SeatOne(id, begin);
  }
}

void Seating::SeatAny(const Begin& begin) {
  for (auto it = waiting_.begin(); it != waiting_.end() && !full();) SeatOne((it++)->first, begin);
}

Instant Seating::first_limit() const {
  return waiting_.empty() ? Instant::InfiniteFuture() : waiting_.begin()->second.until;
}

std::vector<MatchId> Seating::GiveUpLate(Instant now) {
  std::vector<MatchId> late;
  while (!waiting_.empty() && waiting_.begin()->second.until <= now) {
    late.push_back(waiting_.begin()->first);
    Remove(late.back());
  }
  return late;
}

std::vector<MatchId> Seating::GiveUpAll() { return GiveUpLate(Instant::InfiniteFuture()); }

}  // namespace referee::host
