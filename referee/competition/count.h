// Counts the results of blocks, strictly in the order of their numbers.
//
// So no rating depends on how fast bots play. Updates ratings, tallies, pair totals and the counts
// of time losses and lost links, and finds bots to suspend for silence. For a test it also updates
// the SPRT; after the decision no later block counts. Pure; thread-compatible.
//
//   CompetitionCount count(competition, entrants, sprt);
//   while (...) count.Add(block);          // number competition.counted, then the next, ...
//   changes.push_back(count.change());
#ifndef REFEREE_COMPETITION_COUNT_H_
#define REFEREE_COMPETITION_COUNT_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/rating/sprt.h"
#include "referee/store/store.h"

namespace referee::competition {

// The reason of blocks that do not count because the test was decided before them.
inline constexpr char kAfterDecision[] = "the test was decided by blocks before it";

// Whether a test has accepted one of its hypotheses.
inline bool IsDecided(const absl::optional<rating::Sprt>& sprt) {
  return sprt.has_value() && sprt->accepted() != rating::Hypothesis::kNone;
}

// Returns the end of the reason of a suspension: what the bot may do next. With `suspension`, the
// bot returns by itself.
std::string WhatFollowsAside(const schedule::Spec& spec, absl::string_view bot,
                             const absl::optional<store::Suspension>& suspension = absl::nullopt);

class CompetitionCount {
 public:
  // `competition` and `entrants` must outlive this object. `sprt`: the state of a test before the
  // first block to add.
  CompetitionCount(const store::Competition& competition,
                   const std::vector<store::Entrant>& entrants,
                   absl::optional<rating::Sprt> sprt = absl::nullopt)
      : competition_(competition),
        entrants_(entrants),
        next_(competition.counted),
        surplus_from_(competition.counted),
        sprt_(std::move(sprt)) {}

  // REQUIRES: the block has the next number, and is not RUNNING.
  void Add(const store::Block& block);

  bool empty() const { return next_ == competition_.counted; }
  bool sets_aside() const { return sets_aside_; }
  const absl::optional<rating::Sprt>& sprt() const { return sprt_; }
  // Returns the change for the store.
  store::CountBlocks change() const;

 private:
  store::CountBlocks::Line& LineOf(int entrant);
  // Counts the silence of the bot at `place`, and suspends the bot at the limit. One pause of the
  // bot may lose several simultaneous matches; only one of them counts.
  void CountSilence(const store::Block& block, int place);
  // `match`: the last match in which the bot was silent.
  void SetAside(const store::Block& block, const store::BlockMatch& match, Seat seat,
                store::CountBlocks::Line* line);
  // Counts void matches, time given back, time losses and lost links, over all attempts.
  void AddConduct(const store::Block& block);
  void AddPair(const store::Block& block, const rating::BlockOutcome& outcome);

  const store::Competition& competition_;
  const std::vector<store::Entrant>& entrants_;
  int64_t next_;
  int64_t surplus_from_;  // the first block that does not count if the test is decided
  absl::optional<rating::Sprt> sprt_;
  bool sets_aside_ = false;
  std::map<int, store::CountBlocks::Line> lines_;  // by entrant
  std::map<std::pair<int, int>, store::PairTotal> pairs_;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_COUNT_H_
