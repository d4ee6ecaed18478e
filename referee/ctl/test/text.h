// Tests of a running referee as text for people, and their points as a chart and as CSV. Pure.
#ifndef REFEREE_CTL_TEST_TEXT_H_
#define REFEREE_CTL_TEST_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "proto/referee/v1/competition_service.pb.h"
#include "referee/ctl/terminal/print.h"

namespace referee::ctl {

// The order of the queue: tests that are not finished by priority, then oldest first; then those
// that are finished, the latest first. `tests` are newest first, as a referee lists them.
void SortAsQueue(std::vector<v1::Competition>* tests);

// Tests: name, state, priority, log-likelihood ratio with its bounds, blocks, Elo with its 95 %
// interval, what was decided or what it waits for.
const Columns<v1::Competition>& TestsTable();
// The whole test, a line each.
std::string TestText(const v1::Competition& test);

// Blocks in it.
uint64_t TestBlocks(const v1::TestProgress& progress);

// The log-likelihood ratio over the blocks, `width` characters wide but for the labels, between its
// bounds, in lines of ASCII. REQUIRES: width >= 10.
std::string TestChart(const v1::Competition& test, const std::vector<v1::TestPoint>& points,
                      int width);

// Points: their blocks, how many of these gave the new bot 0 to 2 points, and the ratio.
const Columns<v1::TestPoint>& PointColumns();

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TEST_TEXT_H_
