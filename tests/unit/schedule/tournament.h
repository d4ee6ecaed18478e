// A competition played by chance: bots that come and go, blocks that take their time and end in any
// order. Numbers are addressed by a seed, so that a failure can be repeated. Thread-compatible.
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

// A valid spec of so many bots.
Spec SpecOf(Format format, int entrants, int seats = 2);

// The outcome of a block in which the bots come in the order of `standing`, by place: the less the
// better; those of equal standing share a rank.
rating::BlockOutcome OutcomeOf(const rating::Pairing& pairing, const std::vector<int>& standing);

// The line of a bot in the schedule's table.
ScoreLine LineOf(const Schedule& schedule, int bot);

// What a tie-break says of a bot in the schedule's table: none if nothing, or if it has none such.
absl::optional<double> TieBreakOf(const Schedule& schedule, int bot, TieBreak tie_break);

// A small generator, the same on every machine.
class Chance {
 public:
  explicit Chance(uint64_t seed) : state_(seed * 2 + 1) {}
  // 0 to n - 1.
  int Below(int n);
  bool OneIn(int n) { return Below(n) == 0; }

 private:
  uint64_t state_;
};

class Tournament {
 public:
  Tournament(const Spec& spec, uint64_t seed);

  // How it goes; to be set before the first step.
  int max_running = 8;
  int at_once = 1;        // blocks that a bot plays at once
  int absent_one_in = 0;  // steps in which some bot goes or comes; 0: never
  int leave_one_in = 0;   // steps in which some bot withdraws; 0: never
  std::set<int> steady;   // bots that are always there, and never withdraw

  // Something happens: blocks begin and one ends, or a bot goes, comes or withdraws.
  void Step();
  // Steps until it is done; from `healed` on, everybody is there. Returns false if that takes more
  // than `most` steps.
  bool PlayToTheEnd(int healed, int most);
  void BringAllBack();

  // Makes another schedule of what would be kept, and asks both from now on; a difference is a
  // failure of the test.
  void MakeAgain();

  Schedule& schedule() { return *schedule_; }
  const std::vector<rating::Pairing>& blocks() const { return blocks_; }  // by number
  const std::vector<int>& begun() const { return begun_; }                // by bot
  const std::vector<int>& played() const { return played_; }
  const std::vector<bool>& withdrawn() const { return withdrawn_; }
  const std::map<int64_t, rating::Pairing>& running() const { return running_; }
  void Withdraw(int bot);
  void SetThere(int bot, bool there) { there_[bot] = there; }
  // Begins all blocks that can.
  void BeginAll();
  // The block ends: played, or dropped.
  void End(int64_t number, bool dropped);
  // The block is played, with this outcome.
  void EndAs(int64_t number, const rating::BlockOutcome& outcome);
  std::vector<bool> Free() const;

 private:
  bool Begin();
  void Close(int64_t number, const rating::BlockOutcome& outcome, bool dropped);

  const Spec spec_;
  Chance chance_;
  std::unique_ptr<Schedule> schedule_;
  std::unique_ptr<Schedule> again_;  // may be none
  std::vector<rating::Pairing> blocks_;
  std::map<int64_t, bool> ended_;  // whether it was played, rather than dropped
  std::map<int64_t, rating::BlockOutcome> outcomes_;
  std::map<int64_t, rating::Pairing> running_;
  std::vector<std::pair<size_t, int>> withdrawals_;  // before which number, who
  std::vector<int> begun_;
  std::vector<int> played_;
  std::vector<int> playing_;
  std::vector<bool> there_;
  std::vector<bool> withdrawn_;
};

// --- How evenly a competition spreads its bots over its blocks ---

// Over all pairs of so many bots.
Evenness EvennessOf(const std::vector<rating::Pairing>& blocks, int bots);

// The greatest difference between how often one bot sat right after another, and that one after it.
int64_t MostTurned(const std::vector<rating::Pairing>& blocks, int bots);

// The blocks of a round robin or a gauntlet in which all bots are always there, and of them the
// greatest lead in blocks begun that a bot ever had.
struct Played {
  std::vector<rating::Pairing> blocks;
  int lead = 0;
};
Played PlayThrough(const Spec& spec);

}  // namespace referee::schedule

#endif  // REFEREE_TESTS_UNIT_SCHEDULE_TOURNAMENT_H_
