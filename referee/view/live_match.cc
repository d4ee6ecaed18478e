#include "referee/view/live_match.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "referee/base/duration_text.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/games/catalogue.h"
#include "referee/games/wire.h"
#include "referee/match/time_control.h"
#include "referee/replay/terms_wire.h"

namespace referee::view {
namespace {

// The error of a match, or a turn, that cannot be played.
absl::Status NotPlayable(absl::string_view why) { return absl::InvalidArgumentError(why); }

match::Cause FromWire(v1::ForfeitCause cause) {
  switch (cause) {
    case v1::FORFEIT_CAUSE_ILLEGAL:
      return match::Cause::kIllegal;
    case v1::FORFEIT_CAUSE_DISCONNECTED:
      return match::Cause::kDisconnected;
    case v1::FORFEIT_CAUSE_RESIGNED:
      return match::Cause::kResigned;
    default:
      return match::Cause::kTimeout;
  }
}

absl::StatusOr<std::shared_ptr<const games::Game>> GameOf(const v1::Match& match) {
  const absl::StatusOr<games::Entry> entry = games::Find(match.game());
  if (!entry.ok()) return entry.status();
  const games::Wire& wire = match.options().has_general() ? games::GeneralWire() : *entry->wire;
  const absl::StatusOr<std::vector<games::Option>> options = wire.OptionsFromWire(match.options());
  if (!options.ok()) return options.status();
  const int seats = match.bots_size();
  if (seats < entry->type->min_seats() || seats > entry->type->max_seats()) {
    return NotPlayable("the game has not so many seats");
  }
  return entry->type->Create(seats, *options);
}

}  // namespace

LiveMatch::LiveMatch(const v1::Match& match) {
  setup_.bots.assign(match.bots().begin(), match.bots().end());
  setup_.time_control = replay::KnownFromWire(match.time_control());
  head_.set_match_id(match.match_id());
  head_.set_game(match.game());
  *head_.mutable_bots() = match.bots();
  head_.set_time_control(match::TimeControlText(setup_.time_control));
  head_.set_create_time(UtcText(absl::FromUnixSeconds(match.create_time().seconds())));
  absl::StatusOr<std::shared_ptr<const games::Game>> game = GameOf(match);
  if (!game.ok()) {
    problem_ = game.status();
    head_.set_problem(std::string(problem_.message()));
    return;
  }
  setup_.game = *std::move(game);
  for (const games::Option& option : setup_.game->options()) {
    head_.add_options(absl::StrCat(option.name, "=", option.value));
  }
  if (absl::optional<v1::BoardGeometry> geometry = GeometryOf(*setup_.game)) {
    *head_.mutable_geometry() = *std::move(geometry);
  }
}

std::vector<LiveMatch::Step> LiveMatch::Begin(const v1::WatchMatchResponse& snapshot) {
  std::vector<Step> steps;
  if (setup_.game == nullptr) return steps;
  problem_ = absl::OkStatus();
  head_.clear_problem();
  frames_ = std::make_unique<Frames>(
      setup_, replay::Cursor(setup_, [this](const games::Chance& chance, absl::Span<int> outcome) {
        return TakeDrawn(chance, outcome);
      }));
  drawn_ = snapshot.drawn();
  Play(match::Started(), &steps);
  for (const v1::WatchMatchResponse& event : snapshot.history()) Take(event, &steps);
  return steps;
}

void LiveMatch::Fail(absl::Status problem) {
  problem_ = std::move(problem);
  head_.set_problem(std::string(problem_.message()));
}

void LiveMatch::GiveUp() { Fail(NotPlayable("the match is too long to be shown here")); }

void LiveMatch::Take(const v1::WatchMatchResponse& event, std::vector<Step>* steps) {
  if (!problem_.ok() || frames_ == nullptr) return;
  drawn_ = event.drawn();
  if (event.has_turn_played()) {
    const v1::TurnPlayed& wire = event.turn_played();
    const absl::StatusOr<match::Played> played = PlayedFrom(wire);
    if (!played.ok()) return Fail(At(absl::StrCat("turn ", wire.turn()), played.status()));
    Play(*played, steps);
  } else if (event.has_seat_forfeited()) {
    const v1::SeatForfeited& wire = event.seat_forfeited();
    const absl::StatusOr<match::Forfeited> forfeited = ForfeitedFrom(wire);
    if (!forfeited.ok()) return Fail(At(absl::StrCat("turn ", wire.turn()), forfeited.status()));
    Play(*forfeited, steps);
  } else if (const v1::SeatFaulted& wire = event.seat_faulted();
             wire.turn() > 0 && wire.seat() < setup_.bots.size()) {
    match::Faulted fault;
    fault.seat = Seat(static_cast<int>(wire.seat()));
    fault.cause = FromWire(wire.cause());
    Play(fault, steps);
  }
}

void LiveMatch::Play(const match::Record& record, std::vector<Step>* steps) {
  absl::StatusOr<absl::optional<v1::Frame>> frame = frames_->Take(record);
  if (!frame.ok()) return Fail(frame.status());
  if (!frame->has_value()) return;
  const games::State& state = frames_->cursor().state();
  Step step;
  step.frame = **std::move(frame);
  if (state.phase() == games::Phase::kOver) step.frame.add_events(v1::FRAME_EVENT_END);
  step.state = state.Clone();
  if (const auto* played = std::get_if<match::Played>(&record)) step.last = played->move;
  steps->push_back(std::move(step));
}

absl::Status LiveMatch::TakeDrawn(const games::Chance& chance, absl::Span<int> outcome) {
  if (drawn_.size() < outcome.size()) return NotPlayable("a draw is missing");
  for (size_t i = 0; i < outcome.size(); ++i) {
    if (drawn_[i] < 1 || drawn_[i] > static_cast<uint32_t>(chance.sides)) {
      return NotPlayable("a draw that cannot be");
    }
    outcome[i] = static_cast<int>(drawn_[i]) - 1;
  }
  drawn_.remove_prefix(outcome.size());
  return absl::OkStatus();
}

absl::StatusOr<match::Played> LiveMatch::PlayedFrom(const v1::TurnPlayed& turn) const {
  const replay::Cursor& cursor = frames_->cursor();
  const games::State& state = cursor.state();
  if (state.phase() != games::Phase::kTurn ||
      static_cast<int>(turn.seat()) != state.seat_to_move().index()) {
    return NotPlayable("it is not that seat's turn");
  }
  const absl::StatusOr<games::Move> claimed = setup_.game->ParseMove(turn.notation());
  if (!claimed.ok()) return claimed.status();
  const absl::StatusOr<games::Move> move = state.Resolve(*claimed, cursor.legal_moves());
  if (!move.ok()) return move.status();
  match::Played played;
  played.number = turn.turn();
  played.seat = state.seat_to_move();
  played.roll = match::Roll(state.roll());
  played.move = *move;
  played.legal_count = turn.legal_count();
  played.used = replay::KnownFromWire(turn.time_used());
  played.bank_left =
      turn.has_bank_left() ? replay::KnownFromWire(turn.bank_left()) : absl::InfiniteDuration();
  if (turn.substituted() != v1::FORFEIT_CAUSE_UNSPECIFIED) {
    played.substituted = FromWire(turn.substituted());
  }
  return played;
}

absl::StatusOr<match::Forfeited> LiveMatch::ForfeitedFrom(const v1::SeatForfeited& wire) const {
  if (wire.seat() >= setup_.bots.size()) return NotPlayable("no such seat");
  match::Forfeited forfeited;
  forfeited.seat = Seat(static_cast<int>(wire.seat()));
  forfeited.cause = FromWire(wire.cause());
  forfeited.number = wire.turn();
  forfeited.used = replay::KnownFromWire(wire.time_used());
  return forfeited;
}

v1::MatchVerdict LiveMatch::VerdictOf(const v1::Verdict& verdict) {
  v1::MatchVerdict out;
  out.set_ending(verdict.state() == v1::MATCH_STATE_FINISHED ? "FINISHED"
                 : verdict.state() == v1::MATCH_STATE_VOID   ? "VOID"
                                                             : "CANCELLED");
  out.set_reason(verdict.reason());
  for (const int score : verdict.scores()) out.add_scores(score);
  for (const uint32_t rank : verdict.ranks()) out.add_ranks(rank);
  return out;
}

}  // namespace referee::view
