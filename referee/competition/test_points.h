// How the log-likelihood ratio of a test has moved: reckoned anew, page by page, from the blocks
// that count, in the order in which they do. What a page needs of those before it is in its cursor,
// so that neither memory nor the work of a call grows with the test.
#ifndef REFEREE_COMPETITION_TEST_POINTS_H_
#define REFEREE_COMPETITION_TEST_POINTS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "referee/rating/pentanomial.h"
#include "referee/store/store.h"

namespace referee::competition {

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

#endif  // REFEREE_COMPETITION_TEST_POINTS_H_
