// How results enter what is kept of each bot of a competition, strictly in the order of the blocks'
// numbers: ratings, tallies, pair totals, and who is set aside. Pure; thread-compatible.
//
//   CompetitionCount count(competition, entrants);
//   while (...) count.Add(block);          // number competition.counted, then the next, ...
//   changes.push_back(count.change());
#ifndef REFEREE_COMPETITION_COUNT_H_
#define REFEREE_COMPETITION_COUNT_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "referee/store/store.h"

namespace referee::competition {

// What a bot that is set aside may do, for the end of the reason.
std::string WhatFollowsAside(const schedule::Spec& spec, absl::string_view bot);

class CompetitionCount {
 public:
  // Both must outlive it.
  CompetitionCount(const store::Competition& competition,
                   const std::vector<store::Entrant>& entrants)
      : competition_(competition), entrants_(entrants), next_(competition.counted) {}

  // REQUIRES: the block has the next number, and is PLAYED or DROPPED.
  void Add(const store::Block& block);

  bool empty() const { return next_ == competition_.counted; }
  bool sets_aside() const { return sets_aside_; }
  // What the store is to do.
  store::CountBlocks change() const;

 private:
  store::CountBlocks::Line& LineOf(int entrant);
  // Whether the match, in which the bot was `silent` or not, makes it be set aside.
  void CountSilence(const store::Block& block, int rotation, bool silent,
                    store::CountBlocks::Line* line);
  void AddPair(const store::Block& block, const rating::BlockOutcome& outcome);

  const store::Competition& competition_;
  const std::vector<store::Entrant>& entrants_;
  int64_t next_;
  bool sets_aside_ = false;
  std::map<int, store::CountBlocks::Line> lines_;  // by entrant
  std::map<std::pair<int, int>, store::PairTotal> pairs_;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_COUNT_H_
