#include "referee/ctl/duel/turn_watch.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

namespace referee::ctl {

void TurnWatch::Note(const match::Match& match, const match::Record& record) {
  const match::Setup& setup = match.setup();
  MutexLock lock(&mutex_);
  bots_.try_emplace(setup.id, setup.bots);
  const auto* const forfeited = std::get_if<match::Forfeited>(&record);
  if (forfeited != nullptr && forfeited->cause == match::Cause::kTimeout && forfeited->timing) {
    const auto seat = static_cast<size_t>(forfeited->seat.index());
    std::vector<int>& lost = lost_[setup.id];
    lost.resize(setup.bots.size());
    lost[seat] = CountTurnsOf(setup.bots[seat], setup.id);
  }
  const Seat asked = match.seat_to_move();
  if (asked.valid()) {
    asked_[setup.id] = setup.bots[static_cast<size_t>(asked.index())];
  } else {
    asked_.erase(setup.id);
  }
}

int TurnWatch::CountTurnsOf(const std::string& bot, const MatchId& id) const {
  return static_cast<int>(std::count_if(asked_.begin(), asked_.end(), [&](const auto& entry) {
    return entry.second == bot && entry.first != id;
  }));
}

bool TurnWatch::Plays(const std::string& bot) const {
  MutexLock lock(&mutex_);
  return std::any_of(bots_.begin(), bots_.end(), [&bot](const auto& entry) {
    return std::find(entry.second.begin(), entry.second.end(), bot) != entry.second.end();
  });
}

void TurnWatch::Forget(const MatchId& id) {
  MutexLock lock(&mutex_);
  bots_.erase(id);
}

std::vector<int> TurnWatch::Take(const MatchId& id) {
  MutexLock lock(&mutex_);
  asked_.erase(id);
  const auto lost = lost_.find(id);
  if (lost == lost_.end()) return {};
  std::vector<int> taken = std::move(lost->second);
  lost_.erase(lost);
  return taken;
}

}  // namespace referee::ctl
