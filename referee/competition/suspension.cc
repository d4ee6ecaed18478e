#include "referee/competition/suspension.h"

namespace referee::competition {
namespace {

// How often is looked whether a bot has answered.
constexpr absl::Duration kAnswerLook = absl::Seconds(1);

// Whether the bot is set aside and comes back by itself.
bool IsSuspended(const store::Entrant& entrant, const CompetitionNow& now) {
  return now.home.here && now.running() && !now.ends() && !entrant.successor &&
         entrant.presence == store::Presence::kSetAside && entrant.suspension.has_value();
}

// How long a suspension lasts still. Zero: it is over, or the calendar was put back.
absl::Duration LeftOf(const store::Suspension& suspension, const CompetitionNow& now) {
  const absl::Duration left = suspension.until - now.situation.wall_now;
  return left > suspension.length ? absl::ZeroDuration() : std::max(left, absl::ZeroDuration());
}

}  // namespace

void SuspendedBots::Update(const CompetitionNow& now) {
  to_ping_.clear();
  answered_.clear();
  for (const store::Entrant& entrant : now.entrants) {
    const host::BotView& view = now.ViewOf(entrant.number);
    if (!IsSuspended(entrant, now) || !view.connected ||
        LeftOf(*entrant.suspension, now) > absl::ZeroDuration()) {
      pinged_.erase(entrant.number);
      continue;
    }
    const Instant since = pinged_.try_emplace(entrant.number, now.situation.now).first->second;
    if (view.answered.has_value() && *view.answered >= since) {
      answered_.push_back(entrant.number);
    } else {
      to_ping_.push_back(entrant.name);
    }
  }
}

Instant SuspendedBots::NextLook(const CompetitionNow& now) const {
  if (!pinged_.empty()) return now.situation.now + kAnswerLook;
  Instant next = Instant::InfiniteFuture();
  for (const store::Entrant& entrant : now.entrants) {
    if (!IsSuspended(entrant, now)) continue;
    const absl::Duration left = LeftOf(*entrant.suspension, now);
    if (left > absl::ZeroDuration()) next = std::min(next, now.situation.now + left);
  }
  return next;
}

}  // namespace referee::competition
