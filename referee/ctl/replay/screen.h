// The text of one step of a match, and the points of the match as a curve. Pure.
//
// The curve has a line for each seat, with the whole match from left to right.
#ifndef REFEREE_CTL_REPLAY_SCREEN_H_
#define REFEREE_CTL_REPLAY_SCREEN_H_

#include <cstddef>
#include <string>
#include <vector>

#include "referee/ctl/replay/course.h"
#include "referee/games/game.h"

namespace referee::ctl {

// The parts of a screen: lines with line ends; the entries of `seats` have none.
struct ScreenParts {
  std::string title;                // the game and the match
  std::vector<std::string> seats;   // bots with points
  std::vector<std::string> clocks;  // for each seat: time used and bank left
  std::string board;
  std::string happened;  // the move played
  std::string next;      // the next seat; at the end, the result
  std::string position;  // empty if unknown
};

// The parts of step `at`. REQUIRES: `at` is a step of the course.
ScreenParts PartsOfStep(const Course& course, size_t at, const games::DrawStyle& style);

// The screen of step `at` without clocks, as lines for printing. REQUIRES: `at` is a step of the
// course.
std::string ScreenOfStep(const Course& course, size_t at, const games::DrawStyle& style);

// A line for each seat, "a   16 __..::##", which begins with its points at step `at`, and a line
// that marks that step. No line is wider than `columns`; with fewer than 20 columns, there are no
// lines. `plain`: in ASCII. REQUIRES: `at` is a step of the course.
std::vector<std::string> ScoreCurve(const Course& course, size_t at, size_t columns, bool plain);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_SCREEN_H_
