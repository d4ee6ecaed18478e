// Recomputes tallies and ratings of a competition from its blocks alone.
//
// Checks the values that a running competition passed to Store::Apply. Pure; thread-compatible.
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
#include "referee/rating/sprt.h"
#include "referee/store/store.h"

namespace referee::store {

// Recomputes tallies, ratings and pair totals from the counted blocks.
class Recount {
 public:
  // `entrants`: the store's, as of exactly these counted blocks; must outlive this object.
  explicit Recount(absl::Span<const Entrant> entrants)
      : entrants_(entrants), bots_(entrants.size()) {}

  // Adds the next block, in order of numbers. REQUIRES: it is over, its bots are entrants, and if
  // it is PLAYED, every match has a result.
  void Add(const Block& block);

  // Returns one line for each value of the entrants or the pairs that differs. Call it once, after
  // all blocks. Ratings may differ by rounding. Silences restart at zero when a bot returns, and
  // the store does not say at which block: any number that is possible is accepted.
  std::vector<std::string> Compare(absl::Span<const PairTotal> pairs);

 private:
  struct Reckoned {
    Tally tally;
    // Silences in blocks that had not begun when the bot was last taken out.
    int silences_since_out = 0;
  };

  // Seeds the rating of every entrant that replaced another one at or before block `counted`.
  void SucceedUntil(int64_t counted);
  // Adds a match in which the entrant had `seat`.
  void AddMatch(const match::Verdict& verdict, Seat seat, int entrant);
  // Adds the silence of an entrant at `place` in a block. At most one of its matches counts.
  void AddSilences(const Block& block, int place, int entrant);
  void AddPair(const Block& block, const rating::BlockOutcome& outcome);
  void CompareTally(const Entrant& entrant, std::vector<std::string>* problems) const;
  void ComparePairs(absl::Span<const PairTotal> pairs, std::vector<std::string>* problems) const;

  const absl::Span<const Entrant> entrants_;
  std::vector<Reckoned> bots_;  // by entrant
  size_t next_successor_ = 0;   // entrants before it have their first rating
  int64_t counted_ = 0;
  std::map<std::pair<int, int>, PairTotal> pairs_;
};

// Recomputes which block decides a test, and so which blocks count.
class TestRecount {
 public:
  explicit TestRecount(const rating::SprtTerms& terms) : sprt_(terms) {}

  // Adds the next counted block, in order of numbers. Returns what is wrong with it; empty:
  // nothing. REQUIRES: as Recount::Add; it has two bots.
  std::string Add(const Block& block);

 private:
  rating::Sprt sprt_;
  int64_t decided_by_ = -1;
};

// Recomputes how many blocks each entrant has begun, from all blocks.
class BegunCount {
 public:
  // `entrants`: the store's at a moment when all blocks below `sure` had begun, and none from
  // `may_be` on; must outlive this object.
  BegunCount(absl::Span<const Entrant> entrants, int64_t sure, int64_t may_be)
      : entrants_(entrants), sure_(sure), may_be_(may_be), counts_(entrants.size()) {}

  // Adds a block, in any state.
  void Add(const Block& block);
  // Returns one line for each entrant whose number differs.
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
