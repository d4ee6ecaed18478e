// What the blocks that are counted make of a competition's entrants, reckoned from nothing: the
// other entry of a double-entry book, of which the first is what a running competition hands to
// Store::Apply. Pure; thread-compatible.
#ifndef REFEREE_STORE_RECOUNT_H_
#define REFEREE_STORE_RECOUNT_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "referee/store/store.h"

namespace referee::store {

class Recount {
 public:
  // Of so many entrants.
  explicit Recount(size_t entrants) : tallies_(entrants) {}

  // Takes the next block, in order of numbers. REQUIRES: it is PLAYED, every match has a result,
  // and its bots are entrants.
  void Add(const Block& block);

  // One line for each thing that is not as reckoned; empty if all is. What depends on more than on
  // results (silences, blocks begun, presence) is not looked at; ratings are equal when rounding
  // may be the difference.
  std::vector<std::string> Compare(absl::Span<const Entrant> entrants,
                                   absl::Span<const PairTotal> pairs) const;

 private:
  void AddPair(const Block& block, const competition::BlockOutcome& outcome);

  std::vector<Tally> tallies_;  // by entrant
  std::map<std::pair<int, int>, PairTotal> pairs_;
};

}  // namespace referee::store

#endif  // REFEREE_STORE_RECOUNT_H_
