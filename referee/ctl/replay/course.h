// The course of a match, step by step, for viewers on a terminal. Plain values.
//
// It is a whole replay, or the part of a running match that has happened so far.
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

// A position and the event that led to it.
struct CourseStep {
  std::shared_ptr<const games::State> state;  // not in Phase::kChance
  games::Move last;                           // a pass at the start and after a forfeit
  uint32_t turns_played = 0;
  std::vector<replay::SeatClock> clocks;  // by seat
  std::string happened;                   // one line, for display
  std::string position;                   // empty: unknown
  // Stops for viewers.
  bool fault = false;    // a fault: a forfeit, a substituted move, a retry
  bool capture = false;  // a piece of another seat was captured
  bool event = false;    // an event that web viewers stop at
};

struct Course {
  std::shared_ptr<const games::Game> game;
  std::string match_id;
  std::vector<std::string> bots;  // by seat
  std::vector<CourseStep> steps;
  // The text after the last step: the result, or why no steps follow. Empty while the match runs.
  std::string end;
  bool live = false;  // the match is watched while it runs

  // Whether steps may still be added.
  bool runs() const { return live && end.empty(); }

  // The index of the last step with at most `turn` turns played. REQUIRES: !steps.empty().
  size_t StepOfTurn(uint32_t turn) const;
};

// The course of a replay. It has no steps if the match did not start.
Course CourseOf(const replay::Replay& replay);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_COURSE_H_
