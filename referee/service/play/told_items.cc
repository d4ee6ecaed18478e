#include "referee/service/play/told_items.h"

#include <algorithm>
#include <string>
#include <vector>

#include "referee/service/convert/convert.h"

namespace referee::service {

void FillStart(const match::Match& match, Seat seat, v1::RefereeItem* item) {
  v1::MatchStart* const start = item->mutable_match_start();
  MatchToWire(match, start->mutable_match());
  start->set_seat(static_cast<uint32_t>(seat.index()));
  if (match.stage() == match::Match::Stage::kPlaying) {
    SnapshotToWire(match, start->mutable_resumed());
  } else if (AsksReady(match)) {
    ToWire(match.setup().time_control.ready, start->mutable_ready_limit());
  }
}

void FillRevealNonce(const match::Match& match, v1::RefereeItem* item) {
  v1::RevealNonce* const reveal = item->mutable_reveal_nonce();
  reveal->set_match_id(match.setup().id.text());
  HashesToWire(match.nonce_hashes(), reveal->mutable_nonce_hashes());
  ToWire(match.setup().time_control.ready, reveal->mutable_limit());
}

void FillEnd(const host::MatchRunner& runner, v1::RefereeItem* item) {
  item->mutable_match_end()->set_match_id(runner.id().text());
  VerdictToWire(runner, item->mutable_match_end()->mutable_verdict());
}

void FillFault(absl::string_view match_id, uint32_t turn, v1::FaultKind kind,
               absl::string_view message, v1::RefereeItem* item) {
  v1::Fault* const out = item->mutable_fault();
  out->set_match_id(match_id.data(), match_id.size());
  out->set_turn(turn);
  out->set_kind(kind);
  out->set_message(message.data(), message.size());
}

v1::FaultKind ToWire(match::TellFault::Kind kind) {
  switch (kind) {
    case match::TellFault::Kind::kWrongTurn:
      return v1::FAULT_KIND_WRONG_TURN;
    case match::TellFault::Kind::kUnexpectedReady:
      return v1::FAULT_KIND_UNEXPECTED_READY;
    case match::TellFault::Kind::kIllegalMove:
      return v1::FAULT_KIND_ILLEGAL_MOVE;
    case match::TellFault::Kind::kReplacedRequest:
      return v1::FAULT_KIND_REPLACED_REQUEST;
    case match::TellFault::Kind::kUnexpectedNonce:
      return v1::FAULT_KIND_UNEXPECTED_NONCE;
    case match::TellFault::Kind::kWrongNonce:
      return v1::FAULT_KIND_WRONG_NONCE;
  }
  return v1::FAULT_KIND_UNSPECIFIED;
}

bool CountsAsFault(match::TellFault::Kind kind) {
  return kind != match::TellFault::Kind::kIllegalMove &&
         kind != match::TellFault::Kind::kReplacedRequest;
}

bool AsksReady(const match::Match& match) {
  return match.stage() == match::Match::Stage::kReadying;
}

absl::optional<match::LostTurn> LostTurnOf(const host::MatchRunner& runner, absl::string_view bot) {
  if (runner.match() == nullptr) return absl::nullopt;
  const std::vector<std::string>& bots = runner.match()->setup().bots;
  const auto seat = std::find(bots.begin(), bots.end(), bot);
  if (seat == bots.end()) return absl::nullopt;
  return runner.match()->lost_turn(Seat(static_cast<int>(seat - bots.begin())));
}

}  // namespace referee::service
