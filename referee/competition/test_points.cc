#include "referee/competition/test_points.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "referee/base/limits.h"
#include "referee/rating/block.h"
#include "referee/rating/sprt.h"

namespace referee::competition {

absl::StatusOr<TestPointPage> ReadTestPoints(store::CompetitionReader* store,
                                             const store::Competition& competition, TestCursor from,
                                             int64_t every, int limit) {
  const rating::SprtTerms& terms = *competition.spec.sprt;
  TestPointPage page;
  TestCursor at = std::move(from);
  const auto add_point = [&] {
    page.points.push_back(
        {at.last_block, at.counts,
         rating::LogLikelihoodRatio(at.counts, terms.elo0, terms.elo1, terms.scale)});
  };
  const int64_t to = std::min(competition.counted, at.next_block + limits::kMaxTestBlocksRead);
  bool full = false;
  const absl::Status read = store->ReadOutcomes(
      competition.id, at.next_block, to, [&](int64_t number, const rating::BlockOutcome& outcome) {
        const size_t place = outcome.pairing.bots[0] == 0 ? 0 : 1;
        at.counts.Add(rating::HalfPoints(outcome, place));
        at.last_block = number;
        if (at.counts.blocks() % every != 0) return true;
        add_point();
        full = static_cast<int>(page.points.size()) == limit;
        return !full;
      });
  if (!read.ok()) return read;
  at.next_block = full ? at.last_block + 1 : to;
  if (at.next_block < competition.counted) {
    page.next = std::move(at);
  } else if (at.counts.blocks() % every != 0) {
    add_point();
  }
  return page;
}

}  // namespace referee::competition
