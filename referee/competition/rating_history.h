// How the ratings of a competition's bots went: reckoned from its blocks, in the order in which
// they count and by the rule of rating/rating.h, and kept for those who ask again.
#ifndef REFEREE_COMPETITION_RATING_HISTORY_H_
#define REFEREE_COMPETITION_RATING_HISTORY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "referee/base/mutex.h"
#include "referee/competition/kept.h"
#include "referee/rating/block.h"
#include "referee/rating/rating.h"
#include "referee/store/store.h"

namespace referee::competition {

// The rating of an entrant after one of its blocks.
struct RatingPoint {
  int64_t blocks = 0;  // of the competition, that were played and counted by then
  rating::Rating rating;
};

// Of all entrants of a competition. Pure; thread-compatible.
class RatingHistory {
 public:
  // The most points of an entrant; of more blocks every second is left out, and so on.
  static constexpr size_t kMostPoints = 120;

  // Takes the next PLAYED block that counts, in order of their numbers. `entrants`: of the
  // competition, by number, with all that are in the block.
  void Add(int64_t number, const rating::BlockOutcome& outcome,
           absl::Span<const store::Entrant> entrants);

  // By block, the last one always; empty if the entrant has played no block that counts.
  std::vector<RatingPoint> Of(int entrant) const;

 private:
  struct Line {
    rating::Rating rating;
    int64_t blocks = 0;  // its own
    int64_t every = 1;   // a point after so many of them
    std::vector<RatingPoint> points;
    RatingPoint last;
  };

  // Gives those their first rating that took the place of others before the block of this number.
  void SucceedUntil(int64_t number, absl::Span<const store::Entrant> entrants);
  static void AddPoint(const RatingPoint& point, Line* line);

  std::vector<Line> lines_;  // by entrant; those have their first rating
  int64_t played_ = 0;
};

// Thread-safe.
class RatingHistories {
 public:
  // The store must outlive it.
  explicit RatingHistories(store::CompetitionReader* store);

  // Of these entrants, in their order. The first call for a competition reads all of its blocks, on
  // the thread that calls, later ones those that were counted meanwhile. Returns what the store
  // says. REQUIRES: they are entrants of it.
  absl::StatusOr<std::vector<std::vector<RatingPoint>>> Of(const store::Competition& competition,
                                                           absl::Span<const int> entrants);

 private:
  struct Reckoned {
    Mutex mutex;                              // held while something is read
    int64_t read ABSL_GUARDED_BY(mutex) = 0;  // blocks of numbers below
    RatingHistory history ABSL_GUARDED_BY(mutex);
  };

  absl::Status ReadOn(const store::Competition& competition, Reckoned* reckoned)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(reckoned->mutex);

  store::CompetitionReader* const store_;
  Kept<store::CompetitionId, std::shared_ptr<Reckoned>> kept_;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_RATING_HISTORY_H_
