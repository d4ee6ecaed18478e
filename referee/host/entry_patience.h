// Waits for bots whose entry is gone, the referee that had their streams (service/peer/PEERS.md).
// The matches of a bot that has not connected again in time are void.
#ifndef REFEREE_HOST_ENTRY_PATIENCE_H_
#define REFEREE_HOST_ENTRY_PATIENCE_H_

#include <cstdint>
#include <deque>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/host/bot.h"
#include "referee/host/timers.h"

namespace referee::host {

// Thread-safe.
class EntryPatience {
 public:
  // Both must outlive this.
  EntryPatience(const Clock* clock, Timers* timers);

  // The bot has had no link since its connection of this version, as its entry is gone.
  void Await(std::shared_ptr<Bot> bot, uint64_t version);

 private:
  struct Wait {
    Instant until;
    std::shared_ptr<Bot> bot;
    uint64_t version;
  };

  void GiveUp();

  const Clock& clock_;
  Mutex mutex_;
  std::deque<Wait> waits_ ABSL_GUARDED_BY(mutex_);  // the first to end first
  Timer timer_;  // for the first; the last member, as its call uses the others
};

}  // namespace referee::host

#endif  // REFEREE_HOST_ENTRY_PATIENCE_H_
