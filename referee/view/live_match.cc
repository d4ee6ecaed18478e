#include "referee/view/live_match.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/games/catalogue.h"
#include "referee/games/wire.h"
#include "referee/match/time_control.h"

namespace referee::view {
namespace {

// Why a match, or a turn of it, cannot be played along.
absl::Status NotPlayable(absl::string_view why) { return absl::InvalidArgumentError(why); }

absl::Duration FromWire(const google::protobuf::Duration& duration) {
  return absl::Seconds(duration.seconds()) + absl::Nanoseconds(duration.nanos());
}

match::TimeControl FromWire(const v1::TimeControl& wire) {
  match::TimeControl time;
  time.per_move = wire.has_per_move() ? FromWire(wire.per_move()) : absl::InfiniteDuration();
  if (wire.has_bank()) time.bank = FromWire(wire.bank());
  time.increment = FromWire(wire.increment());
  time.first_move = FromWire(wire.first_move());
  if (wire.has_ready()) time.ready = FromWire(wire.ready());
  if (wire.has_match()) time.match = FromWire(wire.match());
  if (wire.has_stall_per_move()) time.stall_per_move = FromWire(wire.stall_per_move());
  time.stall_per_match = wire.has_stall_per_match()
                             ? FromWire(wire.stall_per_match())
                             : match::DefaultStallPerMatch(time.stall_per_move);
  return time;
}

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

// Takes the numbers that were drawn, and notes them in the frame.
absl::Status Draw(const google::protobuf::RepeatedField<uint32_t>& drawn, games::State* state,
                  v1::Frame* frame) {
  int next = 0;
  while (state->phase() == games::Phase::kChance) {
    const games::Chance chance = state->chance();
    if (drawn.size() - next < chance.count) return NotPlayable("a draw is missing");
    v1::ChanceDraw* const draw = frame->add_draws();
    draw->set_label(std::string(chance.label().text()));
    draw->set_sides(static_cast<uint32_t>(chance.sides));
    int outcome[games::kMaxChanceCount];
    for (int i = 0; i < chance.count; ++i) {
      const uint32_t number = drawn[next++];
      if (number < 1 || number > static_cast<uint32_t>(chance.sides)) {
        return NotPlayable("a draw that cannot be");
      }
      outcome[i] = static_cast<int>(number) - 1;
      draw->add_numbers(number);
    }
    state->ApplyChance(absl::MakeSpan(outcome, static_cast<size_t>(chance.count)));
  }
  return absl::OkStatus();
}

// The draws are known before the frame is made, as that needs the state after them.
void MoveDraws(v1::Frame* from, v1::Frame* to) { to->mutable_draws()->Swap(from->mutable_draws()); }

void EndIfOver(const games::State& state, v1::Frame* frame) {
  if (state.phase() == games::Phase::kOver) frame->add_events(v1::FRAME_EVENT_END);
}

}  // namespace

LiveMatch::LiveMatch(const v1::Match& match) {
  setup_.bots.assign(match.bots().begin(), match.bots().end());
  setup_.time_control = FromWire(match.time_control());
  head_.set_match_id(match.match_id());
  head_.set_game(match.game());
  *head_.mutable_bots() = match.bots();
  head_.set_time_control(match::TimeControlText(setup_.time_control));
  head_.set_create_time(absl::FormatTime("%Y-%m-%dT%H:%M:%SZ",
                                         absl::FromUnixSeconds(match.create_time().seconds()),
                                         absl::UTCTimeZone()));
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
  state_ = setup_.game->NewState();
  frames_ = std::make_unique<Frames>(setup_);
  v1::Frame start;
  if (absl::Status begun = Start(snapshot, &start); begun.ok()) {
    steps.push_back({std::move(start), state_->Clone(), games::Move::Pass()});
  } else {
    Fail(std::move(begun));
  }
  for (const v1::WatchMatchResponse& event : snapshot.history()) Take(event, &steps);
  return steps;
}

absl::Status LiveMatch::Start(const v1::WatchMatchResponse& snapshot, v1::Frame* frame) {
  v1::Frame draws;
  if (absl::Status drawn = Draw(snapshot.drawn(), state_.get(), &draws); !drawn.ok()) return drawn;
  *frame = frames_->Start(*state_);
  MoveDraws(&draws, frame);
  EndIfOver(*state_, frame);
  return absl::OkStatus();
}

void LiveMatch::Fail(absl::Status problem) {
  problem_ = std::move(problem);
  head_.set_problem(std::string(problem_.message()));
}

void LiveMatch::GiveUp() { Fail(NotPlayable("the match is too long to be shown here")); }

void LiveMatch::Take(const v1::WatchMatchResponse& event, std::vector<Step>* steps) {
  if (!problem_.ok() || state_ == nullptr) return;
  Step step;
  absl::Status played;
  if (event.has_turn_played()) {
    played = At(absl::StrCat("turn ", event.turn_played().turn()), Play(event, &step));
  } else if (event.has_seat_forfeited()) {
    played = At(absl::StrCat("turn ", event.seat_forfeited().turn()), Forfeit(event, &step.frame));
  } else {
    return TakeFault(event.seat_faulted());
  }
  if (!played.ok()) return Fail(std::move(played));
  step.state = state_->Clone();
  steps->push_back(std::move(step));
}

void LiveMatch::TakeFault(const v1::SeatFaulted& wire) {
  if (wire.turn() == 0 || wire.seat() >= setup_.bots.size()) return;
  match::Faulted fault;
  fault.seat = Seat(static_cast<int>(wire.seat()));
  fault.cause = FromWire(wire.cause());
  frames_->Take(fault);
}

absl::StatusOr<match::Played> LiveMatch::PlayedFrom(const v1::TurnPlayed& turn) {
  if (state_->phase() != games::Phase::kTurn ||
      static_cast<int>(turn.seat()) != state_->seat_to_move().index()) {
    return NotPlayable("it is not that seat's turn");
  }
  const absl::StatusOr<games::Move> claimed = setup_.game->ParseMove(turn.notation());
  if (!claimed.ok()) return claimed.status();
  state_->LegalMoves(&legal_);
  const absl::StatusOr<games::Move> move = state_->Resolve(*claimed, legal_);
  if (!move.ok()) return move.status();
  match::Played played;
  played.number = turn.turn();
  played.seat = state_->seat_to_move();
  played.roll = match::Roll(state_->roll());
  played.move = *move;
  played.legal_count = turn.legal_count();
  played.used = FromWire(turn.time_used());
  played.bank_left = turn.has_bank_left() ? FromWire(turn.bank_left()) : absl::InfiniteDuration();
  if (turn.substituted() != v1::FORFEIT_CAUSE_UNSPECIFIED) {
    played.substituted = FromWire(turn.substituted());
  }
  return played;
}

absl::Status LiveMatch::Play(const v1::WatchMatchResponse& event, Step* step) {
  const absl::StatusOr<match::Played> played = PlayedFrom(event.turn_played());
  if (!played.ok()) return played.status();
  const std::unique_ptr<games::State> before = state_->Clone();
  state_->Apply(played->move);
  v1::Frame draws;
  if (absl::Status drawn = Draw(event.drawn(), state_.get(), &draws); !drawn.ok()) return drawn;
  step->last = played->move;
  step->frame = frames_->Turn(*played, *before, *state_);
  MoveDraws(&draws, &step->frame);
  EndIfOver(*state_, &step->frame);
  return absl::OkStatus();
}

absl::Status LiveMatch::Forfeit(const v1::WatchMatchResponse& event, v1::Frame* frame) {
  const v1::SeatForfeited& wire = event.seat_forfeited();
  match::Forfeited forfeited;
  if (wire.seat() >= static_cast<uint32_t>(setup_.bots.size())) return NotPlayable("no such seat");
  forfeited.seat = Seat(static_cast<int>(wire.seat()));
  if (state_->phase() != games::Phase::kTurn || state_->forfeited(forfeited.seat)) {
    return NotPlayable("a forfeit that cannot be");
  }
  forfeited.cause = FromWire(wire.cause());
  forfeited.number = wire.turn();
  forfeited.used = FromWire(wire.time_used());
  state_->Forfeit(forfeited.seat);
  v1::Frame draws;
  if (absl::Status drawn = Draw(event.drawn(), state_.get(), &draws); !drawn.ok()) return drawn;
  *frame = frames_->Forfeit(forfeited, *state_);
  MoveDraws(&draws, frame);
  EndIfOver(*state_, frame);
  return absl::OkStatus();
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
