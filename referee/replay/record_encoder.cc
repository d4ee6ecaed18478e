#include <variant>

#include "referee/replay/record_codec.h"
#include "referee/replay/terms_wire.h"

namespace referee::replay {
namespace {

int64_t NanosOrZero(absl::Duration duration) {
  return duration == absl::InfiniteDuration() ? 0 : absl::ToInt64Nanoseconds(duration);
}

void SetBytes(const dice::Bytes32& bytes, std::string* out) {
  out->assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

template <typename Message>
void SetDice(const match::Roll& roll, Message* message) {
  for (int i = 0; i < roll.size(); ++i) message->add_dice(static_cast<uint32_t>(roll[i]));
}

void SetTiming(const match::Timing& timing, v1::TimingRecord* out) {
  out->set_started_ns(absl::ToInt64Nanoseconds(timing.started));
  if (timing.written < absl::InfiniteDuration()) {
    out->set_written_ns(absl::ToInt64Nanoseconds(timing.written));
  }
  out->set_read_ns(absl::ToInt64Nanoseconds(timing.read));
  out->set_taken_ns(absl::ToInt64Nanoseconds(timing.taken));
  out->set_round_trip_ns(absl::ToInt64Nanoseconds(timing.round_trip));
  out->set_paused_ns(absl::ToInt64Nanoseconds(timing.paused));
  out->set_credit_ns(absl::ToInt64Nanoseconds(timing.credit));
  out->set_stalled_ns(absl::ToInt64Nanoseconds(timing.stalled));
  out->set_link_lost(timing.link_lost);
  out->set_stalls_charged(timing.stalls_charged);
}

// Omits policies with default values.
void SetPolicies(const match::Policies& policies, v1::OpeningRecord* opening) {
  const match::Policies usual;
  if (!(policies.on_timeout == usual.on_timeout)) {
    ToWire(policies.on_timeout, opening->mutable_on_timeout());
  }
  if (!(policies.on_illegal == usual.on_illegal)) {
    ToWire(policies.on_illegal, opening->mutable_on_illegal());
  }
  opening->set_link_grace_ns(absl::ToInt64Nanoseconds(policies.link_grace));
  opening->set_lag_per_move_ns(absl::ToInt64Nanoseconds(policies.lag.per_move));
  opening->set_lag_per_match_ns(absl::ToInt64Nanoseconds(policies.lag.per_match));
}

void SetTimeControl(const match::TimeControl& time_control, v1::OpeningRecord* opening) {
  opening->set_per_move_ns(NanosOrZero(time_control.per_move));
  opening->set_bank_ns(NanosOrZero(time_control.bank));
  opening->set_increment_ns(NanosOrZero(time_control.increment));
  opening->set_first_move_ns(NanosOrZero(time_control.first_move));
  if (time_control.ready != match::TimeControl().ready) {
    opening->set_ready_ns(NanosOrZero(time_control.ready));
  }
  opening->set_match_ns(NanosOrZero(time_control.match));
  opening->set_stall_per_move_ns(absl::ToInt64Nanoseconds(time_control.stall_per_move));
  opening->set_stall_per_match_ns(absl::ToInt64Nanoseconds(time_control.stall_per_match));
}

void Append(const v1::Record& record, std::string* out) {
  // Only fails for messages of more than 2 GiB.
  const bool appended = record.AppendToString(out);
  static_cast<void>(appended);
}

}  // namespace

void RecordEncoder::AppendOpening(const match::Setup& setup, std::string* out) {
  v1::OpeningRecord* const opening = record_.mutable_opening();
  opening->Clear();
  opening->set_match_id(setup.id.text());
  opening->set_create_time_us(absl::ToUnixMicros(setup.create_time));
  opening->set_game(setup.game->name().data(), setup.game->name().size());
  for (const games::Option& option : setup.game->source()) {
    v1::OptionRecord* const written = opening->add_options();
    written->set_name(option.name);
    written->set_value(option.value);
  }
  for (const std::string& bot : setup.bots) opening->add_bots(bot);
  SetTimeControl(setup.time_control, opening);
  SetPolicies(setup.policies, opening);
  SetBytes(setup.commitment, opening->mutable_commitment());
  if (setup.dice_source.pinned_number.has_value()) {
    opening->set_pinned_number(*setup.dice_source.pinned_number);
  } else if (setup.dice_source.pinned_seed.has_value()) {
    SetBytes(setup.dice_source.pinned_seed->bytes, opening->mutable_pinned_seed());
  }
  opening->set_referee(setup.referee);
  opening->set_request_id(setup.request_id);
  if (setup.block) {
    opening->set_block_id(setup.block->block.text());
    opening->set_rotation(static_cast<uint32_t>(setup.block->rotation));
  }
  Append(record_, out);
}

void RecordEncoder::AppendSecret(const dice::Seed& seed, std::string* out) {
  SetBytes(seed.bytes, record_.mutable_secret()->mutable_seed());
  Append(record_, out);
}

void RecordEncoder::AppendRecord(const games::Game& game, const match::Record& record,
                                 std::string* out) {
  std::visit([this, &game](const auto& known) { Fill(game, known); }, record);
  Append(record_, out);
}

void RecordEncoder::Fill(const games::Game&, const match::Started& started) {
  v1::StartRecord* const start = record_.mutable_start();
  start->Clear();
  start->set_start_time_us(absl::ToUnixMicros(started.time));
  for (const std::string& nonce : started.nonces) start->add_nonces(nonce);
  for (const absl::optional<dice::NonceHash>& hash : started.nonce_hashes) {
    std::string* const bytes = start->add_nonce_hashes();
    if (hash) SetBytes(*hash, bytes);
  }
}

void RecordEncoder::Fill(const games::Game&, const match::Drawn& drawn) {
  v1::DrawRecord* const draw = record_.mutable_draw();
  draw->Clear();
  draw->set_kind(drawn.kind == games::Chance::Kind::kFirstPlayer ? v1::DRAW_KIND_FIRST_PLAYER
                                                                 : v1::DRAW_KIND_SETUP_ROLL);
  draw->set_round(static_cast<uint32_t>(drawn.round));
  draw->set_seat(static_cast<uint32_t>(drawn.seat.index()));
  SetDice(drawn.roll, draw);
}

void RecordEncoder::Fill(const games::Game& game, const match::Played& played) {
  // mutable_turn and Clear keep the memory of the message.
  v1::TurnRecord* const turn = record_.mutable_turn();
  turn->Clear();
  turn->set_number(played.number);
  turn->set_seat(static_cast<uint32_t>(played.seat.index()));
  SetDice(played.roll, turn);
  game.AppendMove(played.move, turn->mutable_move());
  turn->set_legal_count(played.legal_count);
  turn->set_digest(played.digest);
  turn->set_used_ns(absl::ToInt64Nanoseconds(played.used));
  turn->set_bank_left_ns(NanosOrZero(played.bank_left));
  if (played.timing) SetTiming(*played.timing, turn->mutable_timing());
  if (played.substituted) turn->set_substituted(ToWire(*played.substituted));
}

void RecordEncoder::Fill(const games::Game&, const match::Faulted& faulted) {
  v1::FaultRecord* const fault = record_.mutable_fault();
  fault->Clear();
  fault->set_seat(static_cast<uint32_t>(faulted.seat.index()));
  fault->set_cause(ToWire(faulted.cause));
  fault->set_number(faulted.number);
  fault->set_used_ns(absl::ToInt64Nanoseconds(faulted.used));
  fault->set_detail(faulted.detail);
  if (faulted.timing) SetTiming(*faulted.timing, fault->mutable_timing());
}

void RecordEncoder::Fill(const games::Game&, const match::Forfeited& forfeited) {
  v1::ForfeitRecord* const forfeit = record_.mutable_forfeit();
  forfeit->Clear();
  forfeit->set_seat(static_cast<uint32_t>(forfeited.seat.index()));
  forfeit->set_cause(ToWire(forfeited.cause));
  forfeit->set_number(forfeited.number);
  forfeit->set_digest(forfeited.digest);
  forfeit->set_used_ns(absl::ToInt64Nanoseconds(forfeited.used));
  forfeit->set_detail(forfeited.detail);
  if (forfeited.timing) SetTiming(*forfeited.timing, forfeit->mutable_timing());
  forfeit->set_interrupts_turn(forfeited.interrupts_turn);
}

void RecordEncoder::Fill(const games::Game&, const match::NoContest& no_contest) {
  v1::NoContestRecord* const out = record_.mutable_no_contest();
  out->Clear();
  out->set_seat(static_cast<uint32_t>(no_contest.seat.index()));
  out->set_number(no_contest.number);
  out->set_used_ns(absl::ToInt64Nanoseconds(no_contest.used));
  out->set_limit_ns(absl::ToInt64Nanoseconds(no_contest.limit));
  out->set_stall_ns(absl::ToInt64Nanoseconds(no_contest.stall));
  SetTiming(no_contest.timing, out->mutable_timing());
}

void RecordEncoder::Fill(const games::Game&, const match::Resumed& resumed) {
  v1::ResumedRecord* const out = record_.mutable_resumed();
  out->Clear();
  out->set_resume_time_us(absl::ToUnixMicros(resumed.time));
}

void RecordEncoder::Fill(const games::Game&, const match::Ended& ended) {
  v1::EndRecord* const end = record_.mutable_end();
  end->Clear();
  end->set_state(ToWire(ended.ending));
  end->set_reason(ended.reason);
  for (const int score : ended.scores) end->add_scores(score);
  for (const int rank : ended.ranks) end->add_ranks(static_cast<uint32_t>(rank));
  SetBytes(ended.seed.bytes, end->mutable_seed());
  end->set_end_time_us(absl::ToUnixMicros(ended.time));
  end->set_cancelled_by(ended.cancelled_by);
}

}  // namespace referee::replay
