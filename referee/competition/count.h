// Counts the results of blocks, strictly in the order of their numbers, so that nobody's rating
// depends on who plays faster: ratings, tallies, pair totals, what went by bots' clocks and links,
// and which bots are set aside because they do not answer. Of a test it takes them into the SPRT,
// too: once that is decided, no block after it counts. Pure; thread-compatible.
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

// Why blocks of a test do not count that come after its decision.
inline constexpr char kAfterDecision[] = "the test was decided by blocks before it";

// Whether a test has accepted one of its hypotheses.
inline bool IsDecided(const absl::optional<rating::Sprt>& sprt) {
  return sprt.has_value() && sprt->accepted() != rating::Hypothesis::kNone;
}

// What a bot that is set aside may do, for the end of the reason; with a suspension, it comes back
// by itself.
std::string WhatFollowsAside(const schedule::Spec& spec, absl::string_view bot,
                             const absl::optional<store::Suspension>& suspension = absl::nullopt);

class CompetitionCount {
 public:
  // `competition` and `entrants` must outlive it. `sprt`: of a test, as it is so far.
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
  // What the store is to do.
  store::CountBlocks change() const;

 private:
  store::CountBlocks::Line& LineOf(int entrant);
  // Counts the silence of the bot at `place`, which may set it aside. Matches that went on at the
  // same time may be lost in one pause of the bot: one of these counts.
  void CountSilence(const store::Block& block, int place);
  // `match`: the last of those that the bot did not answer.
  void SetAside(const store::Block& block, const store::BlockMatch& match, Seat seat,
                store::CountBlocks::Line* line);
  // Counts what went by clocks and links, in all attempts.
  void AddConduct(const store::Block& block);
  void AddPair(const store::Block& block, const rating::BlockOutcome& outcome);

  const store::Competition& competition_;
  const std::vector<store::Entrant>& entrants_;
  int64_t next_;
  int64_t surplus_from_;  // blocks do not count, if the test is decided
  absl::optional<rating::Sprt> sprt_;
  bool sets_aside_ = false;
  std::map<int, store::CountBlocks::Line> lines_;  // by entrant
  std::map<std::pair<int, int>, store::PairTotal> pairs_;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_COUNT_H_
