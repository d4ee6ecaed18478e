// A random simulation of a competition: bots come and go, and blocks end in any order.
//
// All numbers follow from a seed, so that a failure can be repeated. Thread-compatible.
#ifndef REFEREE_TESTS_UNIT_SCHEDULE_TOURNAMENT_H_
#define REFEREE_TESTS_UNIT_SCHEDULE_TOURNAMENT_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "referee/rating/block.h"
#include "referee/schedule/rounds.h"
#include "referee/schedule/schedule.h"
#include "referee/schedule/spec.h"

namespace referee::schedule {

// A valid spec with this many bots.
Spec SpecOf(Format format, int entrants, int seats = 2);

// The outcome of a block with these standings, by place: a lower standing is better. Equal
// standings share a rank.
rating::BlockOutcome OutcomeOf(const rating::Pairing& pairing, const std::vector<int>& standing);

// The line of a bot in the schedule's table.
ScoreLine LineOf(const Schedule& schedule, int bot);

// The tie-break of a bot in the schedule's table. None if the bot has no value, or the table lacks
// the tie-break.
absl::optional<double> TieBreakOf(const Schedule& schedule, int bot, TieBreak tie_break);

// A small random number generator, the same on every machine.
class Chance {
 public:
  explicit Chance(uint64_t seed) : state_(seed * 2 + 1) {}
  // Uniform from 0 to n - 1.
  int Below(int n);
  bool OneIn(int n) { return Below(n) == 0; }

 private:
  uint64_t state_;
};

class Tournament {
 public:
  Tournament(const Spec& spec, uint64_t seed);

  // The parameters; set them before the first step.
  int max_running = 8;
  int at_once = 1;        // blocks that a bot plays at once
  int absent_one_in = 0;  // steps in which a bot leaves or comes back; 0: never
  int leave_one_in = 0;   // steps in which a bot withdraws; 0: never
  std::set<int> steady;   // bots that are always online and never withdraw

  // Makes one random event: blocks begin and one ends, or a bot leaves, comes back or withdraws.
  void Step();
  // Steps until the competition is done. From step `healed` on, all bots are online. Returns false
  // after more than `most` steps.
  bool PlayToTheEnd(int healed, int most);
  void BringAllBack();

  // Makes a second schedule from the stored state, and compares both from now on. A difference
  // fails the test.
  void MakeAgain();

  Schedule& schedule() { return *schedule_; }
  const std::vector<rating::Pairing>& blocks() const { return blocks_; }  // by number
  const std::vector<int>& begun() const { return begun_; }                // by bot
  const std::vector<int>& played() const { return played_; }
  const std::vector<bool>& withdrawn() const { return withdrawn_; }
  const std::map<int64_t, rating::Pairing>& running() const { return running_; }
  void Withdraw(int bot);
  void SetThere(int bot, bool there) { there_[bot] = there; }
  // Begins all blocks that can begin.
  void BeginAll();
  // Ends a block: played or dropped.
  void End(int64_t number, bool dropped);
  // Ends a block with this outcome.
  void EndAs(int64_t number, const rating::BlockOutcome& outcome);
  std::vector<bool> Free() const;

 private:
  bool Begin();
  void Close(int64_t number, const rating::BlockOutcome& outcome, bool dropped);

  const Spec spec_;
  Chance chance_;
  std::unique_ptr<Schedule> schedule_;
  std::unique_ptr<Schedule> again_;  // may be null
  std::vector<rating::Pairing> blocks_;
  std::map<int64_t, bool> ended_;  // true: played; false: dropped
  std::map<int64_t, rating::BlockOutcome> outcomes_;
  std::map<int64_t, rating::Pairing> running_;
  std::vector<std::pair<size_t, int>>
      withdrawals_;  // the number of blocks before the withdrawal, and the bot
  std::vector<int> begun_;
  std::vector<int> played_;
  std::vector<int> playing_;
  std::vector<bool> there_;
  std::vector<bool> withdrawn_;
};

// --- How evenly a competition spreads its bots over its blocks ---

// The evenness over all pairs of this many bots.
Evenness EvennessOf(const std::vector<rating::Pairing>& blocks, int bots);

// The largest difference, over pairs, between how often one bot sat directly after the other and
// the reverse.
int64_t MostTurned(const std::vector<rating::Pairing>& blocks, int bots);

// All blocks of a round robin or gauntlet whose bots are always online, and the largest lead in
// begun blocks that a bot ever had.
struct Played {
  std::vector<rating::Pairing> blocks;
  int lead = 0;
};
Played PlayThrough(const Spec& spec);

}  // namespace referee::schedule

#endif  // REFEREE_TESTS_UNIT_SCHEDULE_TOURNAMENT_H_
