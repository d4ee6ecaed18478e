#include "referee/service/convert/convert.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/games/catalogue.h"
#include "referee/games/errors.h"

namespace referee::service {
namespace {

template <typename Bytes>
std::string ByteString(const Bytes& bytes) {
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void DescriptionToWire(const MatchId& id, absl::Time created, const games::Game& game,
                       const std::vector<std::string>& bots, const match::TimeControl& time_control,
                       const match::Policies& policies, v1::Match* out) {
  out->set_match_id(id.text());
  out->set_game(std::string(game.name()));
  games::WireOf(game).OptionsToWire(game, out->mutable_options());
  for (const std::string& bot : bots) out->add_bots(bot);
  ToWire(time_control, out->mutable_time_control());
  if (!(policies == match::Policies())) ToWire(policies, out->mutable_policies());
  ToWire(created, out->mutable_create_time());
}

absl::StatusOr<match::DiceSource> FromWire(const v1::DiceSource& wire) {
  match::DiceSource source;
  if (wire.has_pinned_number()) source.pinned_number = wire.pinned_number();
  if (wire.has_pinned_seed()) {
    if (wire.pinned_seed().size() != sizeof(dice::Seed::bytes)) {
      return BadValue("dice.pinned_seed", absl::StrCat(wire.pinned_seed().size(), " bytes"),
                      "32 bytes");
    }
    source.pinned_seed.emplace();
    std::copy(wire.pinned_seed().begin(), wire.pinned_seed().end(),
              source.pinned_seed->bytes.begin());
  }
  return source;
}

}  // namespace

void ToWire(const match::SeatTime& time, v1::SeatTime* out) {
  ToWire(time.given_back, out->mutable_given_back());
  out->set_time_losses(static_cast<uint32_t>(time.time_losses));
  out->set_lost_links(static_cast<uint32_t>(time.lost_links));
}

void ToWire(absl::Time time, google::protobuf::Timestamp* out) {
  const int64_t micros = absl::ToUnixMicros(time);
  out->set_seconds(micros / 1'000'000);
  out->set_nanos(static_cast<int32_t>(micros % 1'000'000) * 1000);
}

void ToWire(const match::Match& match, const match::Played& played, v1::TurnPlayed* out) {
  const games::Game& game = *match.setup().game;
  out->set_match_id(match.setup().id.text());
  out->set_turn(played.number);
  out->set_seat(played.seat.index());
  for (int i = 0; i < played.roll.size(); ++i) out->add_dice(played.roll[i]);
  games::WireOf(game).MoveToWire(game, played.move, out->mutable_move());
  game.AppendMove(played.move, out->mutable_notation());
  ToWire(played.used, out->mutable_time_used());
  if (played.bank_left < absl::InfiniteDuration()) {
    ToWire(played.bank_left, out->mutable_bank_left());
  }
  out->set_legal_count(played.legal_count);
  out->set_digest(played.digest);
  if (played.substituted) out->set_substituted(ToWire(*played.substituted));
}

void ToWire(const match::Match& match, const match::Forfeited& forfeited, v1::SeatForfeited* out) {
  out->set_match_id(match.setup().id.text());
  out->set_seat(forfeited.seat.index());
  out->set_cause(ToWire(forfeited.cause));
  out->set_turn(forfeited.number);
  out->set_detail(forfeited.detail);
  if (forfeited.timing) ToWire(forfeited.used, out->mutable_time_used());
}

MoveList MoveListOf(const v1::Hello& hello) {
  if (!hello.wants_legal_moves()) return MoveList::kNone;
  return hello.wants_notations() ? MoveList::kNotations : MoveList::kMoves;
}

void LegalMovesToWire(const games::Game& game, absl::Span<const games::Move> moves, MoveList list,
                      v1::TurnRequest* out) {
  if (list == MoveList::kMoves) {
    const games::Wire& wire = games::WireOf(game);
    for (games::Move move : moves) wire.MoveToWire(game, move, out->add_legal_moves());
  } else if (list == MoveList::kNotations) {
    std::string* const notations = out->mutable_legal_notations();
    for (games::Move move : moves) {
      game.AppendMove(move, notations);
      notations->push_back('\n');
    }
  }
}

void TurnRequestToWire(const match::Match& match, Seat seat, Instant now, MoveList list,
                       v1::TurnRequest* out) {
  const games::Game& game = *match.setup().game;
  const games::State& state = match.state();
  out->set_match_id(match.setup().id.text());
  out->set_turn(match.turn());
  out->set_request(match.request());
  out->set_seat(seat.index());
  for (int die : state.roll()) out->add_dice(die);
  games::WireOf(game).PositionToWire(state, out->mutable_position());
  out->set_position_text(match.position());
  ToWire(match.time_left(now), out->mutable_limit());
  const absl::Duration bank = match.bank_left(seat);
  if (bank < absl::InfiniteDuration()) ToWire(bank, out->mutable_bank_left());
  LegalMovesToWire(game, match.legal_moves(), list, out);
}

void BlockToWire(const absl::optional<match::BlockPlace>& block, v1::Match* out) {
  if (!block) return;
  out->mutable_block()->set_block_id(block->block.text());
  out->mutable_block()->set_rotation(static_cast<uint32_t>(block->rotation));
}

void MatchToWire(const match::Match& match, v1::Match* out) {
  const match::Setup& setup = match.setup();
  DescriptionToWire(setup.id, setup.create_time, *setup.game, setup.bots, setup.time_control,
                    setup.policies, out);
  BlockToWire(setup.block, out);
  out->set_state(v1::MATCH_STATE_RUNNING);
  out->set_turns_played(match.turn() - 1);
  out->set_commitment(ByteString(setup.commitment));
  out->set_pinned(setup.dice_source.pinned());
}

void SnapshotToWire(const match::Match& match, v1::Snapshot* out) {
  if (out->match().match_id().empty()) MatchToWire(match, out->mutable_match());
  // Before the first roll there is no position.
  const games::State& state = match.state();
  if (state.phase() == games::Phase::kChance) return;
  games::WireOf(*match.setup().game).PositionToWire(state, out->mutable_position());
  out->set_position_text(match.position());
  out->set_turn(match.turn());
  if (match.setup().time_control.has_bank()) {
    for (int i = 0; i < match.seats(); ++i) ToWire(match.bank_left(Seat(i)), out->add_bank_left());
  }
  if (match.last_turn()) ToWire(match, *match.last_turn(), out->mutable_last_turn());
  if (!match.seat_to_move().valid()) return;
  out->set_seat_to_move(match.seat_to_move().index());
  for (int die : state.roll()) out->add_dice(die);
}

void MatchToWire(const host::MatchRunner& runner, v1::Match* out) {
  if (runner.match() != nullptr) {
    MatchToWire(*runner.match(), out);
  } else {
    const host::MatchRequest& request = runner.request();
    DescriptionToWire(runner.id(), runner.create_time(), *request.game, request.bots,
                      request.time_control, request.policies, out);
    BlockToWire(runner.block_place(), out);
    out->set_pinned(request.dice_source.pinned());
    out->set_state(v1::MATCH_STATE_WAITING);
    out->set_turns_played(runner.turns_played());
  }
  if (runner.ended() == nullptr) return;
  out->set_state(ToWire(runner.ended()->ending));
  VerdictToWire(runner, out->mutable_verdict());
}

void SnapshotToWire(const host::MatchRunner& runner, v1::Snapshot* out) {
  MatchToWire(runner, out->mutable_match());
  if (runner.match() != nullptr) SnapshotToWire(*runner.match(), out);
}

void VerdictToWire(const host::MatchRunner& runner, v1::Verdict* out) {
  const match::Ended& ended = *runner.ended();
  out->set_state(ToWire(ended.ending));
  out->set_reason(ended.reason);
  out->set_cancelled_by(ended.cancelled_by);
  for (int score : ended.scores) out->add_scores(score);
  for (int rank : ended.ranks) out->add_ranks(rank);
  const match::Match* match = runner.match();
  if (match == nullptr) return;
  for (const match::Forfeited& forfeited : match->forfeits()) {
    ToWire(*match, forfeited, out->add_forfeits());
  }
  // A match that could not be recorded does not reveal its seed.
  if (!match->ended()) return;
  out->set_seed(ByteString(ended.seed.bytes));
  for (const std::string& nonce : ended.nonces) out->add_nonces(nonce);
  HashesToWire(ended.nonce_hashes, out->mutable_nonce_hashes());
}

void HashesToWire(absl::Span<const absl::optional<dice::NonceHash>> hashes,
                  google::protobuf::RepeatedPtrField<std::string>* out) {
  for (const absl::optional<dice::NonceHash>& hash : hashes) {
    *out->Add() = hash ? ByteString(*hash) : "";
  }
}

std::string GameName(const v1::GameOptions& options) {
  if (options.has_general()) return options.general().game();
  // The name of the oneof member is the name of the game.
  const auto* member = options.GetReflection()->GetOneofFieldDescriptor(
      options, options.GetDescriptor()->FindOneofByName("game"));
  return member == nullptr ? "" : member->name();
}

absl::StatusOr<std::shared_ptr<const games::Game>> FromWire(const v1::GameOptions& options,
                                                            int seats,
                                                            absl::string_view seats_field) {
  const std::string name = GameName(options);
  if (name.empty()) return BadValue("options.game", "", "set to one of the games' options");
  const absl::StatusOr<games::Entry> entry = games::Find(name);
  if (!entry.ok()) return absl::InvalidArgumentError(entry.status().message());
  if (seats < entry->type->min_seats() || seats > entry->type->max_seats()) {
    return At(seats_field, games::BadSeatCount(entry->type->name(), seats, entry->type->min_seats(),
                                               entry->type->max_seats()));
  }
  const games::Wire& wire = options.has_general() ? games::GeneralWire() : *entry->wire;
  const absl::StatusOr<std::vector<games::Option>> given = wire.OptionsFromWire(options);
  if (!given.ok()) return At("options", given.status());
  absl::StatusOr<std::shared_ptr<const games::Game>> game = entry->type->Create(seats, *given);
  if (!game.ok()) return At("options", game.status());
  return game;
}

absl::StatusOr<host::MatchRequest> FromWire(const v1::CreateMatchRequest& wire) {
  if (wire.request_id().size() > limits::kMaxRequestIdBytes) {
    return BadValue("request_id", wire.request_id(), "at most 64 bytes");
  }
  host::MatchRequest request;
  request.bots.assign(wire.bots().begin(), wire.bots().end());
  auto game = FromWire(wire.options(), wire.bots_size(), "bots");
  if (!game.ok()) return game.status();
  request.game = *std::move(game);
  if (wire.has_time_control()) {
    auto time_control = FromWire(wire.time_control());
    if (!time_control.ok()) return time_control.status();
    request.time_control = *time_control;
  }
  auto policies = FromWire(wire.policies());
  if (!policies.ok()) return policies.status();
  request.policies = *policies;
  auto dice_source = FromWire(wire.dice());
  if (!dice_source.ok()) return dice_source.status();
  request.dice_source = *dice_source;
  return request;
}

}  // namespace referee::service
