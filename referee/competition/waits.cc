// What a competition waits for, and for how long.

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/competition/count.h"
#include "referee/competition/planner.h"
#include "referee/competition/suspension.h"

namespace referee::competition {
namespace {

bool Has(const std::vector<Removal>& removals, int bot) {
  return std::any_of(removals.begin(), removals.end(),
                     [bot](const Removal& removal) { return removal.bot == bot; });
}

// How long a block of a ladder waits for a bot that takes no matches: it may be playing at another
// referee.
constexpr absl::Duration kElsewherePatience = absl::Minutes(2);
// How often is looked for what nobody tells of: the host may take more matches.
constexpr absl::Duration kLook = absl::Seconds(5);
// Another daemon has played a block, or begun one for this one. Counting waits for what others
// play: helpers, or the former home after a competition has moved.
constexpr absl::Duration kLookAtOthers = absl::Milliseconds(250);

}  // namespace

bool Planner::IsAway(int bot) const {
  const host::BotView& view = ViewOf(bot);
  return !view.connected || !view.unable.empty() || view.takes_none;
}

bool Planner::TooLongAway(int bot) const {
  const auto absence = absences_.find(bot);
  return IsAway(bot) && absence != absences_.end() && situation_.now >= LimitOf(absence->second);
}

std::vector<int> Planner::GonePlaces(const rating::Pairing& pairing) const {
  // A schedule that is to end relies on its blocks, unless a bot is out: and is taken out in time.
  const bool relies = ends() && row_.state != store::CompetitionState::kFinishing;
  std::vector<int> places;
  for (size_t place = 0; place < pairing.bots.size(); ++place) {
    const int bot = pairing.bots[place];
    if (IsOut(bot) || (!relies && TooLongAway(bot))) places.push_back(static_cast<int>(place));
  }
  return places;
}

std::string Planner::WhyGone(int bot) const {
  const store::Entrant& entrant = entrants_[static_cast<size_t>(standing_[bot])];
  if (entrant.presence == store::Presence::kIn && ViewOf(bot).takes_none) {
    return absl::StrCat(Quoted(entrant.name), " takes no matches");
  }
  const char* const how = entrant.presence == store::Presence::kIn          ? " is away"
                          : entrant.presence == store::Presence::kWithdrawn ? " has left"
                                                                            : " was set aside";
  return absl::StrCat(Quoted(entrant.name), how);
}

// One that is now gone, now there without taking matches is not waited for any longer for that.
Instant Planner::LimitOf(const Absence& absence) const {
  if (ends()) return absence.since + row_.spec.absence_limit;
  return std::min(absence.since + kElsewherePatience, absence.gone_since + limits::kLadderPatience);
}

std::set<int> Planner::WaitedFor(bool only_away) const {
  std::set<int> bots;
  for (const auto& [number, open] : open_) {
    if (!open.waits_for_slots() && !open.waits_in_host()) continue;
    bots.insert(open.block.pairing.bots.begin(), open.block.pairing.bots.end());
  }
  if (row_.state != store::CompetitionState::kRunning || !ends()) return bots;
  for (const store::Entrant& entrant : entrants_) {
    const int bot = entrant.number;
    if (IsOut(bot) || (only_away && !IsAway(bot))) continue;
    if (schedule_->needs(bot)) bots.insert(bot);
  }
  return bots;
}

std::vector<Removal> Planner::Removals() {
  std::vector<Removal> removals;
  if (!home_.here) return removals;
  AddUnready(&removals);
  AddLate(&removals);
  AddAbsent(&removals);
  return removals;
}

void Planner::AddUnready(std::vector<Removal>* removals) const {
  for (const auto& [number, open] : open_) {
    if (open.unready_attempts < limits::kSilencesToSetAside) continue;
    for (const int bot : open.block.pairing.bots) {
      if (IsOut(bot) || Has(*removals, bot)) continue;
      const auto suspension = NextSuspension(row_.spec.format, entrants_[bot], situation_.wall_now);
      removals->push_back(
          {bot, store::Presence::kSetAside,
           absl::StrCat("was not ready for ", open.unready_attempts, " matches in a row of block ",
                        number, ", and neither was any other bot of it; ",
                        WhatFollowsAside(row_.spec, entrants_[bot].name, suspension)),
           suspension});
    }
  }
}

void Planner::AddLate(std::vector<Removal>* removals) const {
  for (const auto& [bot, lateness] : lateness_) {
    const std::vector<bool>& attempts = lateness.attempts;
    const auto lates = std::count(attempts.begin(), attempts.end(), true);
    if (lates < limits::kLatesToSetAside || IsOut(bot) || Has(*removals, bot)) continue;
    removals->push_back(
        {bot, store::Presence::kSetAside,
         absl::StrCat("was late in ", lates, " of its last ", attempts.size(),
                      " attempts at blocks while the referee stood still, so that they were void, "
                      "last in ",
                      lateness.last, "; ", WhatFollowsAside(row_.spec, entrants_[bot].name))});
  }
}

void Planner::AddAbsent(std::vector<Removal>* removals) {
  const Instant now = situation_.now;
  std::map<int, Absence> away;
  for (const int bot : WaitedFor(/*only_away=*/true)) {
    if (!IsAway(bot)) continue;
    const auto before = absences_.find(bot);
    Absence absence =
        before == absences_.end() ? Absence{now, Instant::InfiniteFuture()} : before->second;
    absence.gone_since =
        ViewOf(bot).takes_none ? Instant::InfiniteFuture() : std::min(absence.gone_since, now);
    away.emplace(bot, absence);
  }
  absences_ = std::move(away);
  if (!ends() || row_.state != store::CompetitionState::kRunning) return;
  for (const auto& [bot, absence] : absences_) {
    if (!TooLongAway(bot) || IsOut(bot) || Has(*removals, bot)) continue;
    const host::BotView& view = ViewOf(bot);
    const std::string why = !view.unable.empty() ? absl::StrCat(view.unable, ",")
                            : view.takes_none    ? "took no matches"
                                                 : "was not connected";
    removals->push_back({bot, store::Presence::kWithdrawn,
                         absl::StrCat(why, " for ", absl::FormatDuration(row_.spec.absence_limit),
                                      " while blocks waited for it; what it played counts")});
  }
}

void Planner::Removed(const Removal& removal) {
  log_.push_back(
      absl::StrCat("bot ", Quoted(entrants_[removal.bot].name),
                   removal.out == store::Presence::kSetAside ? " is set aside" : " is withdrawn",
                   ": it ", removal.reason));
  lateness_.erase(removal.bot);
  stale_ = true;
}

std::vector<BotNotice> Planner::Notices() const {
  std::vector<BotNotice> notices;
  if (!home_.here) return notices;
  const std::string here = absl::StrCat("competition ", Quoted(row_.spec.name));
  // Nothing that a bot could do would help against the load of the referee.
  const std::string waits_for = IsHeldByLoad() ? "" : WaitsFor();
  for (const store::Entrant& entrant : entrants_) {
    const host::BotView& view = ViewOf(entrant.number);
    if (!view.connected || entrant.successor) continue;
    if (entrant.presence == store::Presence::kSetAside) {
      notices.push_back(
          {entrant.name, absl::StrCat(here, " has set this bot aside: it ", entrant.reason)});
    }
    if (IsOut(entrant.number)) continue;
    if (!view.unable.empty()) {
      notices.push_back(
          {entrant.name, absl::StrCat(here, " cannot begin a block with this bot: it ", view.unable,
                                      "; start it so that it plays ", row_.spec.game, " and takes ",
                                      row_.spec.seats, " matches at once or more (--max-matches ",
                                      row_.spec.seats, ")")});
    } else if (!waits_for.empty()) {
      notices.push_back({entrant.name, absl::StrCat(here, " waits: ", waits_for)});
    }
  }
  return notices;
}

Instant Planner::NextStep() const {
  const Instant now = situation_.now;
  if (goes_on_ || stale_) return now;
  if (idle()) return Instant::InfiniteFuture();
  const bool others_act = home_.helps || !foreign_.empty() || !situation_.help.empty();
  Instant next = now + (others_act ? kLookAtOthers : kLook);
  for (const auto& [number, open] : open_) {
    if (!open.made && open.not_before > now) next = std::min(next, open.not_before);
  }
  for (const auto& [bot, absence] : absences_) {
    const Instant expires = LimitOf(absence);
    if (expires > now) next = std::min(next, expires);
  }
  next = std::min(next, NextReturn());
  const Instant asks_again = home_.here ? schedule_->asks_again() : now;
  if (asks_again > now) next = std::min(next, asks_again);
  return next;
}

// --- In words ---

bool Planner::IsHeldByLoad() const {
  const host::HostView& host = situation_.host;
  const bool begins = row_.state == store::CompetitionState::kRunning && home_.here;
  return begins && !host.load.empty() && host.RoomForBlocks(row_.spec.seats) == 0 &&
         schedule_->blocks_left() != 0;
}

std::string Planner::WaitsFor() const {
  if (row_.state != store::CompetitionState::kRunning &&
      row_.state != store::CompetitionState::kFinishing) {
    return "";
  }
  if (IsHeldByLoad()) return situation_.host.load;
  for (const auto& [number, open] : open_) {
    if (open.made && !open.waits_in_host() && !open.over()) return "";  // it goes on
  }
  if (!situation_.may_begin)
    return "the referee is stopping, or its store does not answer (see its log)";
  if (held_back()) return situation_.host.held_back;
  if (situation_.yields) return "a competition of higher priority takes the next free places";
  if (!foreign_.empty()) return "";
  return WhatIsMissing();
}

std::string Planner::WhatIsMissing() const {
  std::set<int> wanted = WaitedFor(/*only_away=*/false);
  const bool running = row_.state == store::CompetitionState::kRunning;
  if (running && !ends()) {
    for (const store::Entrant& entrant : entrants_) {
      if (entrant.presence == store::Presence::kIn) wanted.insert(entrant.number);
    }
    if (wanted.size() < static_cast<size_t>(row_.spec.seats)) {
      return absl::StrCat("a game has ", row_.spec.seats, " seats, and ", wanted.size(),
                          wanted.size() == 1 ? " bot is" : " bots are", " in the ladder");
    }
  }
  std::vector<std::string> parts;
  std::vector<int> away;
  std::vector<int> busy;
  for (const int bot : wanted) {
    if (const std::string& unable = ViewOf(bot).unable; !unable.empty()) {
      parts.push_back(absl::StrCat(Quoted(entrants_[bot].name), " ", unable));
    } else if (!ViewOf(bot).connected) {
      away.push_back(bot);
    } else if (ViewOf(bot).free_slots < row_.spec.seats) {
      busy.push_back(bot);
    }
  }
  if (!away.empty()) {
    parts.push_back(absl::StrCat(Names(away), away.size() == 1 ? " is" : " are", " not connected"));
  }
  if (!busy.empty()) {
    parts.push_back(absl::StrCat(Names(busy), busy.size() == 1 ? " has" : " have", " not ",
                                 row_.spec.seats, " slots free for matches of ", row_.spec.game,
                                 ", which a block needs at once"));
  }
  if (parts.empty() && !wanted.empty() && situation_.host.RoomForBlocks(row_.spec.seats) == 0) {
    parts.push_back("the referee plays as many matches as it may");
  }
  if (parts.empty() && running) return schedule_->rests();
  return absl::StrJoin(parts, "; ");
}

std::string Planner::Names(const std::vector<int>& bots) const {
  const std::string first = Quoted(entrants_[bots[0]].name);
  if (bots.size() == 1) return first;
  if (bots.size() == 2) return absl::StrCat(first, " and ", Quoted(entrants_[bots[1]].name));
  return absl::StrCat(first, " and ", bots.size() - 1, " others");
}

}  // namespace referee::competition
