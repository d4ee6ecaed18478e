// What the first blocks of a competition count to, as the store had it when just these were
// counted: the tallies and ratings of its entrants, and the totals of pairs. For those who may not
// be told of the last blocks yet. Pure; thread-compatible.
//
//   ToldCount count(competition);
//   count.KnowEntrants(entrants);
//   count.Add(block);                     // number 0, then the next, ...
//   count.Entrants(entrants)[0].tally     // over these
#ifndef REFEREE_COMPETITION_TOLD_COUNT_H_
#define REFEREE_COMPETITION_TOLD_COUNT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "referee/rating/sprt.h"
#include "referee/store/store.h"

namespace referee::competition {

class ToldCount {
 public:
  // Of no block yet.
  explicit ToldCount(const store::Competition& competition);

  // The store's entrants, by number, of whom there may be more than before. To be called before a
  // block is added that was counted after one of them had come.
  void KnowEntrants(const std::vector<store::Entrant>& entrants);
  // REQUIRES: the block has the number counted(), the store has counted it, and its entrants are
  // known.
  void Add(const store::Block& block);

  // How many blocks were added.
  int64_t counted() const { return row_.counted; }
  // The same entrants, with the tallies and ratings that these blocks give them.
  std::vector<store::Entrant> Entrants(std::vector<store::Entrant> entrants) const;
  // By (low, high).
  const std::map<std::pair<int, int>, store::PairTotal>& pairs() const { return pairs_; }

 private:
  // Gives those their first rating that took the place of others when so many blocks were counted,
  // or fewer.
  void SucceedUntil(int64_t counted);
  void AddPair(const store::PairTotal& pair);

  store::Competition row_;  // `counted` is that of here
  std::vector<store::Entrant> entrants_;
  size_t next_successor_ = 0;  // an entrant: those before have their first rating
  absl::optional<rating::Sprt> sprt_;
  std::map<std::pair<int, int>, store::PairTotal> pairs_;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_TOLD_COUNT_H_
