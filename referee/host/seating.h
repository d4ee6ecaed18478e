// The queue of matches that wait for their bots, and the count of those that run: decides which
// match may begin next. It knows names and numbers only; the caller begins the match.
//
//   Seating seating(100, [&](const std::string& bot, const std::string& game, int n) { ... });
//   seating.Wait({id, "hypnosia", {"alice", "bob"}, 1}, clock.Now() + limit);
//   seating.SeatFor("alice", [&](const MatchId& id) { ... });  // alice has come
#ifndef REFEREE_HOST_SEATING_H_
#define REFEREE_HOST_SEATING_H_

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"

namespace referee::host {

// A value; thread-compatible.
class Seating {
 public:
  // What begins together: a match alone, or all matches of a block, named by the first.
  struct Party {
    MatchId id;
    std::string game;
    std::vector<std::string> bots;
    int matches = 1;
  };
  // How many more matches of `game` a bot can take now, of those that come `at_once` together.
  using FreeSlots =
      std::function<int(const std::string& bot, const std::string& game, int at_once)>;
  // Takes a slot of each bot for each match, so that FreeSlots returns fewer, and begins them.
  using Begin = std::function<void(const MatchId& id)>;

  // `max_running` as in SetMaxRunning.
  Seating(int max_running, FreeSlots free_slots)
      : free_slots_(std::move(free_slots)), max_running_(max_running) {}

  // Queues `party`, until `until` at most. REQUIRES: it is not in the queue.
  void Wait(Party party, Instant until);
  // Takes the party out of the queue, if it is there.
  void Remove(const MatchId& id);

  // Take each party that can begin now out of the queue, oldest first, count it as running and call
  // `begin`: SeatOne for one party, SeatFor for those that wait for a bot, SeatAny for all.
  void SeatOne(const MatchId& id, const Begin& begin);
  void SeatFor(const std::string& bot, const Begin& begin);
  void SeatAny(const Begin& begin);

  // Matches that run. Those that began elsewhere count, too.
  int running() const { return running_; }
  void Began() { ++running_; }
  void Ended() { --running_; }
  // How many may run; at that number nothing else begins. A block may begin whenever fewer run, and
  // so exceed the limit: if it waited for room for all its matches, single matches would always
  // overtake it.
  int max_running() const { return max_running_; }
  bool full() const { return running_ >= max_running_; }
  void SetMaxRunning(int max_running) { max_running_ = max_running; }

  // When the first party will have waited for too long; InfiniteFuture if none waits.
  Instant first_limit() const;
  // Take those that have waited too long, or all, out of the queue, and return them.
  std::vector<MatchId> GiveUpLate(Instant now);
  std::vector<MatchId> GiveUpAll();

 private:
  struct Waiting {
    Party party;
    Instant until;
  };

  bool CanBegin(const Party& party) const;

  const FreeSlots free_slots_;
  int running_ = 0;
  int max_running_;
  // Those that wait, and the same by bot. Ids sort by time.
  std::map<MatchId, Waiting> waiting_;
  absl::flat_hash_map<std::string, std::set<MatchId>> waiting_by_bot_;
};

}  // namespace referee::host

#endif  // REFEREE_HOST_SEATING_H_
