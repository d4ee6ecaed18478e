#include "referee/ctl/replay/course.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/ctl/terminal/table.h"
#include "referee/games/viewable.h"
#include "referee/view/frames.h"

namespace referee::ctl {
namespace {

// Faults that did not end the match, by turn, as text such as "; forgiven: illegal move 4:C1>C5 in
// turn 17: ...".
std::map<uint32_t, std::string> ForgivenByTurn(const replay::Replay& replay) {
  std::map<uint32_t, std::string> forgiven;
  for (const match::Record& record : replay.records) {
    const auto* fault = std::get_if<match::Faulted>(&record);
    if (fault == nullptr) continue;
    std::string& text = forgiven[fault->number];
    if (fault->cause == match::Cause::kIllegal) {
      absl::StrAppend(&text, "; forgiven: ", Printable(fault->detail));
    }
  }
  return forgiven;
}

// Returns "turn 17 of 96: b rolled 4 6 and played 4:C1>C5 6:C5>C11 in 1.5ms".
std::string TurnText(const games::Game& game, const match::Played& turn, uint32_t turns) {
  std::string text = absl::StrCat("turn ", turn.number, " of ", turns, ": ", turn.seat.text(), " ");
  if (turn.roll.size() > 0) {
    absl::StrAppend(&text, "rolled ", turn.roll[0]);
    for (int i = 1; i < turn.roll.size(); ++i) absl::StrAppend(&text, " ", turn.roll[i]);
    absl::StrAppend(&text, " and ");
  }
  if (turn.move.is_pass()) return absl::StrCat(text, "had to pass");
  const std::string why =
      turn.substituted
          ? absl::StrCat("was played for (", match::CauseName(*turn.substituted), "): ")
          : "played ";
  return absl::StrCat(text, why, game.MoveText(turn.move), " in ",
                      absl::FormatDuration(absl::Trunc(turn.used, absl::Microseconds(1))));
}

std::string ForfeitText(const match::Forfeited& forfeit) {
  // The turn that was due is not played, so its number may exceed the number of turns.
  return absl::StrCat("turn ", forfeit.number, " was due: ", forfeit.seat.text(), " forfeits, ",
                      match::CauseName(forfeit.cause), ": ", Printable(forfeit.detail));
}

std::string EndText(const match::Ended& ended) {
  if (ended.ending == match::Ending::kVoid) return "end: VOID";
  if (ended.ending == match::Ending::kCancelled) return "end: CANCELLED";
  return absl::StrCat("end: ", ended.reason, "; scores ", absl::StrJoin(ended.scores, " "),
                      ", ranks ", absl::StrJoin(ended.ranks, " "));
}

// The number of turns that can be replayed. REQUIRES: the match started.
uint32_t TurnsOf(const replay::Replay& replay) {
  absl::optional<replay::Cursor> cursor = replay::CursorOf(replay);
  for (const match::Record& record : replay.records) {
    if (!cursor->Take(record).ok()) break;
  }
  return cursor->turns_played();
}

}  // namespace

size_t Course::StepOfTurn(uint32_t turn) const {
  const auto after = std::upper_bound(
      steps.begin(), steps.end(), turn,
      [](uint32_t wanted, const CourseStep& step) { return wanted < step.turns_played; });
  return after == steps.begin() ? 0 : static_cast<size_t>(after - steps.begin()) - 1;
}

Course CourseOf(const replay::Replay& replay) {
  const match::Setup& setup = replay.setup;
  Course course;
  course.game = setup.game;
  course.match_id = setup.id.text();
  course.bots = setup.bots;
  absl::optional<replay::Cursor> cursor = replay::CursorOf(replay);
  if (!cursor.has_value()) return course;
  const uint32_t turns = TurnsOf(replay);
  const std::map<uint32_t, std::string> forgiven = ForgivenByTurn(replay);
  const games::Viewable* const viewable = games::ViewableOf(*setup.game);
  view::Frames frames(setup, *std::move(cursor));
  for (const match::Record& record : replay.records) {
    const absl::StatusOr<absl::optional<v1::Frame>> frame = frames.Take(record);
    if (!frame.ok()) {
      course.end = absl::StrCat("it goes no further: ", frame.status().message());
      return course;
    }
    if (!frame->has_value()) continue;
    CourseStep step;
    step.state = frames.cursor().state().Clone();
    step.turns_played = frames.cursor().turns_played();
    step.clocks = frames.cursor().clocks();
    step.position = (*frame)->position();
    step.event = (*frame)->events_size() > 0;
    step.happened = absl::StrCat("start; ", turns, " turns");
    if (const auto* turn = std::get_if<match::Played>(&record)) {
      const auto fault = forgiven.find(turn->number);
      step.last = turn->move;
      step.happened = TurnText(*setup.game, *turn, turns);
      if (fault != forgiven.end() && !turn->move.is_pass()) step.happened += fault->second;
      step.fault = turn->substituted.has_value() || fault != forgiven.end();
      step.capture = viewable != nullptr && viewable->Captures(turn->move);
    } else if (const auto* forfeit = std::get_if<match::Forfeited>(&record)) {
      step.happened = ForfeitText(*forfeit);
      step.fault = true;
    }
    course.steps.push_back(std::move(step));
  }
  course.steps.back().event = true;
  course.end = EndText(*replay.ended());
  return course;
}

}  // namespace referee::ctl
