#include "sdk/cpp/src/player.h"

#include <exception>
#include <random>
#include <utility>

namespace referee::sdk {
namespace {

constexpr size_t kNonceBytes = 32;

// 32 bytes from the system's random source: the bot's part in the dice.
std::string Nonce() {
  // To open the source costs more than to draw from it.
  thread_local std::random_device source;
  std::string nonce;
  while (nonce.size() < kNonceBytes) {
    const uint32_t word = source();
    nonce.append(reinterpret_cast<const char*>(&word), sizeof(word));
  }
  return nonce;
}

}  // namespace

template <typename Call>
bool Player::Guard(absl::string_view method, Call call, v1::BotItem* reply) {
  try {
    call();
    return true;
  } catch (const std::exception& e) {
    match_->log().Error(method, " threw: ", e.what(), "; the match is resigned");
  } catch (...) {
    match_->log().Error(method, " threw; the match is resigned");
  }
  resigned_ = true;
  reply->mutable_resign()->set_match_id(match_->id());
  return false;
}

bool Player::Take(const v1::RefereeItem& item, std::chrono::steady_clock::time_point received,
                  v1::BotItem* reply) {
  if (item.has_match_start()) return Start(item.match_start(), reply);
  if (!match_.has_value() || over_) return false;
  if (item.has_match_end()) {
    End(item.match_end().verdict());
    return false;
  }
  if (resigned_) return false;
  switch (item.kind_case()) {
    case v1::RefereeItem::kTurnRequest:
      return Choose(item.turn_request(), received, reply);
    case v1::RefereeItem::kTurnPlayed:
      return !Guard(
          "OnTurnPlayed", [&] { bot_->OnTurnPlayed(*match_, item.turn_played()); }, reply);
    case v1::RefereeItem::kSeatForfeited:
      return !Guard(
          "OnForfeit", [&] { bot_->OnForfeit(*match_, item.seat_forfeited()); }, reply);
    default:
      return false;
  }
}

bool Player::Start(const v1::MatchStart& start, v1::BotItem* reply) {
  const bool known = match_.has_value();
  match_.emplace(start, log_);
  match_->log().Info(start.has_resumed() ? "goes on, seat " : "starts, seat ", match_->seat(),
                     " of ", match_->seats());
  if (resigned_) {
    // The resignation may have been lost with the link.
    reply->mutable_resign()->set_match_id(match_->id());
    return true;
  }
  const bool started = Guard(
      "OnMatchStart",
      [&] {
        if (!known) own_bot_ = main_bot_->ForMatch(*match_);
        bot_ = own_bot_ != nullptr ? own_bot_.get() : main_bot_;
        bot_->OnMatchStart(*match_);
      },
      reply);
  if (!started) return true;
  // A match that has its position has heard from all of its bots.
  if (start.has_resumed() && start.resumed().has_position()) return false;
  reply->mutable_ready()->set_match_id(match_->id());
  reply->mutable_ready()->set_nonce(Nonce());
  return true;
}

bool Player::Choose(const v1::TurnRequest& request, std::chrono::steady_clock::time_point received,
                    v1::BotItem* reply) {
  const bool again = answer_.turn == request.turn() && answer_.position == request.position_text();
  if (!again) {
    const Turn turn(*match_, request, received);
    if (!Guard(
            "ChooseTurn", [&] { answer_.move = bot_->ChooseTurn(turn); }, reply))
      return true;
    answer_.turn = request.turn();
    answer_.position = request.position_text();
  }
  v1::MoveReply* move = reply->mutable_move();
  move->set_match_id(match_->id());
  move->set_turn(answer_.turn);
  move->set_request(request.request());
  *move->mutable_move() = answer_.move;
  return true;
}

void Player::End(const Verdict& verdict) {
  over_ = true;
  if (verdict.state() == v1::MATCH_STATE_UNSPECIFIED) {
    match_->log().Warning("ended while the link was lost");
  } else {
    match_->log().Info("ended: ", verdict.reason());
  }
  if (bot_ == nullptr) return;
  v1::BotItem unused;  // there is nothing left to resign
  Guard(
      "OnMatchEnd", [&] { bot_->OnMatchEnd(*match_, verdict); }, &unused);
}

}  // namespace referee::sdk
