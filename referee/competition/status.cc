#include "referee/competition/status.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/errors.h"
#include "referee/competition/absences.h"

namespace referee::competition {
namespace {

// Whether fewer blocks run than could, because the host is under load.
bool IsHeldByLoad(const CompetitionNow& now, const schedule::Schedule& schedule) {
  const host::HostView& host = now.situation.host;
  return now.running() && now.home.here && !host.load.empty() &&
         host.RoomForBlocks(now.row.spec.seats) == 0 && schedule.blocks_left() != 0;
}

std::string NamesOf(const std::vector<int>& bots, const CompetitionNow& now) {
  const std::string first = Quoted(now.entrants[bots[0]].name);
  if (bots.size() == 1) return first;
  if (bots.size() == 2) return absl::StrCat(first, " and ", Quoted(now.entrants[bots[1]].name));
  return absl::StrCat(first, " and ", bots.size() - 1, " others");
}

std::string WhatIsMissing(const CompetitionNow& now, const OpenBlocks& open,
                          const schedule::Schedule& schedule) {
  const int seats = now.row.spec.seats;
  std::set<int> wanted = WaitedFor(now, open, schedule, /*only_away=*/false);
  if (now.running() && !now.ends()) {
    for (const store::Entrant& entrant : now.entrants) {
      if (entrant.presence == store::Presence::kIn) wanted.insert(entrant.number);
    }
    if (wanted.size() < static_cast<size_t>(seats)) {
      return absl::StrCat("a game has ", seats, " seats, and ", wanted.size(),
                          wanted.size() == 1 ? " bot is" : " bots are", " in the ladder");
    }
  }
  std::vector<std::string> parts;
  std::vector<int> away;
  std::vector<int> busy;
  for (const int bot : wanted) {
    const host::BotView& view = now.ViewOf(bot);
    if (!view.unable.empty()) {
      parts.push_back(absl::StrCat(Quoted(now.entrants[bot].name), " ", view.unable));
    } else if (!view.connected) {
      away.push_back(bot);
    } else if (view.free_slots < seats) {
      busy.push_back(bot);
    }
  }
  if (!away.empty()) {
    parts.push_back(
        absl::StrCat(NamesOf(away, now), away.size() == 1 ? " is" : " are", " not connected"));
  }
  if (!busy.empty()) {
    parts.push_back(absl::StrCat(NamesOf(busy, now), busy.size() == 1 ? " has" : " have", " not ",
                                 seats, " slots free for matches of ", now.row.spec.game,
                                 ", which a block needs at once"));
  }
  if (parts.empty() && !wanted.empty() && now.situation.host.RoomForBlocks(seats) == 0) {
    parts.push_back("the referee plays as many matches as it may");
  }
  if (parts.empty() && now.running()) return schedule.rests();
  return absl::StrJoin(parts, "; ");
}

}  // namespace

std::string WaitsFor(const CompetitionNow& now, const OpenBlocks& open,
                     const schedule::Schedule& schedule) {
  if (!now.running() && now.row.state != store::CompetitionState::kFinishing) return "";
  const Situation& situation = now.situation;
  if (IsHeldByLoad(now, schedule)) return situation.host.load;
  for (const auto& [number, block] : open) {
    if (block.made && !block.waits_in_host() && !block.over()) return "";  // it makes progress
  }
  if (!situation.may_begin)
    return "the referee is stopping, or its store does not answer (see its log)";
  if (!situation.host.held_back.empty()) return situation.host.held_back;
  if (situation.yields) return "a competition of higher priority takes the next free places";
  if (!now.foreign.empty()) return "";
  return WhatIsMissing(now, open, schedule);
}

std::string WhereItIsPlayed(const Home& home) {
  if (home.owner.empty()) return "no referee has taken it yet";
  if (home.address.empty()) return "it lives on another referee, which says more";
  return absl::StrCat("it lives on the referee at ", home.address, ", which says more");
}

absl::Status OwnedElsewhere(absl::string_view competition, const Home& home) {
  return absl::FailedPreconditionError(
      absl::StrCat("competition ", Quoted(competition), " lives on another referee; ask ",
                   home.address.empty() ? "that one ('refctl fleet show' says which it is)"
                                        : absl::StrCat("that one (--address ", home.address, ")")));
}

std::vector<BotNotice> NoticesFor(const CompetitionNow& now, const OpenBlocks& open,
                                  const schedule::Schedule& schedule) {
  std::vector<BotNotice> notices;
  const schedule::Spec& spec = now.row.spec;
  const std::string here = absl::StrCat("competition ", Quoted(spec.name));
  // A bot cannot do anything about the load of the referee.
  const std::string waits_for = IsHeldByLoad(now, schedule) ? "" : WaitsFor(now, open, schedule);
  for (const store::Entrant& entrant : now.entrants) {
    const host::BotView& view = now.ViewOf(entrant.number);
    if (!view.connected || entrant.successor) continue;
    if (entrant.presence == store::Presence::kSetAside) {
      notices.push_back(
          {entrant.name, absl::StrCat(here, " has set this bot aside: it ", entrant.reason)});
    }
    if (now.IsOut(entrant.number)) continue;
    if (!view.unable.empty()) {
      notices.push_back(
          {entrant.name,
           absl::StrCat(here, " cannot begin a block with this bot: it ", view.unable,
                        "; start it so that it plays ", spec.game, " and takes ", spec.seats,
                        " matches at once or more (--max-matches ", spec.seats, ")")});
    } else if (!waits_for.empty()) {
      notices.push_back({entrant.name, absl::StrCat(here, " waits: ", waits_for)});
    }
  }
  return notices;
}

}  // namespace referee::competition
