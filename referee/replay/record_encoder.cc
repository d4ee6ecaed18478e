#include <variant>

#include "referee/replay/record_codec.h"

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

void Append(const ::referee::v1::Record& record, std::string* out) {
  // Only fails for messages of more than 2 GiB.
  const bool appended = record.AppendToString(out);
  static_cast<void>(appended);
}

}  // namespace

void RecordEncoder::AppendOpening(const match::Setup& setup, std::string* out) {
  ::referee::v1::OpeningRecord* const opening = record_.mutable_opening();
  opening->Clear();
  opening->set_match_id(setup.id.text());
  opening->set_create_time_us(absl::ToUnixMicros(setup.create_time));
  opening->set_game(setup.game->name().data(), setup.game->name().size());
  for (const games::Option& option : setup.game->source()) {
    ::referee::v1::OptionRecord* const written = opening->add_options();
    written->set_name(option.name);
    written->set_value(option.value);
  }
  for (const std::string& bot : setup.bots) opening->add_bots(bot);
  opening->set_per_move_ns(NanosOrZero(setup.time_control.per_move));
  opening->set_bank_ns(NanosOrZero(setup.time_control.bank));
  opening->set_increment_ns(NanosOrZero(setup.time_control.increment));
  SetBytes(setup.commitment, opening->mutable_commitment());
  if (setup.dice_source.pinned_number.has_value()) {
    opening->set_pinned_number(*setup.dice_source.pinned_number);
  } else if (setup.dice_source.pinned_seed.has_value()) {
    SetBytes(setup.dice_source.pinned_seed->bytes, opening->mutable_pinned_seed());
  }
  opening->set_referee(setup.referee);
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
  ::referee::v1::StartRecord* const start = record_.mutable_start();
  start->Clear();
  start->set_start_time_us(absl::ToUnixMicros(started.time));
  for (const std::string& nonce : started.nonces) start->add_nonces(nonce);
}

void RecordEncoder::Fill(const games::Game&, const match::Drawn& drawn) {
  ::referee::v1::DrawRecord* const draw = record_.mutable_draw();
  draw->Clear();
  draw->set_kind(drawn.kind == games::Chance::Kind::kFirstPlayer
                     ? ::referee::v1::DRAW_KIND_FIRST_PLAYER
                     : ::referee::v1::DRAW_KIND_SETUP_ROLL);
  draw->set_round(static_cast<uint32_t>(drawn.round));
  draw->set_seat(static_cast<uint32_t>(drawn.seat.index()));
  SetDice(drawn.roll, draw);
}

void RecordEncoder::Fill(const games::Game& game, const match::Played& played) {
  // Setting the oneof member that is set already, and clearing it, keeps its memory.
  ::referee::v1::TurnRecord* const turn = record_.mutable_turn();
  turn->Clear();
  turn->set_number(played.number);
  turn->set_seat(static_cast<uint32_t>(played.seat.index()));
  SetDice(played.roll, turn);
  game.AppendMove(played.move, turn->mutable_move());
  turn->set_legal_count(played.legal_count);
  turn->set_digest(played.digest);
  turn->set_used_ns(absl::ToInt64Nanoseconds(played.used));
  turn->set_bank_left_ns(NanosOrZero(played.bank_left));
}

void RecordEncoder::Fill(const games::Game&, const match::Forfeited& forfeited) {
  ::referee::v1::ForfeitRecord* const forfeit = record_.mutable_forfeit();
  forfeit->Clear();
  forfeit->set_seat(static_cast<uint32_t>(forfeited.seat.index()));
  switch (forfeited.cause) {
    case match::Cause::kTimeout:
      forfeit->set_cause(::referee::v1::FORFEIT_CAUSE_TIMEOUT);
      break;
    case match::Cause::kIllegal:
      forfeit->set_cause(::referee::v1::FORFEIT_CAUSE_ILLEGAL);
      break;
    case match::Cause::kDisconnected:
      forfeit->set_cause(::referee::v1::FORFEIT_CAUSE_DISCONNECTED);
      break;
    case match::Cause::kResigned:
      forfeit->set_cause(::referee::v1::FORFEIT_CAUSE_RESIGNED);
      break;
  }
  forfeit->set_number(forfeited.number);
  forfeit->set_digest(forfeited.digest);
  forfeit->set_used_ns(absl::ToInt64Nanoseconds(forfeited.used));
  forfeit->set_detail(forfeited.detail);
}

void RecordEncoder::Fill(const games::Game&, const match::Ended& ended) {
  ::referee::v1::EndRecord* const end = record_.mutable_end();
  end->Clear();
  switch (ended.ending) {
    case match::Ending::kFinished:
      end->set_state(::referee::v1::MATCH_STATE_FINISHED);
      break;
    case match::Ending::kVoid:
      end->set_state(::referee::v1::MATCH_STATE_VOID);
      break;
    case match::Ending::kCancelled:
      end->set_state(::referee::v1::MATCH_STATE_CANCELLED);
      break;
  }
  end->set_reason(ended.reason);
  for (const int score : ended.scores) end->add_scores(score);
  for (const int rank : ended.ranks) end->add_ranks(static_cast<uint32_t>(rank));
  SetBytes(ended.seed.bytes, end->mutable_seed());
  end->set_end_time_us(absl::ToUnixMicros(ended.time));
}

}  // namespace referee::replay
