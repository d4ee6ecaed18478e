#include "referee/competition/absences.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/competition/count.h"

namespace referee::competition {
namespace {

// How long a block of a ladder waits for a bot that is online but takes no matches: the bot may be
// playing at another referee.
constexpr absl::Duration kElsewherePatience = absl::Minutes(2);

// The interval of checks whether a pinged bot has answered.
constexpr absl::Duration kAnswerLook = absl::Seconds(1);

// Whether the bot is suspended and returns by itself.
bool IsSuspended(const store::Entrant& entrant, const CompetitionNow& now) {
  return now.home.here && now.running() && !now.ends() && !entrant.successor &&
         entrant.presence == store::Presence::kSetAside && entrant.suspension.has_value();
}

// The rest of a suspension. Zero: it is over, or the wall clock was set back.
absl::Duration LeftOf(const store::Suspension& suspension, const CompetitionNow& now) {
  const absl::Duration left = suspension.until - now.situation.wall_now;
  return left > suspension.length ? absl::ZeroDuration() : std::max(left, absl::ZeroDuration());
}

}  // namespace

std::set<int> WaitedFor(const CompetitionNow& now, const OpenBlocks& open,
                        const schedule::Schedule& schedule, bool only_away) {
  std::set<int> bots;
  for (const auto& [number, block] : open) {
    if (!block.waits_for_slots() && !block.waits_in_host()) continue;
    bots.insert(block.block.pairing.bots.begin(), block.block.pairing.bots.end());
  }
  if (!now.running() || !now.ends()) return bots;
  for (const store::Entrant& entrant : now.entrants) {
    const int bot = entrant.number;
    if (now.IsOut(bot) || (only_away && !now.IsAway(bot))) continue;
    if (schedule.needs(bot)) bots.insert(bot);
  }
  return bots;
}

std::vector<Removal> Absences::Update(const CompetitionNow& now, const std::set<int>& waited_for) {
  const Instant instant = now.situation.now;
  std::map<int, Absence> before = std::exchange(by_bot_, {});
  for (const int bot : waited_for) {
    if (!now.IsAway(bot)) continue;
    const Absence known =
        before.try_emplace(bot, Absence{instant, Instant::InfiniteFuture()}).first->second;
    by_bot_[bot] = {known.since, now.ViewOf(bot).takes_none ? Instant::InfiniteFuture()
                                                            : std::min(known.gone_since, instant)};
  }
  std::vector<Removal> removals;
  if (!now.ends() || !now.running()) return removals;
  for (const auto& [bot, absence] : by_bot_) {
    if (!TooLongAway(now, bot)) continue;
    const host::BotView& view = now.ViewOf(bot);
    const std::string why = !view.unable.empty() ? absl::StrCat(view.unable, ",")
                            : view.takes_none    ? "took no matches"
                                                 : "was not connected";
    const std::string limit = absl::FormatDuration(now.row.spec.absence_limit);
    removals.push_back(
        {bot, store::Presence::kWithdrawn,
         absl::StrCat(why, " for ", limit, " while blocks waited for it; what it played counts")});
  }
  return removals;
}

// A bot that alternates between offline and taking no matches does not extend its limit by doing
// so.
Instant Absences::LimitOf(const CompetitionNow& now, const Absence& absence) {
  if (now.ends()) return absence.since + now.row.spec.absence_limit;
  return std::min(absence.since + kElsewherePatience, absence.gone_since + limits::kLadderPatience);
}

bool Absences::TooLongAway(const CompetitionNow& now, int bot) const {
  const auto absence = by_bot_.find(bot);
  return absence != by_bot_.end() && now.IsAway(bot) &&
         now.situation.now >= LimitOf(now, absence->second);
}

std::vector<int> Absences::GonePlaces(const CompetitionNow& now,
                                      const rating::Pairing& pairing) const {
  // A format that ends needs its blocks, unless a bot is out; absent bots are removed in time.
  const bool relies = now.ends() && now.row.state != store::CompetitionState::kFinishing;
  std::vector<int> places;
  for (size_t place = 0; place < pairing.bots.size(); ++place) {
    const int bot = pairing.bots[place];
    if (now.IsOut(bot) || (!relies && TooLongAway(now, bot))) {
      places.push_back(static_cast<int>(place));
    }
  }
  return places;
}

Instant Absences::NextLimit(const CompetitionNow& now) const {
  Instant next = Instant::InfiniteFuture();
  for (const auto& [bot, absence] : by_bot_) {
    const Instant limit = LimitOf(now, absence);
    if (limit > now.situation.now) next = std::min(next, limit);
  }
  return next;
}

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
