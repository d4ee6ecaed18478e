#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/ctl/replay/viewer.h"
#include "referee/ctl/terminal/printable.h"

namespace referee::ctl {
namespace {

constexpr size_t kPage = 10;

struct KeyBytes {
  absl::string_view bytes;
  ViewerKey key;
};

// Longer ones first among those that begin alike.
constexpr KeyBytes kKeys[] = {
    {"\x1b[C", ViewerKey::kNext},      {"\x1b[B", ViewerKey::kNext},
    {"\x1bOC", ViewerKey::kNext},      {"\x1bOB", ViewerKey::kNext},
    {"\x1b[D", ViewerKey::kPrevious},  {"\x1b[A", ViewerKey::kPrevious},
    {"\x1bOD", ViewerKey::kPrevious},  {"\x1bOA", ViewerKey::kPrevious},
    {"\x1b[6~", ViewerKey::kPageNext}, {"\x1b[5~", ViewerKey::kPagePrevious},
    {"\x1b[H", ViewerKey::kFirst},     {"\x1b[1~", ViewerKey::kFirst},
    {"\x1b[7~", ViewerKey::kFirst},    {"\x1bOH", ViewerKey::kFirst},
    {"\x1b[F", ViewerKey::kLast},      {"\x1b[4~", ViewerKey::kLast},
    {"\x1b[8~", ViewerKey::kLast},     {"\x1bOF", ViewerKey::kLast},
    {" ", ViewerKey::kNext},           {"\r", ViewerKey::kNext},
    {"\n", ViewerKey::kNext},          {"l", ViewerKey::kNext},
    {"j", ViewerKey::kNext},           {"h", ViewerKey::kPrevious},
    {"k", ViewerKey::kPrevious},       {"\x7f", ViewerKey::kPrevious},
    {"g", ViewerKey::kFirst},          {"G", ViewerKey::kLast},
    {"q", ViewerKey::kQuit},           {"Q", ViewerKey::kQuit},
    {"\x03", ViewerKey::kQuit},        {"\x04", ViewerKey::kQuit},
};

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

}  // namespace

std::string ReplayScreen(const replay::Replay& replay, const replay::Playback& playback, size_t at,
                         const games::DrawStyle& style) {
  const replay::PlaybackStep& step = playback.steps()[at];
  const bool last = at + 1 == playback.steps().size();
  std::string screen =
      absl::StrCat(replay.setup.game->name(), "  match ", replay.setup.id.text(), "\n");
  for (size_t i = 0; i < replay.setup.bots.size(); ++i) {
    const Seat seat(static_cast<int>(i));
    absl::StrAppend(&screen, i == 0 ? "" : "   ", SeatText(seat), " ",
                    Printable(replay.setup.bots[i]), " (", step.state->score(seat), ")",
                    step.state->forfeited(seat) ? " out" : "");
  }
  absl::StrAppend(
      &screen, "\n\n",
      step.state->Draw(style, step.turn == nullptr ? games::Move::Pass() : step.turn->move));
  absl::StrAppend(&screen, "\n", WhatHappened(replay, step, playback.steps().back().turns_played),
                  "\n");
  if (last && !playback.problem().ok()) {
    absl::StrAppend(&screen, "it goes no further: ", playback.problem().message(), "\n");
  } else if (last) {
    absl::StrAppend(&screen, Result(replay), "\n");
  } else if (step.state->phase() == games::Phase::kTurn) {
    const std::string roll = RollText(step.state->roll());
    absl::StrAppend(&screen, "next: ", SeatText(step.state->seat_to_move()),
                    roll.empty() ? "" : " with ", roll, "\n");
  }
  absl::StrAppend(&screen, "position ", step.state->Position(), "\n");
  return screen;
}

ViewerKey TakeViewerKey(absl::string_view* bytes) {
  for (const KeyBytes& known : kKeys) {
    if (bytes->substr(0, known.bytes.size()) != known.bytes) continue;
    bytes->remove_prefix(known.bytes.size());
    return known.key;
  }
  // An escape that comes alone is the key; one that begins a sequence takes all of it along.
  const bool escape = bytes->front() == '\x1b';
  const ViewerKey key = escape && bytes->size() == 1 ? ViewerKey::kQuit : ViewerKey::kNone;
  bytes->remove_prefix(escape ? bytes->size() : 1);
  return key;
}

size_t StepAfterKey(ViewerKey key, size_t at, size_t count) {
  const size_t last = count - 1;
  switch (key) {
    case ViewerKey::kNext:
      return std::min(at + 1, last);
    case ViewerKey::kPrevious:
      return at - std::min<size_t>(at, 1);
    case ViewerKey::kPageNext:
      return std::min(at + kPage, last);
    case ViewerKey::kPagePrevious:
      return at - std::min(at, kPage);
    case ViewerKey::kFirst:
      return 0;
    case ViewerKey::kLast:
      return last;
    case ViewerKey::kNone:
    case ViewerKey::kQuit:
      break;
  }
  return at;
}

}  // namespace referee::ctl
