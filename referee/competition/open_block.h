// A block of a competition that is not over: its matches on their way, and how they ended. Values;
// thread-compatible.
#ifndef REFEREE_COMPETITION_OPEN_BLOCK_H_
#define REFEREE_COMPETITION_OPEN_BLOCK_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/host/match_runner.h"
#include "referee/replay/replay.h"
#include "referee/store/store.h"

namespace referee::competition {

// How a match of a block ended.
struct MatchEnd {
  match::Ending ending = match::Ending::kVoid;
  std::string reason;
  std::vector<int> scores;                   // by seat; only with a result
  std::vector<int> ranks;                    // by seat; only with a result
  std::vector<store::SeatForfeit> forfeits;  // by seat; of kFinished
  bool unready = false;                      // it had begun, and no bot was ready
};

// REQUIRES: runner.ended(). For MatchRunner::Inspect. A match that an earlier process ended does
// not say who forfeited.
MatchEnd EndOf(const host::MatchRunner& runner);
// REQUIRES: replay.ended(). It is never `unready`: a replay does not say who was.
MatchEnd EndOf(const replay::Replay& replay);

struct OpenBlock {
  store::Block block;         // RUNNING; its matches have no results
  bool made = false;          // the matches of its attempt are, or were, in the host
  bool named = false;         // and the store knows them
  bool from_before = false;   // an earlier process may have asked for them
  bool told = false;          // the schedule knows how it ended
  bool takes_places = false;  // its matches are made when its bots have places for them
  Instant not_before;         // are they made
  int unready_attempts = 0;   // before this one, in a row; as far as this process knows
  std::shared_ptr<host::MatchRunner> first;    // rotation 0; null: the host has forgotten it
  std::vector<absl::optional<MatchEnd>> ends;  // by rotation

  // All of its matches are over.
  bool over() const;
  // All of them have results.
  bool played() const;
  // It waits in the host: its bots have not heard of it.
  bool waits_in_host() const { return made && first != nullptr && !first->begun() && !over(); }
  // It waits for its bots before it is asked of the host.
  bool waits_for_places() const { return !made && takes_places; }
  // Why it has no result, once it is over.
  std::string why_void() const;
  // It is over, and none of its bots was ready in any of its matches.
  bool unready() const;

  // Its matches with results. REQUIRES: played().
  std::vector<store::BlockMatch> results() const;
  // Becomes the next attempt, whose matches are to be made when there are places, not before then.
  void Retry(Instant not_before);
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_OPEN_BLOCK_H_
