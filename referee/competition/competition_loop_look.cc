// The part of CompetitionLoop that acts on a poll of the store: logging, and the time of the next
// poll.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/competition/competition_loop.h"
#include "referee/competition/homes.h"

namespace referee::competition {

void CompetitionLoop::NoteLook(const absl::Status& looked) {
  // Aborted: another referee has ended the lease meanwhile.
  const bool silent = !looked.ok() && !absl::IsAborted(looked);
  if (silent) fleet_.LookFailed();
  bool was_silent;
  {
    MutexLock lock(&mutex_);
    was_silent = std::exchange(store_silent_, silent);
  }
  if (was_silent == silent) return;
  log::Tell(environment_.log,
            silent ? log::Event(log::Level::kError, "store_silent",
                                absl::StrCat("competitions: the store does not answer: ",
                                             looked.message()))
                   : log::Event(log::Level::kInfo, "store_answers",
                                "competitions: the store answers again"));
}

void CompetitionLoop::PlanNextLook(const FleetLook& look) {
  next_look_ = fleet_.NextLook(last_look_, look);
  // A referee that takes over a competition without an owner begins at once, so poll soon to tell
  // bots about it.
  const bool any_free = std::any_of(look.competitions.begin(), look.competitions.end(),
                                    [&](const store::Competition& one) {
                                      const store::Daemon* const home = HomeOf(one, look.daemons);
                                      return home == nullptr || !home->stays();
                                    });
  MutexLock lock(&mutex_);
  // A draining referee hands over to any other one, even to one that cannot begin matches now.
  const bool others_take = std::any_of(look.daemons.begin(), look.daemons.end(),
                                       [&, draining = draining_](const store::Daemon& daemon) {
                                         if (daemon.owner == fleet_.lease().owner()) return false;
                                         return draining ? !daemon.draining : daemon.stays();
                                       });
  const bool any_here = std::any_of(known_.begin(), known_.end(),
                                    [](const auto& known) { return known.second.home.here; });
  // The owner may have given blocks to this referee before it saw that this referee drains. They
  // are handed back at the poll after the one that announced the draining.
  const bool may_be_given = std::any_of(known_.begin(), known_.end(), [](const auto& known) {
    return known.second.entry != nullptr && !known.second.home.here;
  });
  const bool is_first = draining_ && !std::exchange(drained_at_last_look_, draining_);
  const bool gives_up = draining_ || !look.unable.empty();
  const bool hands_over = gives_up && others_take && (any_here || (may_be_given && is_first));
  if (hands_over || (any_free && others_take)) {
    next_look_ = std::min(next_look_, last_look_ + kLookSoon);
  }
  settled_ = draining_ && (settled_ || !hands_over);
  changed_.NotifyAll();
}

}  // namespace referee::competition
