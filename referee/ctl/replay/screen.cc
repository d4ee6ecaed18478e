#include "referee/ctl/replay/screen.h"

#include <algorithm>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "referee/ctl/terminal/printable.h"

namespace referee::ctl {
namespace {

std::string SeatText(Seat seat) { return std::string(1, seat.letter()); }

std::string RollText(absl::Span<const int> dice) { return absl::StrJoin(dice, " "); }

// Illegal moves that a turn was forgiven: "; forgiven: illegal move 4:C1>C5 in turn 17: ..."
std::string ForgivenText(const replay::Replay& replay, uint32_t turn) {
  std::string text;
  for (const match::Record& record : replay.records) {
    const auto* fault = std::get_if<match::Faulted>(&record);
    if (fault == nullptr || fault->number != turn || fault->cause != match::Cause::kIllegal)
      continue;
    absl::StrAppend(&text, "; forgiven: ", Printable(fault->detail));
  }
  return text;
}

// "turn 17 of 96: b rolled 4 6 and played 4:C1>C5 6:C5>C11 in 1.5ms"
std::string WhatHappened(const replay::Replay& replay, const replay::PlaybackStep& step,
                         uint32_t turns) {
  if (step.forfeit != nullptr) {
    // The turn that was due is not played, so it may be one more than there are.
    return absl::StrCat("turn ", step.forfeit->number, " was due: ", SeatText(step.forfeit->seat),
                        " forfeits, ", match::CauseName(step.forfeit->cause), ": ",
                        Printable(step.forfeit->detail));
  }
  if (step.turn == nullptr) return absl::StrCat("start; ", turns, " turns");
  const match::Played& turn = *step.turn;
  std::string text =
      absl::StrCat("turn ", turn.number, " of ", turns, ": ", SeatText(turn.seat), " ");
  if (turn.roll.size() > 0) {
    absl::StrAppend(&text, "rolled ", turn.roll[0]);
    for (int i = 1; i < turn.roll.size(); ++i) absl::StrAppend(&text, " ", turn.roll[i]);
    absl::StrAppend(&text, " and ");
  }
  if (turn.move.is_pass()) return absl::StrCat(text, "had to pass");
  const std::string played =
      absl::StrCat(replay.setup.game->MoveText(turn.move), " in ",
                   absl::FormatDuration(absl::Trunc(turn.used, absl::Microseconds(1))));
  const std::string why =
      turn.substituted
          ? absl::StrCat("was played for (", match::CauseName(*turn.substituted), "): ")
          : "played ";
  return absl::StrCat(text, why, played, ForgivenText(replay, turn.number));
}

std::string Result(const replay::Replay& replay) {
  const match::Ended& ended = *replay.ended();
  if (ended.ending == match::Ending::kVoid) return "end: VOID";
  if (ended.ending == match::Ending::kCancelled) return "end: CANCELLED";
  return absl::StrCat("end: ", ended.reason, "; scores ", absl::StrJoin(ended.scores, " "),
                      ", ranks ", absl::StrJoin(ended.ranks, " "));
}

// What a seat has used of its time in all turns up to a step, and what is left in its bank.
struct SeatClock {
  absl::Duration used;
  absl::Duration bank;
};

std::vector<SeatClock> ClocksAt(const replay::Replay& replay, size_t at) {
  const match::Setup& setup = replay.setup;
  std::vector<SeatClock> clocks(setup.bots.size(), {absl::ZeroDuration(), setup.time_control.bank});
  size_t step = 0;
  for (const match::Record& record : replay.records) {
    if (const auto* turn = std::get_if<match::Played>(&record)) {
      if (++step > at) break;
      SeatClock& clock = clocks[static_cast<size_t>(turn->seat.index())];
      clock.used += turn->used;
      clock.bank = turn->bank_left;
    } else if (const auto* forfeit = std::get_if<match::Forfeited>(&record)) {
      if (++step > at) break;
      clocks[static_cast<size_t>(forfeit->seat.index())].used += forfeit->used;
    }
  }
  return clocks;
}

std::string ShortTime(absl::Duration time) {
  return absl::FormatDuration(absl::Trunc(time, absl::Milliseconds(1)));
}

std::string ClockText(Seat seat, const SeatClock& clock) {
  std::string text = absl::StrCat(SeatText(seat), " used ", ShortTime(clock.used));
  if (clock.bank < absl::InfiniteDuration()) {
    absl::StrAppend(&text, ", bank ", ShortTime(clock.bank));
  }
  return text;
}

std::string SeatLine(const replay::Replay& replay, const games::State& state, Seat seat) {
  return absl::StrCat(SeatText(seat), " ",
                      Printable(replay.setup.bots[static_cast<size_t>(seat.index())]), " (",
                      state.score(seat), ")", state.forfeited(seat) ? " out" : "");
}

std::string NextLine(const replay::Replay& replay, const replay::Playback& playback, size_t at) {
  const games::State& state = *playback.steps()[at].state;
  const bool last = at + 1 == playback.steps().size();
  if (last && !playback.problem().ok()) {
    return absl::StrCat("it goes no further: ", playback.problem().message(), "\n");
  }
  if (last) return absl::StrCat(Result(replay), "\n");
  if (state.phase() != games::Phase::kTurn) return "";
  const std::string roll = RollText(state.roll());
  return absl::StrCat("next: ", SeatText(state.seat_to_move()), roll.empty() ? "" : " with ", roll,
                      "\n");
}

}  // namespace

ScreenParts PartsOfStep(const replay::Replay& replay, const replay::Playback& playback, size_t at,
                        const games::DrawStyle& style) {
  const replay::PlaybackStep& step = playback.steps()[at];
  ScreenParts parts;
  parts.title = absl::StrCat(replay.setup.game->name(), "  match ", replay.setup.id.text(), "\n");
  const std::vector<SeatClock> clocks = ClocksAt(replay, at);
  for (size_t i = 0; i < replay.setup.bots.size(); ++i) {
    const Seat seat(static_cast<int>(i));
    parts.seats.push_back(SeatLine(replay, *step.state, seat));
    parts.clocks.push_back(ClockText(seat, clocks[i]));
  }
  parts.board =
      step.state->Draw(style, step.turn == nullptr ? games::Move::Pass() : step.turn->move);
  parts.happened =
      absl::StrCat(WhatHappened(replay, step, playback.steps().back().turns_played), "\n");
  parts.next = NextLine(replay, playback, at);
  parts.position = absl::StrCat("position ", step.state->Position(), "\n");
  return parts;
}

std::string ReplayScreen(const replay::Replay& replay, const replay::Playback& playback, size_t at,
                         const games::DrawStyle& style) {
  const ScreenParts parts = PartsOfStep(replay, playback, at, style);
  return absl::StrCat(parts.title, absl::StrJoin(parts.seats, "   "), "\n\n", parts.board, "\n",
                      parts.happened, parts.next, parts.position);
}

}  // namespace referee::ctl
