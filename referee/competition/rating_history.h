// How the ratings of a competition's bots went: fits (rating/fit.h) made at moments of a season,
// each from the blocks that counted by then. Kept for callers who ask again.
#ifndef REFEREE_COMPETITION_RATING_HISTORY_H_
#define REFEREE_COMPETITION_RATING_HISTORY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "referee/base/mutex.h"
#include "referee/competition/kept.h"
#include "referee/competition/standings.h"
#include "referee/rating/block.h"
#include "referee/rating/evidence.h"
#include "referee/store/store.h"

namespace referee::competition {

// The rating of an entrant after some blocks.
struct RatingPoint {
  int64_t blocks = 0;  // of the season, that were played and counted by then
  double elo = 0;
  double error = 0;  // elo +- error is the interval of 95 %
};

// Of all entrants of a season. Pure; thread-compatible.
class RatingHistory {
 public:
  // Takes the next PLAYED block that counts, without annulled results.
  void Add(const rating::BlockOutcome& outcome);

  // By block; empty if the entrant has played no block. The last point is after all blocks, and is
  // what the table, `now`, says.
  std::vector<RatingPoint> Of(int entrant, const std::vector<rating::Strength>& now) const;

 private:
  // The moment of the next fit. Moments lie further apart the more blocks and bots there are, so
  // that all fits together cost some ten times what the last one does.
  int64_t NextMoment() const;

  rating::Evidence evidence_;
  int64_t played_ = 0;
  int64_t next_ = 1;
  std::vector<std::vector<RatingPoint>> points_;  // by entrant
};

// Thread-safe.
class RatingHistories {
 public:
  // The store must outlive it.
  explicit RatingHistories(store::CompetitionReader* store);

  // Of these entrants of the season of `now`, in their order. The first call for a season reads all
  // of its blocks, on the calling thread, later calls the blocks that were counted meanwhile.
  // Returns what the store says.
  absl::StatusOr<std::vector<std::vector<RatingPoint>>> Of(const store::Competition& competition,
                                                           absl::Span<const int> entrants,
                                                           const SeasonStrengths& now);

 private:
  struct Reckoned {
    Mutex mutex;                              // held while something is read
    int64_t read ABSL_GUARDED_BY(mutex) = 0;  // blocks of numbers below
    std::vector<bool> annulled ABSL_GUARDED_BY(mutex);
    RatingHistory history ABSL_GUARDED_BY(mutex);
  };

  absl::Status ReadOn(const store::Competition& competition, const SeasonStrengths& now,
                      Reckoned* reckoned) ABSL_EXCLUSIVE_LOCKS_REQUIRED(reckoned->mutex);

  store::CompetitionReader* const store_;
  Kept<std::pair<store::CompetitionId, int>, std::shared_ptr<Reckoned>> kept_;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_RATING_HISTORY_H_
