#include "referee/competition/absences.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"

namespace referee::competition {
namespace {

// How long a block of a ladder waits for a bot that takes no matches: it may be playing at another
// referee.
constexpr absl::Duration kElsewherePatience = absl::Minutes(2);

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

// A bot that alternates between offline and taking no matches does not extend its limit by that.
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
  // A schedule that is to end relies on its blocks, unless a bot is out: and is taken out in time.
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

}  // namespace referee::competition
