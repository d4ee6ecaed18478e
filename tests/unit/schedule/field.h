// A ladder played in simulated time by bots of known strength and speed: what mixing, ratings and
// waiting come to. The same options give the same field on every machine. Thread-compatible.
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
  int max_running = 0;   // blocks played at once; 0: as many as the bots can
  double elo_range = 0;  // strengths are spread evenly over so many points
  // A block takes the mean of its bots' times, each from 1 s to so many, times 0.5 to 1.5.
  double slowest = 1;
  uint64_t seed = 1;
  // After each block that ends, with this probability, a bot joins, leaves, or comes back, each as
  // likely as the others where it can. So many bots more than `bots` may join, with strengths from
  // all over the range; a third of all bots at most are away at a time.
  double changes = 0;
  int joins = 0;
  int goal_width = 0;  // of the spec
};

class Field {
 public:
  explicit Field(const FieldOptions& options);

  // Plays on until so many blocks more have ended, or it rests.
  void Play(int64_t blocks);

  // --- What came of it ---

  // How often two bots have met, first < second.
  int64_t Met(int first, int second) const;
  // The share of pairs that have not met; and that among bots whose strengths differ by `reach` at
  // most, and who have each begun `blocks` or more blocks while the other was there.
  double Unmet() const;
  double UnmetInReach(double reach, int64_t blocks) const;
  // How often bots joined, left and came back.
  int changes() const { return changes_; }
  // Of the time of all blocks that might be played at once: the share in which the ladder waited
  // for better opponents, and that in which nobody could begin, being too far ahead of slower bots.
  double Waited() const { return waited_ / (busy_ + waited_ + held_); }
  double Held() const { return held_ / (busy_ + waited_ + held_); }
  // Whether everybody can be reached from everybody over pairs that have met.
  bool Connected() const;
  // Of two seats: the share of bots whose strength is in the fit's interval of 95 %, and the spread
  // of the fitted strengths as a multiple of the true spread (1 without a true spread).
  struct Fitted {
    double coverage = 0;
    double stretch = 1;
    double widest = 0;  // interval, from end to end, in Elo
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
  // How many blocks the bots that are free, and not too far ahead, could play.
  int CouldBegin() const;

  const FieldOptions options_;
  rating::SimulatedBlocks chance_;
  std::unique_ptr<Schedule> schedule_;
  std::vector<double> elo_;
  std::vector<double> speed_;  // seconds a block
  std::vector<rating::Rating> ratings_;
  std::vector<int> playing_;
  std::vector<bool> away_;
  std::vector<std::vector<int64_t>> beside_;  // blocks that a bot began while another was there
  int changes_ = 0;
  std::vector<int64_t> begun_;
  std::multimap<Instant, std::pair<int64_t, rating::Pairing>> running_;  // by their ends
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
