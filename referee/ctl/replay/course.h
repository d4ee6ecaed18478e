// A match as viewers on a terminal show it, step by step: all of a replay, or what has happened so
// far in a match that runs. Plain values.
#ifndef REFEREE_CTL_REPLAY_COURSE_H_
#define REFEREE_CTL_REPLAY_COURSE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "referee/games/game.h"
#include "referee/replay/cursor.h"
#include "referee/replay/replay.h"

namespace referee::ctl {

// A position, and what led to it.
struct CourseStep {
  std::shared_ptr<const games::State> state;  // not in Phase::kChance
  games::Move last;                           // the pass at the start and after a forfeit
  uint32_t turns_played = 0;
  std::vector<replay::SeatClock> clocks;  // by seat
  std::string happened;                   // one line, as shown
  std::string position;                   // empty: not known
  // Where viewers stop.
  bool fault = false;    // something went wrong: a forfeit, a turn that was played for, a try
  bool capture = false;  // something was taken from another seat
  bool event = false;    // what a page stops at
};

struct Course {
  std::shared_ptr<const games::Game> game;
  std::string match_id;
  std::vector<std::string> bots;  // by seat
  std::vector<CourseStep> steps;
  // What follows the last step: the result, or why there is no more. Of a match that runs empty.
  std::string end;
  bool live = false;  // it is watched as it runs

  // Whether steps may still be added.
  bool runs() const { return live && end.empty(); }

  // The index of the last step with at most so many turns played. REQUIRES: !steps.empty().
  size_t StepOfTurn(uint32_t turn) const;
};

// Without steps if the match did not start.
Course CourseOf(const replay::Replay& replay);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_COURSE_H_
