#include "referee/ctl/test/text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "referee/ctl/competition/text.h"
#include "referee/ctl/terminal/strength_text.h"
#include "referee/ctl/terminal/table.h"
#include "referee/rating/sprt.h"
#include "referee/service/convert/competition.h"

namespace referee::ctl {
namespace {

constexpr int kChartHeight = 15;  // lines, odd

bool IsFinished(const v1::Competition& test) {
  return test.state() == v1::COMPETITION_STATE_FINISHED;
}

template <typename Counts>
uint64_t SumOf(const Counts& counts) {
  uint64_t sum = 0;
  for (const uint64_t blocks : counts) sum += blocks;
  return sum;
}

StrengthText StrengthOf(const v1::TestProgress& progress) {
  const v1::TestEstimate& estimate = progress.estimate();
  if (!progress.has_estimate()) return {"-", "-"};
  return ShownStrength(estimate.elo(), estimate.elo_low(), estimate.elo_high());
}

std::string RatioText(const v1::TestProgress& progress) {
  return absl::StrFormat("%.2f (%.2f to %.2f)", progress.log_likelihood_ratio(),
                         progress.lower_bound(), progress.upper_bound());
}

std::string DecisionText(const v1::Competition& test) {
  const v1::TestProgress& progress = test.test();
  const bool h1 = progress.decision() == v1::TEST_DECISION_H1;
  if (!h1 && progress.decision() != v1::TEST_DECISION_H0) {
    return IsFinished(test) ? "ended before it was decided" : "not decided";
  }
  const v1::SprtTerms& terms = test.spec().sprt();
  const bool normalized = terms.scale() == v1::ELO_SCALE_NORMALIZED;
  return absl::StrCat(h1 ? "H1" : "H0", " accepted: ", Shown(progress.bot()), " is ",
                      h1 ? terms.elo1() : terms.elo0(),
                      normalized ? " normalized Elo above " : " Elo above ",
                      Shown(progress.against()), " rather than ", h1 ? terms.elo0() : terms.elo1());
}

// The outcome in a few words, for a table.
std::string OutcomeText(const v1::Competition& test) {
  switch (test.test().decision()) {
    case v1::TEST_DECISION_H0:
      return "H0 accepted";
    case v1::TEST_DECISION_H1:
      return "H1 accepted";
    default:
      break;
  }
  if (IsFinished(test)) return "not decided";
  std::string text = absl::StrCat(test.blocks_running(), " running");
  if (!test.waits_for().empty()) absl::StrAppend(&text, "; waits: ", Shown(test.waits_for()));
  return text;
}

std::string StrengthLine(const v1::TestProgress& progress) {
  if (!progress.has_estimate()) return "";
  const v1::TestEstimate& estimate = progress.estimate();
  return absl::StrCat(StrengthPhrase(estimate.elo(), estimate.elo_low(), estimate.elo_high()),
                      ", corrected for the stopping of the test; likelihood of superiority ",
                      SuperiorityText(estimate.superiority()), "\n");
}

// Lines with the numbers of matches by result, and of blocks by points.
std::string CountLines(const v1::TestProgress& progress) {
  const auto& blocks = progress.blocks_by_half_points();
  uint64_t half_points = 0;
  for (int i = 0; i < blocks.size(); ++i) half_points += static_cast<uint64_t>(i) * blocks[i];
  const uint64_t matches = 2 * SumOf(blocks);
  const uint64_t wins = (half_points - progress.draws()) / 2;
  return absl::StrCat("matches ", matches, ": won ", wins, ", drawn ", progress.draws(), ", lost ",
                      matches - wins - progress.draws(),
                      "\nblocks of two matches with 0, 1/2, 1, 1 1/2, 2 points for ",
                      Shown(progress.bot()), ": ", absl::StrJoin(blocks, ", "), "\n");
}

// The characters of a chart, by line from the top.
using Cells = std::vector<std::string>;

// The line of a chart for a ratio.
size_t LineOf(double ratio, const v1::TestProgress& progress) {
  const double low = progress.lower_bound();
  const double high = progress.upper_bound();
  const double share = std::clamp((high - ratio) / (high - low), 0.0, 1.0);
  return static_cast<size_t>(std::lround(share * (kChartHeight - 1)));
}

void DrawPoints(const v1::TestProgress& progress, const std::vector<v1::TestPoint>& points,
                Cells* cells) {
  const uint64_t most = SumOf(points.back().blocks_by_half_points());
  const size_t width = cells->front().size();
  for (const v1::TestPoint& point : points) {
    const uint64_t blocks = SumOf(point.blocks_by_half_points());
    const size_t column = most == 0 ? 0 : std::min<size_t>(blocks * width / most, width - 1);
    (*cells)[LineOf(point.log_likelihood_ratio(), progress)][column] = '*';
  }
}

}  // namespace

void SortAsQueue(std::vector<v1::Competition>* tests) {
  const auto waits = std::stable_partition(
      tests->begin(), tests->end(), [](const v1::Competition& test) { return !IsFinished(test); });
  std::reverse(tests->begin(), waits);  // oldest first
  std::stable_sort(tests->begin(), waits, [](const v1::Competition& a, const v1::Competition& b) {
    return a.spec().priority() > b.spec().priority();
  });
}

const Columns<v1::Competition>& TestsTable() {
  using Test = v1::Competition;
  static const auto* const columns = new Columns<Test>{
      {"test", kLeft, [](const Test& test) { return test.spec().name(); }},
      {"state", kLeft, [](const Test& test) { return StateText(test.state()); }},
      {"priority", kRight, [](const Test& test) { return test.spec().priority(); }},
      {"LLR", kRight, [](const Test& test) { return RatioText(test.test()); }},
      {"blocks", kRight, [](const Test& test) { return TestBlocks(test.test()); }},
      {"Elo", kRight, [](const Test& test) { return StrengthOf(test.test()).elo; }},
      {"95 %", kLeft, [](const Test& test) { return StrengthOf(test.test()).interval; }},
      {"outcome", kLeft, OutcomeText}};
  return *columns;
}

std::string TestText(const v1::Competition& test) {
  const v1::TestProgress& progress = test.test();
  const uint64_t blocks = TestBlocks(progress);
  std::string text = absl::StrCat(
      "test ", Shown(test.spec().name()), ": ", Shown(progress.bot()), " against ",
      Shown(progress.against()), ", priority ", test.spec().priority(), "\n", PositionsLine(test),
      "state ", ProgressText(test), "\nSPRT ",
      rating::SprtTermsText(service::FromWire(test.spec().sprt())), ": LLR ", RatioText(progress),
      ", ", DecisionText(test), "\n", StrengthLine(progress), CountLines(progress));
  for (const std::string& out : progress.out()) absl::StrAppend(&text, Shown(out), "\n");
  if (test.blocks_counted() > blocks) {
    absl::StrAppend(&text, test.blocks_counted() - blocks,
                    " of the blocks are not in it: they were void, or dropped, or came after its "
                    "decision\n");
  }
  return text;
}

uint64_t TestBlocks(const v1::TestProgress& progress) {
  return SumOf(progress.blocks_by_half_points());
}

std::string TestChart(const v1::Competition& test, const std::vector<v1::TestPoint>& points,
                      int width) {
  const v1::TestProgress& progress = test.test();
  std::string text =
      absl::StrCat(Shown(test.spec().name()), ": LLR ", RatioText(progress), " over ",
                   TestBlocks(progress), " blocks, ", DecisionText(test), "\n");
  Cells cells(kChartHeight, std::string(static_cast<size_t>(width), ' '));
  const size_t zero = LineOf(0, progress);
  for (const size_t line : {size_t{0}, zero, cells.size() - 1}) {
    std::fill(cells[line].begin(), cells[line].end(), line == zero ? '.' : '-');
  }
  if (!points.empty()) DrawPoints(progress, points, &cells);
  for (size_t line = 0; line < cells.size(); ++line) {
    std::string label;
    if (line == zero) label = "0.00";
    if (line == 0) label = absl::StrFormat("%.2f", progress.upper_bound());
    if (line + 1 == cells.size()) label = absl::StrFormat("%.2f", progress.lower_bound());
    const absl::string_view end = line == 0 ? " H1" : line + 1 == cells.size() ? " H0" : "";
    std::string cell_text = cells[line];
    if (end.empty()) cell_text.erase(cell_text.find_last_not_of(' ') + 1);
    absl::StrAppendFormat(&text, "%7s |%s%s\n", label, cell_text, end);
  }
  const uint64_t last = points.empty() ? 0 : SumOf(points.back().blocks_by_half_points());
  absl::StrAppendFormat(&text, "%7s  0%*s\n", "", width - 1, absl::StrCat(last, " blocks"));
  return text;
}

const Columns<v1::TestPoint>& PointColumns() {
  using Point = v1::TestPoint;
  static const auto* const columns = new Columns<Point>{
      {"block", kCsv, &Point::block},
      {"blocks", kCsv, [](const Point& point) { return SumOf(point.blocks_by_half_points()); }},
      {"points_0", kCsv, Nth(&Point::blocks_by_half_points, 0)},
      {"points_half", kCsv, Nth(&Point::blocks_by_half_points, 1)},
      {"points_1", kCsv, Nth(&Point::blocks_by_half_points, 2)},
      {"points_1_half", kCsv, Nth(&Point::blocks_by_half_points, 3)},
      {"points_2", kCsv, Nth(&Point::blocks_by_half_points, 4)},
      {"llr", kCsv, &Point::log_likelihood_ratio}};
  return *columns;
}

}  // namespace referee::ctl
