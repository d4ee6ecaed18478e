#include "referee/ctl/replay/curve.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace referee::ctl {
namespace {

constexpr size_t kLeastColumns = 20;
constexpr size_t kMostColumns = 76;
constexpr size_t kMargin = 7;  // "a  -12 "
constexpr absl::string_view kBars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr absl::string_view kPlainBars[] = {"_", ".", ":", "-", "=", "+", "*", "#"};
constexpr int kLevels = static_cast<int>(std::size(kBars));

// The step that a column of the curve shows.
size_t StepOfColumn(size_t column, size_t columns, size_t last) {
  return columns < 2 ? last : (column * last + (columns - 1) / 2) / (columns - 1);
}

}  // namespace

std::vector<std::string> ScoreCurve(const Course& course, size_t at, size_t columns, bool plain) {
  if (columns < kLeastColumns) return {};
  const std::vector<CourseStep>& steps = course.steps;
  const int seats = static_cast<int>(course.bots.size());
  int low = 0, high = 1;
  for (const CourseStep& step : steps) {
    for (int seat = 0; seat < seats; ++seat) {
      low = std::min(low, step.state->score(Seat(seat)));
      high = std::max(high, step.state->score(Seat(seat)));
    }
  }
  const size_t last = steps.size() - 1;
  const size_t width = std::min({columns, kMostColumns, kMargin + last + 1}) - kMargin;
  std::vector<std::string> lines;
  for (int seat = 0; seat < seats; ++seat) {
    std::string line =
        absl::StrFormat("%c %4d ", Seat(seat).letter(), steps[at].state->score(Seat(seat)));
    for (size_t column = 0; column < width; ++column) {
      const int score = steps[StepOfColumn(column, width, last)].state->score(Seat(seat));
      const int level = (score - low) * (kLevels - 1) / (high - low);
      absl::StrAppend(&line, plain ? kPlainBars[level] : kBars[level]);
    }
    lines.push_back(line);
  }
  const size_t mark = last == 0 ? 0 : (at * (width - 1) + last / 2) / last;
  lines.push_back(std::string(kMargin + mark, ' ') + "^");
  return lines;
}

}  // namespace referee::ctl
