// The rounds of a competition, with what came of each pairing: from its schedule where that keeps
// them, and from its blocks where rounds are a way to show these. And how evenly these blocks
// spread over pairs of bots. Both are kept for those who ask again.
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
absl::StatusOr<RoundLine> ReadRoundLine(store::CompetitionReader* store,
                                        const store::CompetitionId& id,
                                        schedule::RoundPairing pairing);

// What is known of a competition that goes on here.
struct RoundsNow {
  // Rises whenever something has changed in the store; none if it does not go on here.
  absl::optional<int64_t> changes;
  // What its schedule has paired; empty if it does not keep that, as of a round robin and a
  // gauntlet. May be called while something else is read.
  std::function<std::vector<schedule::RoundPairing>()> pairings;
};

// Thread-safe.
class CompetitionRounds {
 public:
  // Both must outlive it.
  CompetitionRounds(store::CompetitionReader* store, const Clock* clock);

  // All pairings, by round and place. The first page of a list is of now; `later` ones are of the
  // moment of the latest first one, if they are asked for soon. Returns what the store says.
  // REQUIRES: CheckHasRounds(competition).
  absl::StatusOr<std::shared_ptr<const std::vector<schedule::RoundPairing>>> Of(
      const store::Competition& competition, const RoundsNow& now, bool later);

  // How evenly blocks spread over pairs of bots that have not left: of the blocks that were played
  // or are being played, and unless the competition is finishing or finished those that are
  // planned, too. None if it is not to be even (schedule::IsToBeEven). It is made again when the
  // competition has a new version: that is when somebody leaves, and when it is over; so blocks
  // that are void are taken for played until then. Returns what the store says.
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
