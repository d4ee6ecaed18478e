// How the strengths of a competition's bots went: their ratings, as fits (rating/fit.h) made at
// moments of a season, each from the blocks that counted by then and kept for callers who ask
// again; and the log-likelihood ratio of a test.
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
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/mutex.h"
#include "referee/competition/kept.h"
#include "referee/competition/standings.h"
#include "referee/rating/block.h"
#include "referee/rating/evidence.h"
#include "referee/rating/pentanomial.h"
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

// --- The ratio of a test: reckoned anew, page by page, from the blocks that count, in the order in
// which they do. What a page needs of those before it is in its cursor, so that neither memory nor
// the work of a call grows with the test.

// Where a test stood after one of its blocks.
struct TestPoint {
  int64_t block = 0;           // its number
  rating::BlockCounts counts;  // of the first entrant, with that block
  double log_likelihood_ratio = 0;
};

// Where a page begins.
struct TestCursor {
  int64_t next_block = 0;      // the number of the block that is read first
  rating::BlockCounts counts;  // of those before
  int64_t last_block = -1;     // the last of these; -1: there is none
};

struct TestPointPage {
  std::vector<TestPoint> points;    // by block
  absl::optional<TestCursor> next;  // not set on the last page
};

// A point after every `every` blocks that count, and one after the last of all; at most `limit`,
// over at most limits::kMaxTestBlocksRead blocks: a page may be empty and not the last. Returns
// what the store says. REQUIRES: the competition is a test; every, limit >= 1.
absl::StatusOr<TestPointPage> ReadTestPoints(store::CompetitionReader* store,
                                             const store::Competition& competition, TestCursor from,
                                             int64_t every, int limit);

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_RATING_HISTORY_H_
