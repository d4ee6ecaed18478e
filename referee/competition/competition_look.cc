// The part of CompetitionLoop that looks at the store.
#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/competition/competition_loop.h"

namespace referee::competition {
namespace {

// How long after a look that failed, and while homes are being handed over, the next one is.
constexpr absl::Duration kLookSoon = absl::Seconds(1);

bool GoesOn(store::CompetitionState state) {
  return state != store::CompetitionState::kNew && state != store::CompetitionState::kFinished;
}

std::string Named(const Home& home) {
  return home.address.empty() ? Quoted(home.owner)
                              : absl::StrCat(Quoted(home.owner), " at ", home.address);
}

void LogMove(const store::Competition& competition, const Home& before, const Home& home,
             const log::Log& log) {
  const auto moved = [&](absl::string_view where) {
    log::Tell(log,
              log::Event(log::Level::kInfo, "home_moved",
                         absl::StrCat("competition ", Quoted(competition.spec.name), " ", where))
                  .With(log::kCompetition, competition.id.text()));
  };
  if (home.here) {
    moved(absl::StrCat("lives here from now on, under term ", competition.home_term));
  } else if (!home.owner.empty()) {
    moved(absl::StrCat("lives on referee ", Named(home), ", under term ", competition.home_term,
                       home.helps ? ", and this one helps" : ""));
  } else {
    moved(before.here ? "lives here no more"
                      : absl::StrCat("lives no more on referee ", Named(before)));
  }
}

}  // namespace

absl::Status CompetitionLoop::LookAtStore() {
  last_look_ = environment_.clock->Now();
  next_look_ = last_look_ + kLookSoon;  // if it fails
  absl::StatusOr<std::vector<store::Competition>> all = environment_.store->ListUnfinished();
  if (!all.ok()) return all.status();
  FleetLook look;
  for (store::Competition& competition : *all) {
    watch_delays_.Note(competition);
    if (GoesOn(competition.state)) look.competitions.push_back(std::move(competition));
  }
  std::string address;
  {
    MutexLock lock(&mutex_);
    address = address_;
    look.draining = draining_;
  }
  // One that nobody is referred to needs no lease while nothing goes on.
  if (!look.competitions.empty() || !address.empty()) {
    last_look_ = environment_.clock->Now();
    const absl::Status joined = fleet_.Join(last_look_, address, &look);
    if (!joined.ok()) return joined;
    MutexLock lock(&mutex_);
    draining_ = draining_ || look.draining;
    lease_end_ = fleet_.lease().end();
    leases_lost_ = fleet_.lease().lost();
  }
  TakeUp(look);
  const absl::Status referred =
      referrer_.Update(look.competitions, look.daemons, last_look_, environment_.host);
  if (referred.ok()) PlanNextLook(look);
  return referred;
}

void CompetitionLoop::TakeUp(const FleetLook& look) {
  std::vector<store::CompetitionId> changed_ids;
  {
    MutexLock lock(&mutex_);
    std::set<store::CompetitionId> claimed;
    for (const store::Block& block : look.claimed) claimed.insert(block.competition);
    std::set<store::CompetitionId> goes_on;
    for (const store::Competition& competition : look.competitions) {
      const store::CompetitionId& id = competition.id;
      goes_on.insert(id);
      Known& known = known_[id];
      const Home home = HomeFor(fleet_.lease().owner(), competition, look.daemons);
      if (home != known.home) LogMove(competition, known.home, home, environment_.log);
      const int64_t progress = competition.next_block + competition.counted;
      const bool changed = known.version != competition.version || known.progress_at != progress ||
                           home != known.home;
      if (changed && !home.here) changed_ids.push_back(id);
      if (known.entry == nullptr && (home.here || home.helps || claimed.count(id) > 0)) {
        known.entry = std::make_shared<Entry>(id, &environment_);
      }
      if (known.version != competition.version || look.in_doubt || claimed.count(id) > 0) {
        known.stale = true;
      }
      known.home = home;
      known.version = competition.version;
      known.progress_at = progress;
      known.precedence.priority = competition.spec.priority;
      known.precedence.ladder = competition.spec.format == schedule::Format::kLadder;
    }
    for (auto known = known_.begin(); known != known_.end();) {
      const bool over = known->second.entry == nullptr && goes_on.count(known->first) == 0;
      if (over) changed_ids.push_back(known->first);
      known = over ? known_.erase(known) : std::next(known);
    }
  }
  for (const store::CompetitionId& id : changed_ids) watches_.Notify(id);
}

void CompetitionLoop::PlanNextLook(const FleetLook& look) {
  next_look_ = fleet_.NextLook(last_look_, look);
  // Whoever takes one that has no home begins at once, and its bots are to be told.
  const bool any_free = std::any_of(look.competitions.begin(), look.competitions.end(),
                                    [&](const store::Competition& one) {
                                      const store::Daemon* const home = HomeOf(one, look.daemons);
                                      return home == nullptr || home->draining;
                                    });
  const bool others_stay =
      std::any_of(look.daemons.begin(), look.daemons.end(), [&](const store::Daemon& daemon) {
        return daemon.owner != fleet_.lease().owner() && !daemon.draining;
      });
  MutexLock lock(&mutex_);
  const bool any_here = std::any_of(known_.begin(), known_.end(),
                                    [](const auto& known) { return known.second.home.here; });
  // What was given to this one before its home saw that it drains is handed back at the look after
  // the one that said so.
  const bool may_be_given = std::any_of(known_.begin(), known_.end(), [](const auto& known) {
    return known.second.entry != nullptr && !known.second.home.here;
  });
  const bool is_first = draining_ && !std::exchange(drained_at_last_look_, draining_);
  const bool hands_over = draining_ && others_stay && (any_here || (may_be_given && is_first));
  if (hands_over || (any_free && others_stay)) {
    next_look_ = std::min(next_look_, last_look_ + kLookSoon);
  }
  settled_ = draining_ && (settled_ || !hands_over);
  changed_.NotifyAll();
}

}  // namespace referee::competition
