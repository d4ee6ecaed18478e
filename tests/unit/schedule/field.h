// A simulated ladder of bots with known strength and speed, for measuring pairings, ratings and
// waits.
//
// The same options give the same results on every machine. Thread-compatible.
#ifndef REFEREE_TESTS_UNIT_SCHEDULE_FIELD_H_
#define REFEREE_TESTS_UNIT_SCHEDULE_FIELD_H_

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/rating/evidence.h"
#include "referee/rating/rating.h"
#include "referee/schedule/schedule.h"
#include "tests/unit/rating/simulated_blocks.h"

namespace referee::schedule {

struct FieldOptions {
  int bots = 4;
  int seats = 2;
  int at_once = 1;       // blocks that a bot plays at once
  int max_running = 0;   // blocks that run at once; 0: as many as the bots can play
  double elo_range = 0;  // the range over which strengths are spread evenly
  // A block takes the mean of its bots' times, multiplied by 0.5 to 1.5. The times range from 1 s
  // to `slowest`.
  double slowest = 1;
  uint64_t seed = 1;
  // The probability that a bot joins, leaves or comes back after a block; the possible events are
  // equally likely. At most `joins` bots join, with strengths from the whole range. At most a third
  // of all bots are away at a time.
  double changes = 0;
  int joins = 0;
  int goal_width = 0;  // as in the spec
};

class Field {
 public:
  explicit Field(const FieldOptions& options);

  // Plays until this many more blocks have ended, or the ladder rests.
  void Play(int64_t blocks);

  // --- Results ---

  // How often two bots have met. REQUIRES: first < second.
  int64_t Met(int first, int second) const;
  // The share of pairs that have not met. UnmetInReach counts only pairs with strengths within
  // `reach`, of which each bot has begun at least `blocks` blocks in the presence of the other.
  double Unmet() const;
  double UnmetInReach(double reach, int64_t blocks) const;
  // How often bots have joined, left and come back.
  int changes() const { return changes_; }
  // Shares of the total time of all possible concurrent blocks. Waited: the ladder waited for
  // better opponents. Held: no block could begin, because the free bots were too far ahead of
  // slower bots.
  double Waited() const { return waited_ / (busy_ + waited_ + held_); }
  double Held() const { return held_ / (busy_ + waited_ + held_); }
  // Whether the pairs that have met connect all bots.
  bool Connected() const;
  // For two seats: the share of bots whose strength is in the fit's interval of 95 %; and the
  // spread of the fitted strengths relative to the true spread (1 without a true spread).
  struct Fitted {
    double coverage = 0;
    double stretch = 1;
    double widest = 0;  // the widest interval in Elo
  };
  Fitted Fit() const;
  const std::vector<int64_t>& begun() const { return begun_; }  // by bot

 private:
  bool Begin();
  void BeginAll();
  void End();
  void Change();
  int bots() const { return static_cast<int>(playing_.size()); }
  int MaxRunning() const;
  // The number of blocks that the free bots that are not too far ahead could play.
  int CouldBegin() const;

  const FieldOptions options_;
  rating::SimulatedBlocks chance_;
  std::unique_ptr<Schedule> schedule_;
  std::vector<double> elo_;
  std::vector<double> speed_;  // seconds a block
  std::vector<rating::Rating> ratings_;
  std::vector<int> playing_;
  std::vector<bool> away_;
  std::vector<std::vector<int64_t>> beside_;  // blocks that a bot began in the presence of another
  int changes_ = 0;
  std::vector<int64_t> begun_;
  std::multimap<Instant, std::pair<int64_t, rating::Pairing>> running_;  // by end
  std::map<std::pair<int, int>, int64_t> met_;
  rating::Evidence evidence_;
  Instant now_;
  int64_t next_number_ = 0;
  double busy_ = 0;  // seconds, summed over blocks
  double waited_ = 0;
  double held_ = 0;
};

}  // namespace referee::schedule

#endif  // REFEREE_TESTS_UNIT_SCHEDULE_FIELD_H_
