#include "referee/competition/suspension.h"

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/competition/count.h"

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

void LateBots::Note(const OpenBlock& open, Instant now) {
  if (!open.over()) return;
  const std::vector<int> late = open.LatePlaces();
  const std::vector<int>& bots = open.block.pairing.bots;
  for (size_t place = 0; place < bots.size(); ++place) {
    const bool was_late = std::count(late.begin(), late.end(), static_cast<int>(place)) > 0;
    if (!was_late && by_bot_.count(bots[place]) == 0) continue;
    Lateness& lateness = by_bot_[bots[place]];
    const bool anew = was_late && open.made_at >= lateness.until;
    if (was_late && !anew) continue;
    if (anew) lateness.until = now;
    if (anew) lateness.last = absl::StrCat("block ", open.block.number);
    lateness.attempts.push_back(anew);
    if (lateness.attempts.size() > limits::kLatesLookBack) {
      lateness.attempts.erase(lateness.attempts.begin());
    }
  }
}

std::vector<Removal> LateBots::Removals(const CompetitionNow& now) const {
  std::vector<Removal> removals;
  for (const auto& [bot, lateness] : by_bot_) {
    const std::vector<bool>& attempts = lateness.attempts;
    const auto lates = std::count(attempts.begin(), attempts.end(), true);
    if (lates < limits::kLatesToSetAside) continue;
    removals.push_back(
        {bot, store::Presence::kSetAside,
         absl::StrCat("was late in ", lates, " of its last ", attempts.size(),
                      " attempts at blocks while the referee stood still, so that they were void, "
                      "last in ",
                      lateness.last, "; ",
                      WhatFollowsAside(now.row.spec, now.entrants[bot].name))});
  }
  return removals;
}

std::vector<Removal> RemovalsOfUnready(const CompetitionNow& now, const OpenBlocks& blocks) {
  std::vector<Removal> removals;
  for (const auto& [number, open] : blocks) {
    if (open.unready_attempts < limits::kSilencesToSetAside) continue;
    for (const int bot : open.block.pairing.bots) {
      const store::Entrant& entrant = now.entrants[bot];
      const auto suspension = NextSuspension(now.row.spec.format, entrant, now.situation.wall_now);
      removals.push_back(
          {bot, store::Presence::kSetAside,
           absl::StrCat("was not ready for ", open.unready_attempts, " matches in a row of block ",
                        number, ", and neither was any other bot of it; ",
                        WhatFollowsAside(now.row.spec, entrant.name, suspension)),
           suspension});
    }
  }
  return removals;
}

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
