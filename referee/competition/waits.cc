// What a competition waits for, and for how long.

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/competition/runner.h"

namespace referee::competition {
namespace {

// How often is looked for what nobody tells of: the host may take more matches, another daemon has
// played a block.
constexpr absl::Duration kLook = absl::Seconds(5);
constexpr absl::Duration kLookAtOthers = absl::Seconds(1);

}  // namespace

bool CompetitionRunner::IsAway(int bot) const {
  return !environment_.host->connected(entrants_[bot].name) || !WhyUnable(bot).empty();
}

std::string CompetitionRunner::WhyUnable(int bot) const {
  return environment_.host->WhyUnable(entrants_[bot].name, row_.spec.game, row_.spec.seats);
}

bool CompetitionRunner::TooLongAway(int bot) const {
  const auto since = away_since_.find(bot);
  return since != away_since_.end() && environment_.clock->Now() - since->second >= Patience();
}

absl::optional<int> CompetitionRunner::FindGone(const rating::Pairing& pairing) const {
  // A schedule that is to end relies on its blocks, unless a bot is out: and is taken out in time.
  const bool relies = ends() && row_.state != store::CompetitionState::kFinishing;
  for (const int bot : pairing.bots) {
    if (IsOut(bot) || (!relies && TooLongAway(bot))) return bot;
  }
  return absl::nullopt;
}

absl::Duration CompetitionRunner::Patience() const {
  return ends() ? row_.spec.absence_limit : limits::kLadderPatience;
}

std::set<int> CompetitionRunner::WaitedFor(bool only_away) const {
  std::set<int> bots;
  for (const auto& [number, open] : open_) {
    if (!open.waits_for_places() && !open.waits_in_host()) continue;
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

void CompetitionRunner::WatchAbsence() {
  const Instant now = environment_.clock->Now();
  std::map<int, Instant> away;
  for (const int bot : WaitedFor(/*only_away=*/true)) {
    if (!IsAway(bot)) continue;
    const auto before = away_since_.find(bot);
    away.emplace(bot, before == away_since_.end() ? now : before->second);
  }
  away_since_ = std::move(away);
  if (!ends() || row_.state != store::CompetitionState::kRunning) return;
  for (const auto& [bot, since] : away_since_) {
    if (!TooLongAway(bot) || IsOut(bot)) continue;
    const std::string unable = WhyUnable(bot);
    const std::string reason = absl::StrCat(unable.empty() ? "was not connected" : unable,
                                            unable.empty() ? " for " : ", for ",
                                            absl::FormatDuration(row_.spec.absence_limit),
                                            " while blocks waited for it; what it played counts");
    if (!TakeOut(bot, store::Presence::kWithdrawn, reason)) return;
  }
}

void CompetitionRunner::WatchReadiness() {
  for (const auto& [number, open] : open_) {
    if (open.unready_attempts < limits::kSilencesToSetAside) continue;
    for (const int bot : open.block.pairing.bots) {
      if (IsOut(bot)) continue;
      const std::string reason =
          absl::StrCat("was not ready for ", open.unready_attempts, " matches in a row of block ",
                       number, ", and neither was any other bot of it; ",
                       WhatFollowsAside(row_.spec, entrants_[bot].name));
      if (!TakeOut(bot, store::Presence::kSetAside, reason)) return;
    }
  }
}

bool CompetitionRunner::TakeOut(int bot, store::Presence out, const std::string& reason) {
  const absl::StatusOr<store::Entrant> taken =
      environment_.store->TakeOut(id_, entrants_[bot].name, out, reason, absl::nullopt);
  if (!taken.ok()) {
    Refused(taken.status());
    return false;
  }
  Log(absl::StrCat("bot ", Quoted(entrants_[bot].name),
                   out == store::Presence::kSetAside ? " is set aside" : " is withdrawn", ": it ",
                   reason));
  stale_ = true;
  return true;
}

Instant CompetitionRunner::NextTurn() const {
  const Instant now = environment_.clock->Now();
  if (failed_) return not_before_;
  if (goes_on_ || stale_) return now;
  if (idle()) return Instant::InfiniteFuture();
  Instant next = now + (foreign_.empty() ? kLook : kLookAtOthers);
  for (const auto& [number, open] : open_) {
    if (!open.made && open.not_before > now) next = std::min(next, open.not_before);
  }
  for (const auto& [bot, since] : away_since_) {
    const Instant expires = since + Patience();
    if (expires > now) next = std::min(next, expires);
  }
  return next;
}

// --- In words ---

std::string CompetitionRunner::WaitsFor() const {
  if (!trouble_.empty()) return trouble_;
  if (row_.state != store::CompetitionState::kRunning &&
      row_.state != store::CompetitionState::kFinishing) {
    return "";
  }
  for (const auto& [number, open] : open_) {
    if (open.made && !open.waits_in_host() && !open.over()) return "";  // it goes on
  }
  if (!may_begin_) return "the referee is stopping, or its store does not answer (see its log)";
  if (!foreign_.empty()) return "";
  return WhatIsMissing();
}

std::string CompetitionRunner::WhatIsMissing() const {
  std::set<int> wanted = WaitedFor(/*only_away=*/false);
  const bool running = row_.state == store::CompetitionState::kRunning;
  if (running && !ends()) {
    for (const store::Entrant& entrant : entrants_) {
      if (!IsOut(entrant.number)) wanted.insert(entrant.number);
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
    if (const std::string unable = WhyUnable(bot); !unable.empty()) {
      parts.push_back(absl::StrCat(Quoted(entrants_[bot].name), " ", unable));
    } else if (IsAway(bot)) {
      away.push_back(bot);
    } else if (FreePlaces(bot) < row_.spec.seats) {
      busy.push_back(bot);
    }
  }
  if (!away.empty()) {
    parts.push_back(absl::StrCat(Names(away), away.size() == 1 ? " is" : " are", " not connected"));
  }
  if (!busy.empty()) {
    parts.push_back(absl::StrCat(Names(busy), busy.size() == 1 ? " has" : " have", " not ",
                                 row_.spec.seats, " places free for matches of ", row_.spec.game,
                                 ", which a block needs at once"));
  }
  if (parts.empty() && !wanted.empty() &&
      environment_.host->max_running() - environment_.host->running() < row_.spec.seats) {
    parts.push_back("the referee plays as many matches as it may");
  }
  return absl::StrJoin(parts, "; ");
}

std::string CompetitionRunner::Names(const std::vector<int>& bots) const {
  const std::string first = Quoted(entrants_[bots[0]].name);
  if (bots.size() == 1) return first;
  if (bots.size() == 2) return absl::StrCat(first, " and ", Quoted(entrants_[bots[1]].name));
  return absl::StrCat(first, " and ", bots.size() - 1, " others");
}

}  // namespace referee::competition
