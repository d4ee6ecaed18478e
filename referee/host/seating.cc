#include "referee/host/seating.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::host {

void Seating::Wait(Waiting waiting) {
  const Party& party = waiting.party;
  const MatchId id = party.id;
  for (const std::string& bot : party.bots) {
    waiting_by_bot_[bot].insert(id);
    if (waiting.overtaken == kMostOvertakes) overtaken_by_bot_[bot].insert(id);
  }
  limits_.emplace(waiting.until, id);
  if (party.elsewhere) ++elsewhere_;
  waiting_.emplace(id, std::move(waiting));
}

void Seating::Take(const Party& party, ByBot* from) {
  for (const std::string& bot : party.bots) {
    const auto it = from->find(bot);
    if (it == from->end()) continue;
    it->second.erase(party.id);
    if (it->second.empty()) from->erase(it);
  }
}

void Seating::Remove(const MatchId& id) {
  const auto waiting = waiting_.find(id);
  if (waiting == waiting_.end()) return;
  Take(waiting->second.party, &waiting_by_bot_);
  Take(waiting->second.party, &overtaken_by_bot_);
  limits_.erase({waiting->second.until, waiting->first});
  if (waiting->second.party.elsewhere) --elsewhere_;
  waiting_.erase(waiting);
}

bool Seating::CanBegin(Queue::const_iterator waiting) const {
  const Party& party = waiting->second.party;
  if (full() && !party.elsewhere) return false;
  // The quick check comes first: usually a bot has no slot when many parties wait.
  for (const std::string& bot : party.bots) {
    if (SlotsOf(bot, party).free < party.matches) return false;
  }
  for (const std::string& bot : party.bots) {
    const int free = SlotsOf(bot, party).free;
    if (free - KeptOf(bot, waiting) < party.matches) return false;
  }
  return true;
}

bool Seating::IsAble(const Party& party) const {
  return std::all_of(party.bots.begin(), party.bots.end(),
                     [&](const std::string& bot) { return SlotsOf(bot, party).able; });
}

int Seating::KeptOf(const std::string& bot, Queue::const_iterator end) const {
  const auto overtaken = overtaken_by_bot_.find(bot);
  if (overtaken == overtaken_by_bot_.end()) return 0;
  for (const MatchId& id : overtaken->second) {
    if (end != waiting_.end() && !(id < end->first)) return 0;
    const Party& party = waiting_.at(id).party;
    if (IsAble(party)) return party.matches;
  }
  return 0;
}

void Seating::NoteOvertaken(const Party& began) {
  std::set<MatchId> older;
  for (const std::string& bot : began.bots) {
    const auto waiting = waiting_by_bot_.find(bot);
    if (waiting == waiting_by_bot_.end()) continue;
    older.insert(waiting->second.begin(), waiting->second.lower_bound(began.id));
  }
  for (const MatchId& id : older) {
    Waiting& waiting = waiting_.at(id);
    if (waiting.overtaken == kMostOvertakes || !IsAble(waiting.party)) continue;
    if (++waiting.overtaken < kMostOvertakes) continue;
    for (const std::string& bot : waiting.party.bots) overtaken_by_bot_[bot].insert(id);
  }
}

void Seating::SeatOne(const MatchId& id, const Begin& begin) {
  const auto waiting = waiting_.find(id);
  if (waiting == waiting_.end() || !CanBegin(waiting)) return;
  const Waiting seated = waiting->second;  // a copy, since `id` may refer into the removed entry
  if (!seated.party.elsewhere) running_ += seated.party.matches;
  Remove(seated.party.id);
  NoteOvertaken(seated.party);
  begin(seated);
}

MatchId Seating::OldestFor(const std::string& bot, const MatchId& own) const {
  const auto waiting = waiting_by_bot_.find(bot);
  if (waiting == waiting_by_bot_.end()) return own;
  for (const MatchId& id : waiting->second) {
    if (!(id < own)) break;
    const Party& party = waiting_.at(id).party;
    if (!party.elsewhere && IsAble(party)) return id;
  }
  return own;
}

std::set<std::string> Seating::KeptWith(const std::string& bot) const {
  std::set<std::string> bots = {bot};
  const auto overtaken = overtaken_by_bot_.find(bot);
  if (overtaken == overtaken_by_bot_.end()) return bots;
  for (const MatchId& id : overtaken->second) {
    const std::vector<std::string>& all = waiting_.at(id).party.bots;
    bots.insert(all.begin(), all.end());
  }
  return bots;
}

void Seating::SeatFor(const std::string& bot, const Begin& begin) {
  for (const std::string& each : KeptWith(bot)) SeatForOne(each, begin);
}

void Seating::SeatForOne(const std::string& bot, const Begin& begin) {
  MatchId id;  // the last party that was checked; seated parties leave the set
  while (!stuck()) {
    const auto waiting = waiting_by_bot_.find(bot);
    if (waiting == waiting_by_bot_.end()) return;
    const auto next = waiting->second.upper_bound(id);
    if (next == waiting->second.end()) return;
    id = *next;
    // A bot without a slot for a single match has none for any other party.
    const Slots slots = SlotsOf(bot, waiting_.at(id).party, 1);
    if (slots.able && slots.free == 0) return;
    SeatOne(id, begin);
  }
}

void Seating::SeatAny(const Begin& begin) {
  for (auto it = waiting_.begin(); it != waiting_.end() && !stuck();) SeatOne((it++)->first, begin);
}

void Seating::HoldBackGame(const std::string& game, std::string why) {
  if (why.empty()) {
    held_back_games_.erase(game);
  } else {
    held_back_games_[game] = std::move(why);
  }
}

std::string Seating::WhyHeldBack(const std::string& game) const {
  const auto held = held_back_games_.find(game);
  if (!held_back_.empty() || held == held_back_games_.end()) return held_back_;
  return absl::StrCat("game ", Quoted(game), " is paused on this referee: ", held->second,
                      "; 'refctl game resume' lets it go on");
}

Instant Seating::first_limit() const {
  return limits_.empty() ? Instant::InfiniteFuture() : limits_.begin()->first;
}

std::vector<MatchId> Seating::GiveUpLate(Instant now) {
  std::vector<MatchId> late;
  while (!limits_.empty() && limits_.begin()->first <= now) {
    late.push_back(limits_.begin()->second);
    Remove(late.back());
  }
  return late;
}

std::vector<MatchId> Seating::GiveUpAll() { return GiveUpLate(Instant::InfiniteFuture()); }

}  // namespace referee::host
