// Recomputes the tallies and ratings of a competition's entrants from its blocks alone, to check
// what a running competition handed to Store::Apply. Pure; thread-compatible.
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
  // `entrants` are the store's when exactly these blocks were counted; must outlive this.
  explicit Recount(absl::Span<const Entrant> entrants)
      : entrants_(entrants), bots_(entrants.size()) {}

  // Takes the next block, in order of numbers. REQUIRES: it is over, its bots are entrants, and if
  // it is PLAYED, every match has a result.
  void Add(const Block& block);

  // To be called once, after all blocks. One line for each value of the entrants or the pairs that
  // differs; empty if none does. Ratings
  // may differ by rounding. Silences start again from none when a bot comes back, and the store
  // does not say how much was counted by then: any number that is possible from there on is
  // accepted.
  std::vector<std::string> Compare(absl::Span<const PairTotal> pairs);

 private:
  struct Reckoned {
    Tally tally;
    // Its silences in blocks that had not begun when it was last taken out.
    int silences_since_out = 0;
  };

  // Gives those their first rating that took the place of others when so many blocks were counted,
  // or fewer.
  void SucceedUntil(int64_t counted);
  // The entrant had `seat` in a match.
  void AddMatch(const match::Verdict& verdict, Seat seat, int entrant);
  // The entrant had this place in the block, of whose matches one silence at most counts.
  void AddSilences(const Block& block, int place, int entrant);
  void AddPair(const Block& block, const rating::BlockOutcome& outcome);
  void CompareTally(const Entrant& entrant, std::vector<std::string>* problems) const;
  void ComparePairs(absl::Span<const PairTotal> pairs, std::vector<std::string>* problems) const;

  const absl::Span<const Entrant> entrants_;
  std::vector<Reckoned> bots_;  // by entrant
  size_t next_successor_ = 0;   // an entrant: those before have their first rating
  int64_t counted_ = 0;
  std::map<std::pair<int, int>, PairTotal> pairs_;
};

// Recomputes which block decides a test, and so which count.
class TestRecount {
 public:
  explicit TestRecount(const rating::SprtTerms& terms) : sprt_(terms) {}

  // Takes the next counted block, in order of numbers. Returns what is wrong with it; empty if
  // nothing is. REQUIRES: as Recount::Add; it is of two bots.
  std::string Add(const Block& block);

 private:
  rating::Sprt sprt_;
  int64_t decided_by_ = -1;
};

// Recomputes how many blocks of each entrant have begun, from all blocks.
class BegunCount {
 public:
  // `entrants` are the store's at a moment when all blocks below number `sure` had begun, and none
  // from `may_be` on; must outlive this.
  BegunCount(absl::Span<const Entrant> entrants, int64_t sure, int64_t may_be)
      : entrants_(entrants), sure_(sure), may_be_(may_be), counts_(entrants.size()) {}

  // Takes a block, whatever its state.
  void Add(const Block& block);
  // One line for each entrant whose number differs.
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
