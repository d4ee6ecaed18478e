// What a screen shows of a step of a match, and the points of the match as a curve of text: a line
// a seat, all of it from left to right. Pure.
#ifndef REFEREE_CTL_REPLAY_SCREEN_H_
#define REFEREE_CTL_REPLAY_SCREEN_H_

#include <cstddef>
#include <string>
#include <vector>

#include "referee/ctl/replay/course.h"
#include "referee/games/game.h"

namespace referee::ctl {

// The parts of a screen. Lines, each with its line end, but for the seats.
struct ScreenParts {
  std::string title;                // the game and the match
  std::vector<std::string> seats;   // who plays, with points
  std::vector<std::string> clocks;  // what each seat has used so far, and has left of its bank
  std::string board;
  std::string happened;  // what was played
  std::string next;      // who is next; at the end the result
  std::string position;  // empty if it is not known
};

// The parts of step `at`. REQUIRES: `at` is one of the steps of the course.
ScreenParts PartsOfStep(const Course& course, size_t at, const games::DrawStyle& style);

// The screen of step `at`, all but the clocks, as lines for paper. REQUIRES: as above.
std::string ScreenOfStep(const Course& course, size_t at, const games::DrawStyle& style);

// A line a seat, "a   16 __..::##", which begins with its points at step `at`; and one that marks
// where that step is. None wider than `columns`; no lines at all in less than 20. `plain`: in
// ASCII. REQUIRES: `at` is one of the steps of the course.
std::vector<std::string> ScoreCurve(const Course& course, size_t at, size_t columns, bool plain);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_SCREEN_H_
