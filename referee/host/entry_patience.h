// Waits for bots whose entry was lost, for at most limits::kEntryPatience.
//
// The entry is the referee that had the bot's stream (service/peer/PEERS.md). If the bot has not
// connected again in time, its matches become void.
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

  // Waits for a bot that lost its entry. `version` is that of the bot's connection since then.
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
  std::deque<Wait> waits_ ABSL_GUARDED_BY(mutex_);  // sorted by `until`
  Timer timer_;  // for the first wait; the last member, since its call uses the others
};

}  // namespace referee::host

#endif  // REFEREE_HOST_ENTRY_PATIENCE_H_
