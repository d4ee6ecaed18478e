// A match as viewers on a terminal show it, step by step: all of a replay, or what has happened so
// far in a match that runs. Plain values.
#ifndef REFEREE_CTL_REPLAY_COURSE_H_
#define REFEREE_CTL_REPLAY_COURSE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "referee/games/game.h"
#include "referee/replay/playback.h"
#include "referee/replay/replay.h"

namespace referee::ctl {

// What a seat has used of its time up to a step, and what is left in its bank; infinite without
// one.
struct SeatClock {
  absl::Duration used;
  absl::Duration bank;
};

// A position, and what led to it.
struct CourseStep {
  const games::State* state = nullptr;  // not in Phase::kChance; outlives the course
  games::Move last;                     // the pass at the start and after a forfeit
  uint32_t turns_played = 0;
  std::vector<SeatClock> clocks;  // by seat
  std::string happened;           // one line, as shown
  std::string position;           // empty: not known
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

// REQUIRES: playback is of `replay`, has steps, and outlives the course.
Course CourseOf(const replay::Replay& replay, const replay::Playback& playback);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_COURSE_H_
