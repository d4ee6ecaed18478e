// The input of a fit: the results of all blocks, as rows that can be stored and added again.
//
// With two seats, all blocks of a pair become five counts, so the size grows with the pairs that
// met, not with the blocks. With more seats, each block is a row.
#ifndef REFEREE_RATING_EVIDENCE_H_
#define REFEREE_RATING_EVIDENCE_H_

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "referee/rating/block.h"

namespace referee::rating {

// The blocks of two bots, first < second, counted by the half points of `first`, from 0 to 4.
struct PairRow {
  int first = 0;
  int second = 0;
  std::array<int64_t, 5> blocks{};

  friend bool operator==(const PairRow& a, const PairRow& b) {
    return a.first == b.first && a.second == b.second && a.blocks == b.blocks;
  }
};

// One block with any number of seats.
struct RankedRow {
  std::vector<int> bots;
  std::vector<std::vector<int>> ranks;  // by match; by place in `bots`

  friend bool operator==(const RankedRow& a, const RankedRow& b) {
    return a.bots == b.bots && a.ranks == b.ranks;
  }
};

// Thread-compatible.
class Evidence {
 public:
  // Adds a block. REQUIRES: bots are at least 0, all different, at most limits::kMaxSeats.
  void Add(const BlockOutcome& outcome);
  // Add stored rows. Counts of a pair that is already there are summed. REQUIRES: as above.
  void Add(const PairRow& row);
  void Add(RankedRow row);

  // In the order in which the pairs first met.
  const std::vector<PairRow>& pairs() const { return pairs_; }
  // In the order in which they were added.
  const std::vector<RankedRow>& ranked() const { return ranked_; }

  // The number of blocks of each bot, up to the highest bot that has played.
  const std::vector<int64_t>& blocks_of() const { return blocks_of_; }

 private:
  PairRow& Pair(int first, int second);
  void Count(int bot, int64_t blocks);

  std::vector<PairRow> pairs_;
  absl::flat_hash_map<std::pair<int, int>, size_t> place_;  // index in pairs_
  std::vector<RankedRow> ranked_;
  std::vector<int64_t> blocks_of_;
};

}  // namespace referee::rating

#endif  // REFEREE_RATING_EVIDENCE_H_
