#include "referee/ctl/match/text.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "referee/base/errors.h"
#include "referee/base/ids.h"
#include "referee/base/limits.h"
#include "referee/ctl/terminal/table.h"
#include "referee/games/game.h"
#include "referee/match/time_control.h"
#include "referee/replay/terms_wire.h"
#include "referee/service/convert/convert.h"

namespace referee::ctl {
namespace {

constexpr absl::string_view kStatePrefix = "MATCH_STATE_";
constexpr absl::string_view kCausePrefix = "FORFEIT_CAUSE_";

std::string CauseText(v1::ForfeitCause cause) {
  return std::string(absl::StripPrefix(v1::ForfeitCause_Name(cause), kCausePrefix));
}

absl::string_view LetterOf(uint32_t seat) {
  static constexpr absl::string_view kLetters = "abcdefghij";
  static_assert(kLetters.size() == limits::kMaxSeats, "a letter a seat");
  return seat < kLetters.size() ? kLetters.substr(seat, 1) : "?";
}

std::string DiceText(const google::protobuf::RepeatedField<uint32_t>& dice) {
  return absl::StrJoin(dice, "");
}

std::string TurnLine(const v1::TurnPlayed& turn, absl::string_view events) {
  return absl::StrFormat("%4d %s %-2s %s  %.1f ms%s%s\n", turn.turn(), LetterOf(turn.seat()),
                         DiceText(turn.dice()), absl::CHexEscape(turn.notation()),
                         absl::ToDoubleMilliseconds(replay::KnownFromWire(turn.time_used())),
                         events.empty() ? "" : "  ", events);
}

std::string ForfeitLine(const v1::SeatForfeited& forfeit) {
  return absl::StrCat("seat ", LetterOf(forfeit.seat()), " forfeits in turn ", forfeit.turn(), ", ",
                      CauseText(forfeit.cause()), ": ", forfeit.detail(), "\n");
}

std::string VerdictText(const v1::Verdict& verdict) {
  std::string text = absl::StrCat(StateText(verdict.state()), ": ", verdict.reason());
  if (!verdict.cancelled_by().empty()) absl::StrAppend(&text, ", by ", verdict.cancelled_by());
  text += "\n";
  for (int seat = 0; seat < verdict.ranks_size() && seat < verdict.scores_size(); ++seat) {
    absl::StrAppend(&text, "  ", LetterOf(static_cast<uint32_t>(seat)), " rank ",
                    verdict.ranks(seat), ", score ", verdict.scores(seat), "\n");
  }
  return text;
}

std::string BoardText(const games::Game& game, const v1::Snapshot& snapshot, bool colour) {
  const auto state = game.ParsePosition(snapshot.position_text());
  if (!state.ok()) return "";
  games::Move last = games::Move::Pass();
  const auto parsed = game.ParseMove(snapshot.last_turn().notation());
  if (parsed.ok()) last = *parsed;
  return absl::StrCat("\n", (*state)->Draw(games::DrawStyle{colour}, last));
}

// The game of a match; null if this program does not know it.
std::shared_ptr<const games::Game> GameOf(const v1::Match& match) {
  auto game = service::FromWire(match.options(), match.bots_size(), "bots");
  return game.ok() ? *std::move(game) : nullptr;
}

}  // namespace

std::string StateText(v1::MatchState state) {
  return EnumText(v1::MatchState_Name(state), kStatePrefix);
}

absl::StatusOr<v1::MatchState> ParseState(absl::string_view text) {
  v1::MatchState state;
  const std::string name = absl::StrCat(kStatePrefix, absl::AsciiStrToUpper(text));
  if (v1::MatchState_Parse(name, &state) && state != v1::MATCH_STATE_UNSPECIFIED) return state;
  return BadValue("--state", text, "waiting, running, finished, void or cancelled");
}

std::string MatchLine(const v1::Match& match) {
  std::vector<std::string> bots;
  for (int seat = 0; seat < match.bots_size(); ++seat) {
    const bool scored = seat < match.verdict().scores_size();
    bots.push_back(absl::StrCat(match.bots(seat),
                                scored ? absl::StrCat(" ", match.verdict().scores(seat)) : ""));
  }
  return absl::StrFormat("%s  %-9s  %s  %s  %4d turns  %s\n", match.match_id(),
                         StateText(match.state()), TimeText(match.create_time()), match.game(),
                         match.turns_played(), absl::StrJoin(bots, ", "));
}

std::string SnapshotText(const v1::Snapshot& snapshot, bool colour) {
  const v1::Match& match = snapshot.match();
  const std::shared_ptr<const games::Game> game = GameOf(match);
  std::string text = absl::StrCat("match ", match.match_id(), "\ncreated ",
                                  TimeText(match.create_time()), "\ngame ", match.game(), "\n");
  if (match.pinned()) absl::StrAppend(&text, "dice pinned by the organiser\n");
  if (game != nullptr) {
    for (const games::Option& option : game->options()) {
      absl::StrAppend(&text, "option ", option.name, "=", option.value, "\n");
    }
  }
  for (int seat = 0; seat < match.bots_size(); ++seat) {
    absl::StrAppend(&text, "bot ", LetterOf(static_cast<uint32_t>(seat)), " ", match.bots(seat));
    if (seat < snapshot.bank_left_size()) {
      absl::StrAppend(&text, ", ",
                      absl::FormatDuration(absl::Trunc(
                          replay::KnownFromWire(snapshot.bank_left(seat)), absl::Milliseconds(1))),
                      " in the bank");
    }
    absl::StrAppend(&text, "\n");
  }
  absl::StrAppend(&text, "time ",
                  match::TimeControlText(replay::KnownFromWire(match.time_control())), "\nstate ",
                  StateText(match.state()), ", ", match.turns_played(), " turns played");
  if (snapshot.has_seat_to_move()) {
    absl::StrAppend(&text, ", ", LetterOf(snapshot.seat_to_move()), " to move");
    if (snapshot.dice_size() > 0) absl::StrAppend(&text, " with ", DiceText(snapshot.dice()));
  }
  absl::StrAppend(&text, "\n");
  for (const v1::SeatForfeited& forfeit : match.verdict().forfeits()) {
    absl::StrAppend(&text, ForfeitLine(forfeit));
  }
  if (match.has_verdict()) absl::StrAppend(&text, VerdictText(match.verdict()));
  if (snapshot.position_text().empty()) return text;
  absl::StrAppend(&text, "position ", snapshot.position_text(), "\n");
  if (game != nullptr) absl::StrAppend(&text, BoardText(*game, snapshot, colour));
  return text;
}

std::string EndText(const v1::Verdict& verdict) {
  if (verdict.state() == v1::MATCH_STATE_VOID) return "end: VOID";
  if (verdict.state() == v1::MATCH_STATE_CANCELLED) return "end: CANCELLED";
  return absl::StrCat("end: ", verdict.reason(), "; scores ", absl::StrJoin(verdict.scores(), " "),
                      ", ranks ", absl::StrJoin(verdict.ranks(), " "));
}

std::string NewsText(const v1::WatchMatchResponse& news, bool colour, absl::string_view events) {
  switch (news.kind_case()) {
    case v1::WatchMatchResponse::kSnapshot:
      return SnapshotText(news.snapshot(), colour);
    case v1::WatchMatchResponse::kTurnPlayed:
      return TurnLine(news.turn_played(), events);
    case v1::WatchMatchResponse::kSeatForfeited:
      return ForfeitLine(news.seat_forfeited());
    case v1::WatchMatchResponse::kVerdict:
      return VerdictText(news.verdict());
    case v1::WatchMatchResponse::kSeatFaulted:  // the next turn's event reports the fault
    case v1::WatchMatchResponse::KIND_NOT_SET:
      break;
  }
  return "";
}

}  // namespace referee::ctl
