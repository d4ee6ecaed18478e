#include "referee/host/entry_patience.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/host/match_runner.h"

namespace referee::host {

EntryPatience::EntryPatience(const Clock* clock, Timers* timers) : clock_(*clock) {
  timer_ = timers->At(Instant::InfiniteFuture(), [this] { GiveUp(); });
}

void EntryPatience::Await(std::shared_ptr<Bot> bot, uint64_t version) {
  MutexLock lock(&mutex_);
  waits_.push_back({clock_.Now() + limits::kEntryPatience, std::move(bot), version});
  timer_.SetTo(waits_.front().until);
}

void EntryPatience::GiveUp() {
  std::vector<Wait> over;
  {
    MutexLock lock(&mutex_);
    while (!waits_.empty() && waits_.front().until <= clock_.Now()) {
      over.push_back(std::move(waits_.front()));
      waits_.pop_front();
    }
    if (!waits_.empty()) timer_.SetTo(waits_.front().until);
  }
  for (const Wait& wait : over) {
    if (wait.bot->connection().version != wait.version) continue;
    for (const Bot::Slot& slot : wait.bot->slots()) {
      slot.runner->Stop(match::Ending::kVoid,
                        absl::StrCat("the referee that bot ", Quoted(wait.bot->name()),
                                     " was connected to is gone"),
                        "", slot.seat);
    }
  }
}

}  // namespace referee::host
