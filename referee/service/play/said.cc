#include "referee/service/play/said.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/base/text.h"
#include "referee/games/wire.h"
#include "referee/host/match_runner.h"
#include "referee/service/play/pending_requests.h"

namespace referee::service {
namespace {

// The stored length of a resignation's reason, in bytes, as bot_service.proto specifies.
constexpr size_t kMaxResignReason = 200;

absl::StatusOr<games::Move> ReadMove(const games::Game& game, const v1::Move& move) {
  return games::WireOf(game).MoveFromWire(game, move);
}

}  // namespace

bool IsOfMatch(const v1::BotItem& item) {
  switch (item.kind_case()) {
    case v1::BotItem::kReady:
    case v1::BotItem::kNonce:
    case v1::BotItem::kMove:
    case v1::BotItem::kResign:
      return true;
    default:
      return false;
  }
}

MatchItem MatchItemOf(const v1::BotItem& item) {
  switch (item.kind_case()) {
    case v1::BotItem::kReady:
      return {item.ready().match_id(), 0, PendingRequests::kReady, 0};
    case v1::BotItem::kNonce:
      return {item.nonce().match_id(), 0, PendingRequests::kNonce, 0};
    case v1::BotItem::kMove:
      return {item.move().match_id(), item.move().turn(), item.move().turn(),
              item.move().request()};
    default:
      return {item.resign().match_id(), 0, absl::nullopt, 0};
  }
}

absl::StatusOr<match::Event> EventOf(const v1::BotItem& item, const host::Bot::Slot& slot,
                                     Instant written) {
  switch (item.kind_case()) {
    case v1::BotItem::kReady: {
      const std::string& raw = item.ready().nonce_hash();
      const absl::optional<dice::NonceHash> hash = dice::FromRaw(raw);
      if (!hash && !raw.empty()) {
        return absl::InvalidArgumentError(
            absl::StrCat("ready.nonce_hash: ", raw.size(),
                         " bytes; the SHA-256 of the nonce has 32, and no hash has none"));
      }
      return match::ReadyReceived{slot.seat, hash};
    }
    case v1::BotItem::kNonce: {
      const std::string& nonce = item.nonce().nonce();
      if (nonce.size() > limits::kMaxNonceBytes) {
        return absl::InvalidArgumentError(
            absl::StrCat("nonce.nonce: ", nonce.size(), " bytes; at most 32 are allowed"));
      }
      return match::NonceReceived{slot.seat, nonce};
    }
    case v1::BotItem::kMove: {
      const v1::MoveReply& reply = item.move();
      const absl::StatusOr<games::Move> move = ReadMove(*slot.runner->request().game, reply.move());
      if (move.ok()) {
        return match::Replied{slot.seat, reply.turn(), *move, written, reply.request()};
      }
      return match::RepliedUnreadably{slot.seat, reply.turn(), move.status(), written,
                                      reply.request()};
    }
    default:
      return match::Resigned{slot.seat, PlainText(item.resign().reason(), kMaxResignReason)};
  }
}

}  // namespace referee::service
