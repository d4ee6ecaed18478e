// The slots that this host lends to matches of other referees, and their owners' places in the
// queue.
//
// See service/peer/PEERS.md. An owner that was refused slots of a bot waits in the queue like a
// local match, once for each bot. It is as old as its oldest match for the bot. When its turn
// comes, the slots are kept for it for limits::kKeptSlots.
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
  // A callback to call without holding a lock.
  using Call = std::function<void()>;

  // Both must outlive this.
  LentSlots(Seating* seating, KnownBots* bots) : seating_(*seating), bots_(*bots) {}

  // Takes the slots, or queues the owner. Replaces the owner's previous request for the bot.
  // Returns whether it took them.
  bool Reserve(Wish wish);
  // Keeps the slots of a seated party until `until`. Returns the call that notifies the owner.
  Call Keep(const Seating::Waiting& seated, Instant until);
  // Frees the slots whose time is over. Returns their bots.
  std::vector<std::string> GiveUpKept(Instant now);
  // When that is next due; InfiniteFuture if nothing is kept.
  Instant first_limit() const;

  // Drops the requests for the bot, because it has another link or none.
  void Forget(absl::string_view bot);
  // Frees all slots of a lost owner. Returns them as pairs of bot and match.
  std::vector<std::pair<std::string, std::string>> FreeAll(const Relay* owner);

 private:
  struct Waiting {
    MatchId id;  // its place in the queue
    Wish wish;
    absl::optional<Instant> kept_until;  // not set while it is in the queue
  };
  using Key = std::pair<std::string, const Relay*>;  // bot and owner
  using Queue = std::map<Key, Waiting>;

  // Returns a unique place in the queue, as old as `oldest`.
  MatchId PlaceOf(const MatchId& oldest);
  // Removes a request from the queue, or frees its kept slots. Returns the next request.
  Queue::iterator Drop(Queue::iterator waiting);

  Seating& seating_;
  KnownBots& bots_;
  uint32_t places_ = 0;  // how many were given
  Queue waiting_;
  std::map<MatchId, Key> by_id_;  // requests in the queue
};

}  // namespace referee::host

#endif  // REFEREE_HOST_LENT_SLOTS_H_
