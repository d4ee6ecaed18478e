// What its blocks make of a competition's entrants, reckoned from nothing: the other entry of a
// double-entry book, of which the first is what a running competition hands to Store::Apply. Pure;
// thread-compatible.
#ifndef REFEREE_STORE_RECOUNT_H_
#define REFEREE_STORE_RECOUNT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "referee/rating/block.h"
#include "referee/store/store.h"

namespace referee::store {

// Of the blocks that are counted.
class Recount {
 public:
  // `entrants` are those of the store, as of when these blocks were counted and no others; must
  // outlive it.
  explicit Recount(absl::Span<const Entrant> entrants)
      : entrants_(entrants), bots_(entrants.size()) {}

  // Takes the next block, in order of numbers. REQUIRES: it is PLAYED, every match has a result,
  // and its bots are entrants.
  void Add(const Block& block);

  // One line for each thing of the entrants or the pairs that is not as reckoned; empty if all is.
  // Ratings are equal when rounding may be the difference. A bot that was out has no silences when
  // it comes back, and nothing says what was counted by then: its silences are good when they may
  // be from there on.
  std::vector<std::string> Compare(absl::Span<const PairTotal> pairs) const;

 private:
  struct Reckoned {
    Tally tally;
    // Of its silences, those in blocks that had not begun when it was taken out last.
    int silences_since_out = 0;
    int matches_per_block = 1;
  };

  // The entrant had `seat` in a match of block `number`.
  void AddMatch(int64_t number, const match::Verdict& verdict, Seat seat, int entrant);
  void AddPair(const Block& block, const rating::BlockOutcome& outcome);
  void CompareTally(const Entrant& entrant, std::vector<std::string>* problems) const;
  void ComparePairs(absl::Span<const PairTotal> pairs, std::vector<std::string>* problems) const;

  const absl::Span<const Entrant> entrants_;
  std::vector<Reckoned> bots_;  // by entrant
  std::map<std::pair<int, int>, PairTotal> pairs_;
};

// Of all blocks: how many have begun of each entrant.
class BegunCount {
 public:
  // `entrants` are those of the store, as of a moment when at least the blocks of numbers below
  // `sure` had begun, and at most those below `may_be`; must outlive it.
  BegunCount(absl::Span<const Entrant> entrants, int64_t sure, int64_t may_be)
      : entrants_(entrants), sure_(sure), may_be_(may_be), counts_(entrants.size()) {}

  // Takes a block, whatever its state.
  void Add(const Block& block);
  // One line for each entrant that has not begun so many.
  std::vector<std::string> Compare() const;

 private:
  struct Range {
    int64_t low = 0;
    int64_t high = 0;
  };

  const absl::Span<const Entrant> entrants_;
  const int64_t sure_;
  const int64_t may_be_;
  std::vector<Range> counts_;  // by entrant
};

}  // namespace referee::store

#endif  // REFEREE_STORE_RECOUNT_H_
