// The rounds of a competition with the results of each pairing, and the evenness of its blocks.
//
// Rounds come from the schedule where it records them. A round robin and a gauntlet have rounds
// only for display, derived from their blocks. Both rounds and evenness are cached.
#ifndef REFEREE_COMPETITION_ROUNDS_H_
#define REFEREE_COMPETITION_ROUNDS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/competition/kept.h"
#include "referee/schedule/rounds.h"
#include "referee/store/store.h"

namespace referee::competition {

// A pairing, with the data that its blocks add.
struct RoundLine {
  schedule::RoundPairing pairing;
  // forfeited matches, by place in pairing.bots; empty: no block has begun
  std::vector<int> forfeits;
  std::string reason;  // why a block was forfeited, dropped or void; for people
};

struct RoundPage {
  std::vector<RoundLine> lines;       // by round, then place
  std::vector<std::string> entrants;  // names, by the entrant numbers in the pairings
  absl::optional<size_t> next;        // the `from` of the next call; not set on the last page
};

// Returns FailedPrecondition unless the competition has rounds that can be shown. A round robin or
// a gauntlet may have at most schedule::kMostBlocksForEvenness blocks.
absl::Status CheckHasRounds(const store::Competition& competition);

// Returns the counted and forfeited results in the blocks of a pairing. Returns the store's error.
absl::StatusOr<RoundLine> ReadRoundLine(store::CompetitionReader* store,
                                        const store::CompetitionId& id,
                                        schedule::RoundPairing pairing);

// Live data of a competition that runs here.
struct RoundsNow {
  // Increases with every change in the store; not set if the competition does not run here.
  absl::optional<int64_t> changes;
  // Returns the pairings of the schedule; empty for a round robin and a gauntlet, whose schedules
  // do not record them. May be called during a read.
  std::function<std::vector<schedule::RoundPairing>()> pairings;
};

// Thread-safe.
class CompetitionRounds {
 public:
  // Both must outlive this object.
  CompetitionRounds(store::CompetitionReader* store, const Clock* clock);

  // Returns all pairings, by round, then place. The first page of a list is current. `later` pages
  // show the moment of the latest first page, if requested soon after it. Returns the store's
  // error. REQUIRES: CheckHasRounds(competition) is OK.
  absl::StatusOr<std::shared_ptr<const std::vector<schedule::RoundPairing>>> Of(
      const store::Competition& competition, const RoundsNow& now, bool later);

  // Returns how evenly blocks spread over pairs of bots that have not left. Counts blocks that were
  // played or are running; until the competition is FINISHING, planned blocks too. None unless
  // schedule::IsToBeEven. Recomputed when the version of the competition changes: when a bot
  // leaves, and at the end. So VOID blocks count as played until then. Returns the store's error.
  absl::StatusOr<absl::optional<schedule::Evenness>> Evenness(
      const store::Competition& competition);

 private:
  struct Spread {
    int64_t version = 0;
    store::CompetitionState state = store::CompetitionState::kNew;
    absl::optional<schedule::Evenness> evenness;
  };
  struct Paired {
    store::CompetitionState state = store::CompetitionState::kNew;
    int64_t version = 0;
    int64_t next_block = 0;
    int64_t counted = 0;
    absl::optional<int64_t> changes;
    Instant made;
    std::vector<schedule::RoundPairing> pairings;
  };
  static bool IsOfNow(const Paired& kept, const store::Competition& competition,
                      const RoundsNow& now);
  absl::StatusOr<Paired> Read(const store::Competition& competition, const RoundsNow& now) const;

  store::CompetitionReader* const store_;
  const Clock* const clock_;
  Kept<store::CompetitionId, Paired> kept_;
  Kept<store::CompetitionId, Spread> spreads_;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_ROUNDS_H_
