// The slots that this host lends to matches of other referees, and their owners' places in the
// queue.
//
// See service/peer/PEERS.md. An owner that was refused slots of a bot waits in the queue like a
// local match, once for each bot. It is as old as its oldest match for the bot. When its turn
// comes, the slots are kept for it for limits::kKeptSlots. It cannot take them if another bot of
// its match is busy. Then matches of others come first, and the slots are kept for it again, for
// twice as long: so both bots are kept at the same time in the end, however long matches take.
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
  // Keeps the slots of a seated party from `now` on. Returns the call that notifies the owner.
  Call Keep(const Seating::Waiting& seated, Instant now);
  // Frees the slots whose time is over. Returns their bots: matches of others may take them before
  // QueueAgain.
  std::vector<std::string> GiveUpKept(Instant now);
  // Queues the requests again whose slots GiveUpKept has freed.
  void QueueAgain();
  // When that is next due; InfiniteFuture if nothing is kept.
  Instant first_limit() const;

  // Drops the owner's request for the bot if it is for this match, which does not begin any more.
  void ForgetMatch(absl::string_view bot, const Relay* owner, const MatchId& match);
  // Drops the requests for the bot, because it has another link or none.
  void Forget(absl::string_view bot);
  // Frees all slots of a lost owner. Returns them as pairs of bot and match.
  std::vector<std::pair<std::string, std::string>> FreeAll(const Relay* owner);

 private:
  struct Waiting {
    enum class State { kQueued, kKept, kFreed };
    MatchId id;  // its place in the queue
    Wish wish;
    State state = State::kQueued;
    Instant kept_until = Instant::InfiniteFuture();
    int expired = 0;  // how often its slots were kept in vain
  };
  using Key = std::pair<std::string, const Relay*>;  // bot and owner
  using Queue = std::map<Key, Waiting>;

  // Returns a unique place in the queue, as old as `oldest`.
  MatchId PlaceOf(const MatchId& oldest);
  void Enqueue(const Key& key, const Waiting& waiting);
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
