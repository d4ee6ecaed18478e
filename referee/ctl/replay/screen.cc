#include "referee/ctl/replay/screen.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "referee/ctl/terminal/printable.h"

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

}  // namespace referee::ctl
