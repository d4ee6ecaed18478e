// How bots that were set aside since they did not answer come back: when their suspension is over
// they are pinged, and are in again as soon as they answer.

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/competition/planner.h"
#include "referee/competition/suspension.h"

namespace referee::competition {
namespace {

// How often is looked whether a bot has answered.
constexpr absl::Duration kAnswerLook = absl::Seconds(1);

}  // namespace

bool Planner::IsSuspended(const store::Entrant& entrant) const {
  return home_.here && row_.state == store::CompetitionState::kRunning && !ends() &&
         !entrant.successor && entrant.presence == store::Presence::kSetAside &&
         entrant.suspension.has_value();
}

void Planner::NoteSuspended() {
  for (const store::Entrant& entrant : entrants_) {
    const int bot = entrant.number;
    const bool pinged = IsSuspended(entrant) && ViewOf(bot).connected &&
                        LeftOf(*entrant.suspension, situation_.wall_now) == absl::ZeroDuration();
    if (pinged) {
      pinged_.try_emplace(bot, situation_.now);
    } else {
      pinged_.erase(bot);
    }
  }
}

bool Planner::HasAnswered(int bot) const {
  const absl::optional<Instant>& answered = ViewOf(bot).answered;
  return answered.has_value() && *answered >= pinged_.at(bot);
}

std::vector<std::string> Planner::BotsToPing() const {
  std::vector<std::string> bots;
  for (const auto& [bot, since] : pinged_) {
    if (!HasAnswered(bot)) bots.push_back(entrants_[bot].name);
  }
  return bots;
}

std::vector<int> Planner::Returning() const {
  std::vector<int> bots;
  for (const auto& [bot, since] : pinged_) {
    if (HasAnswered(bot)) bots.push_back(bot);
  }
  return bots;
}

void Planner::Returned(int bot) {
  log_.push_back(
      absl::StrCat("bot ", Quoted(entrants_[bot].name), " is back: it answers pings again"));
  pinged_.erase(bot);
  stale_ = true;
}

Instant Planner::NextReturn() const {
  if (!pinged_.empty()) return situation_.now + kAnswerLook;
  Instant next = Instant::InfiniteFuture();
  for (const store::Entrant& entrant : entrants_) {
    if (!IsSuspended(entrant)) continue;
    const absl::Duration left = LeftOf(*entrant.suspension, situation_.wall_now);
    if (left > absl::ZeroDuration()) next = std::min(next, situation_.now + left);
  }
  return next;
}

}  // namespace referee::competition
