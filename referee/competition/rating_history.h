// Rating histories of bots, and the log-likelihood ratio of a test over time.
//
// A history has a fit (rating/fit.h) at several moments of a season, each from the blocks counted
// by then. Histories are cached.
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
  int64_t blocks = 0;  // of the season, played and counted by then
  double elo = 0;
  double error = 0;  // elo +- error is the 95 % interval
};

// The histories of all entrants of a season. Pure; thread-compatible.
class RatingHistory {
 public:
  // Adds the next PLAYED block that counts, without annulled results.
  void Add(const rating::BlockOutcome& outcome);

  // Returns the points of the entrant by number of blocks; empty if it has played none. The last
  // point covers all blocks and equals the entrant's line in the table `now`.
  std::vector<RatingPoint> Of(int entrant, const std::vector<rating::Strength>& now) const;

 private:
  // Returns the block count of the next fit. The distance between fits grows with blocks and bots,
  // so that all fits together cost about ten times the last one.
  int64_t NextMoment() const;

  rating::Evidence evidence_;
  int64_t played_ = 0;
  int64_t next_ = 1;
  std::vector<std::vector<RatingPoint>> points_;  // by entrant
};

// Thread-safe.
class RatingHistories {
 public:
  // The store must outlive this object.
  explicit RatingHistories(store::CompetitionReader* store);

  // Returns the histories of these entrants of the season of `now`, in their order. The first call
  // for a season reads all its blocks on the calling thread, later calls only newly counted ones.
  // Returns the store's error.
  absl::StatusOr<std::vector<std::vector<RatingPoint>>> Of(const store::Competition& competition,
                                                           absl::Span<const int> entrants,
                                                           const SeasonStrengths& now);

 private:
  struct Reckoned {
    Mutex mutex;                              // held during a read
    int64_t read ABSL_GUARDED_BY(mutex) = 0;  // the first block not read yet
    std::vector<bool> annulled ABSL_GUARDED_BY(mutex);
    RatingHistory history ABSL_GUARDED_BY(mutex);
  };

  absl::Status ReadOn(const store::Competition& competition, const SeasonStrengths& now,
                      Reckoned* reckoned) ABSL_EXCLUSIVE_LOCKS_REQUIRED(reckoned->mutex);

  store::CompetitionReader* const store_;
  Kept<std::pair<store::CompetitionId, int>, std::shared_ptr<Reckoned>> kept_;
};

// --- The log-likelihood ratio of a test ---
//
// It is computed from the counted blocks, in their order, page by page. The cursor of a page
// carries the sums of the blocks before it. So neither memory nor the work of a call grows with the
// test.

// The state of a test after one of its blocks.
struct TestPoint {
  int64_t block = 0;           // its number
  rating::BlockCounts counts;  // of the first entrant, including that block
  double log_likelihood_ratio = 0;
};

// The start of a page.
struct TestCursor {
  int64_t next_block = 0;      // the first block to read
  rating::BlockCounts counts;  // of the blocks before
  int64_t last_block = -1;     // the last block before; -1: none
};

struct TestPointPage {
  std::vector<TestPoint> points;    // by block
  absl::optional<TestCursor> next;  // not set on the last page
};

// Returns a point after every `every` counted blocks, and one after the last of all. A page has at
// most `limit` points and reads at most limits::kMaxTestBlocksRead blocks, so it may be empty
// without being the last. Returns the store's error. REQUIRES: the competition is a test; every,
// limit >= 1.
absl::StatusOr<TestPointPage> ReadTestPoints(store::CompetitionReader* store,
                                             const store::Competition& competition, TestCursor from,
                                             int64_t every, int limit);

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_RATING_HISTORY_H_
