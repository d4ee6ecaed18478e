// A block of a competition from when it begins until its result is in the store: where its matches
// are, and how those that are over ended. Plain values; thread-compatible.
#ifndef REFEREE_COMPETITION_OPEN_BLOCK_H_
#define REFEREE_COMPETITION_OPEN_BLOCK_H_

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/match/verdict.h"
#include "referee/store/store.h"

namespace referee::competition {

// How a match of a block ended.
struct MatchEnd {
  match::Verdict verdict;
  bool unready = false;  // it had begun, and no bot was ready; a replay does not say that
};

struct OpenBlock {
  store::Block block;        // RUNNING; its matches have no results
  bool made = false;         // the matches of its attempt are, or were, in the host
  bool named = false;        // and the store knows them
  bool from_before = false;  // an earlier process may have asked for them
  bool told = false;         // the schedule knows how it ended
  bool takes_slots = false;  // its matches are made when its bots have slots for them
  bool waits = false;        // they wait in the host, as of the last step: no bot has heard of them
  Instant not_before;        // are they made
  int unready_attempts = 0;  // before this one, in a row; as far as this process knows
  std::vector<absl::optional<MatchEnd>> ends;  // by rotation

  // The match of rotation 0. REQUIRES: made.
  const MatchId& first() const { return block.matches.front().id; }
  // All of its matches are over.
  bool over() const;
  // All of them have results.
  bool played() const;
  // It waits in the host for its bots.
  bool waits_in_host() const { return made && waits && !over(); }
  // It waits for its bots before it is asked of the host.
  bool waits_for_slots() const { return !made && takes_slots; }
  // Why it has no result, once it is over.
  std::string why_void() const;
  // It is over, and none of its bots was ready in any of its matches.
  bool unready() const;

  // Its matches with results. REQUIRES: played().
  std::vector<store::BlockMatch> results() const;
  // Becomes the next attempt, whose matches are to be made when there are slots, not before then.
  void Retry(Instant not_before);
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_OPEN_BLOCK_H_
