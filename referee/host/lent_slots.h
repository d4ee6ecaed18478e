// The slots of this host's bots that matches of other referees take, and those referees' places in
// the queue (service/peer/PEERS.md). An owner that was refused slots of a bot waits in the queue
// like a match here, once for each bot, as old as the oldest match that it has for the bot. When
// its turn has come, the slots are kept for it for limits::kKeptSlots.
#ifndef REFEREE_HOST_LENT_SLOTS_H_
#define REFEREE_HOST_LENT_SLOTS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/host/bot.h"
#include "referee/host/known_bots.h"
#include "referee/host/relay.h"
#include "referee/host/seating.h"

namespace referee::host {

// Thread-compatible.
class LentSlots {
 public:
  struct Wish {
    std::string bot;
    SlotsWanted wanted;
    std::shared_ptr<Relay> owner;
    std::function<void(int slots)> when_free;  // see Host::ReserveSlots
  };
  // To be called without a lock.
  using Call = std::function<void()>;

  // Both must outlive this.
  LentSlots(Seating* seating, KnownBots* bots) : seating_(*seating), bots_(*bots) {}

  // Takes the slots, or queues the owner, in place of what it asked for before. Returns whether it
  // took them.
  bool Reserve(Wish wish);
  // Keeps the slots of a party that is seated, until `until`. Returns the call that says so.
  Call Keep(const Seating::Waiting& seated, Instant until);
  // Frees what was kept for long enough. Returns the bots.
  std::vector<std::string> GiveUpKept(Instant now);
  // When that is due first; InfiniteFuture if nothing is kept.
  Instant first_limit() const;

  // The bot has another link, or none: what was asked for on the link before is forgotten.
  void Forget(absl::string_view bot);
  // The owner is gone. Returns its matches that had a slot, by bot.
  std::vector<std::pair<std::string, std::string>> FreeAll(const Relay* owner);

 private:
  struct Waiting {
    MatchId id;  // its place in the queue
    Wish wish;
    absl::optional<Instant> kept_until;  // none: it is in the queue
  };
  using Key = std::pair<std::string, const Relay*>;  // bot and owner
  using Queue = std::map<Key, Waiting>;

  // A place in the queue that no other has, as old as `oldest`.
  MatchId PlaceOf(const MatchId& oldest);
  // Takes it out of the queue, or frees what is kept. Returns what follows it.
  Queue::iterator Drop(Queue::iterator waiting);

  Seating& seating_;
  KnownBots& bots_;
  uint32_t places_ = 0;  // that were given
  Queue waiting_;
  std::map<MatchId, Key> by_id_;  // of those in the queue
};

}  // namespace referee::host

#endif  // REFEREE_HOST_LENT_SLOTS_H_
