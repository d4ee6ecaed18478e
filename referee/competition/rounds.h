// The rounds of a competition, with what came of each pairing: from its schedule where that keeps
// them, and from its blocks where rounds are a way to show these.
#ifndef REFEREE_COMPETITION_ROUNDS_H_
#define REFEREE_COMPETITION_ROUNDS_H_

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "referee/base/mutex.h"
#include "referee/schedule/rounds.h"
#include "referee/store/store.h"

namespace referee::competition {

// A pairing, with what its blocks say of it.
struct RoundLine {
  schedule::RoundPairing pairing;
  std::vector<int> forfeits;  // matches, by place in pairing.bots; empty: no block was begun
  std::string reason;         // why a block of it was forfeited, dropped or void; for people
};

struct RoundPage {
  std::vector<RoundLine> lines;       // by round and place
  std::vector<std::string> entrants;  // names, by the numbers that pairings have
  absl::optional<size_t> next;        // the `from` of the next call; not set on the last
};

// Returns FailedPrecondition unless the competition has rounds, and few enough blocks for them to
// be shown: at most schedule::kMostBlocksForEvenness in a round robin or a gauntlet.
absl::Status CheckHasRounds(const store::Competition& competition);

// What was counted and forfeited in the blocks of a pairing. Returns what the store says.
absl::StatusOr<RoundLine> ReadRoundLine(store::Store* store, const store::CompetitionId& id,
                                        schedule::RoundPairing pairing);

// Thread-safe.
class CompetitionRounds {
 public:
  // The store must outlive it.
  explicit CompetitionRounds(store::Store* store) : store_(store) {}

  // All pairings of a competition that does not go on here, or of a round robin or a gauntlet, by
  // round and place. Returns what the store says. REQUIRES: CheckHasRounds(competition).
  absl::StatusOr<std::vector<schedule::RoundPairing>> Read(const store::Competition& competition);

 private:
  struct Kept {
    store::CompetitionId competition;
    int64_t version = 0;
    std::vector<schedule::RoundPairing> pairings;
  };

  store::Store* const store_;
  Mutex mutex_;  // held while blocks are read
  // Of competitions in which nothing happens, latest first: pages are asked for one by one.
  std::list<Kept> kept_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_ROUNDS_H_
