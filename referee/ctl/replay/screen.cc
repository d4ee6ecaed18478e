#include "referee/ctl/replay/screen.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/ctl/terminal/table.h"

namespace referee::ctl {
namespace {

std::string ShortTime(absl::Duration time) {
  return absl::FormatDuration(absl::Trunc(time, absl::Milliseconds(1)));
}

std::string ClockText(Seat seat, const replay::SeatClock& clock) {
  std::string text = absl::StrCat(seat.text(), " used ", ShortTime(clock.used));
  if (clock.bank < absl::InfiniteDuration()) {
    absl::StrAppend(&text, ", bank ", ShortTime(clock.bank));
  }
  return text;
}

std::string SeatLine(const std::string& bot, const games::State& state, Seat seat) {
  return absl::StrCat(seat.text(), " ", Printable(bot), " (", state.score(seat), ")",
                      state.forfeited(seat) ? " out" : "");
}

std::string NextLine(const Course& course, size_t at) {
  const games::State& state = *course.steps[at].state;
  const bool last = at + 1 == course.steps.size();
  if (last && !course.end.empty()) return absl::StrCat(course.end, "\n");
  if (state.phase() != games::Phase::kTurn) return "";
  const std::string roll = absl::StrJoin(state.roll(), " ");
  return absl::StrCat("next: ", state.seat_to_move().text(), roll.empty() ? "" : " with ", roll,
                      "\n");
}

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

ScreenParts PartsOfStep(const Course& course, size_t at, const games::DrawStyle& style) {
  const CourseStep& step = course.steps[at];
  ScreenParts parts;
  parts.title = absl::StrCat(course.game->name(), "  match ", course.match_id, "\n");
  for (size_t i = 0; i < course.bots.size(); ++i) {
    const Seat seat(static_cast<int>(i));
    parts.seats.push_back(SeatLine(course.bots[i], *step.state, seat));
    parts.clocks.push_back(ClockText(seat, step.clocks[i]));
  }
  parts.board = step.state->Draw(style, step.last);
  parts.happened = absl::StrCat(step.happened, "\n");
  parts.next = NextLine(course, at);
  if (!step.position.empty()) parts.position = absl::StrCat("position ", step.position, "\n");
  return parts;
}

std::string ScreenOfStep(const Course& course, size_t at, const games::DrawStyle& style) {
  const ScreenParts parts = PartsOfStep(course, at, style);
  return absl::StrCat(parts.title, absl::StrJoin(parts.seats, "   "), "\n\n", parts.board, "\n",
                      parts.happened, parts.next, parts.position);
}

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
