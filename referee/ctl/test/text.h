// Formats tests of a running referee for people, and their points as a chart and as CSV. Pure.
#ifndef REFEREE_CTL_TEST_TEXT_H_
#define REFEREE_CTL_TEST_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "proto/referee/v1/competition_service.pb.h"
#include "referee/ctl/terminal/print.h"

namespace referee::ctl {

// Sorts in the order of the queue: unfinished tests by priority, then oldest first; then finished
// ones, latest first. REQUIRES: `tests` are newest first, as a referee lists them.
void SortAsQueue(std::vector<v1::Competition>* tests);

// The columns for tests: name, state, priority, log-likelihood ratio with its bounds, blocks, Elo
// with its 95 % interval, and the decision or what the test waits for.
const Columns<v1::Competition>& TestsTable();
// The whole test, one line for each field.
std::string TestText(const v1::Competition& test);

// The number of blocks in the test.
uint64_t TestBlocks(const v1::TestProgress& progress);

// A chart of the log-likelihood ratio over the blocks, between its bounds, in ASCII. It is `width`
// characters wide, without the labels. REQUIRES: width >= 10.
std::string TestChart(const v1::Competition& test, const std::vector<v1::TestPoint>& points,
                      int width);

// The columns for points: blocks, how many of them gave the new bot 0, 1 or 2 points, and the
// ratio.
const Columns<v1::TestPoint>& PointColumns();

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TEST_TEXT_H_
