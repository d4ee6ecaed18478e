// The points of a match as a curve of text: a line a seat, the whole match from left to right.
// Pure.
#ifndef REFEREE_CTL_REPLAY_CURVE_H_
#define REFEREE_CTL_REPLAY_CURVE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "referee/ctl/replay/course.h"

namespace referee::ctl {

// A line a seat, "a   16 __..::##", which begins with its points at step `at`; and one that marks
// where that step is. None wider than `columns`; no lines at all in less than 20. `plain`: in
// ASCII. REQUIRES: `at` is one of the steps of the course.
std::vector<std::string> ScoreCurve(const Course& course, size_t at, size_t columns, bool plain);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_CURVE_H_
