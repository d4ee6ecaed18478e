#include "sdk/cpp/src/player.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "referee/base/text.h"

namespace referee::sdk {
namespace {

// The referee truncates Resign.reason to this length.
constexpr size_t kMaxReasonBytes = 200;

absl::Span<const uint32_t> List(const google::protobuf::RepeatedField<uint32_t>& dice) {
  return {dice.data(), static_cast<size_t>(dice.size())};
}

// The result as text, such as "; won by alice; scores: alice 16, bob -1"; empty without a result.
std::string ResultText(const Match& match, const Verdict& verdict) {
  const bool finished = verdict.state() == v1::MATCH_STATE_FINISHED &&
                        verdict.ranks_size() == match.seats() &&
                        verdict.scores_size() == match.seats();
  if (!finished) return "";
  std::vector<std::string> first;
  std::vector<std::string> scores;
  for (int seat = 0; seat < match.seats(); ++seat) {
    if (verdict.ranks(seat) == 1) first.push_back(match.bot(seat));
    scores.push_back(absl::StrCat(match.bot(seat), " ", verdict.scores(seat)));
  }
  const bool own = verdict.ranks(match.seat()) == 1;
  const char* const how = !own ? "lost to " : first.size() == 1 ? "won by " : "shared by ";
  return absl::StrCat("; ", how, absl::StrJoin(first, " and "),
                      "; scores: ", absl::StrJoin(scores, ", "));
}

// Such as "ILLEGAL".
std::string CauseText(v1::ForfeitCause cause) {
  const std::string name = v1::ForfeitCause_Name(cause);
  return name.substr(std::min(name.size(), sizeof("FORFEIT_CAUSE_") - 1));
}

}  // namespace

void Player::Resign(v1::BotItem* reply) const {
  reply->mutable_resign()->set_match_id(match_->id());
  reply->mutable_resign()->set_reason(resigned_why_);
}

template <typename Call>
bool Player::Guard(absl::string_view method, Call call, v1::BotItem* reply) {
  std::string what;
  try {
    call();
    return true;
  } catch (const std::exception& e) {
    what = absl::StrCat(method, " threw: ", e.what());
  } catch (...) {
    what = absl::StrCat(method, " threw something that is no std::exception");
  }
  match_->log().Error(what, "; the match is resigned");
  resigned_ = true;
  resigned_why_ = PlainText(what, kMaxReasonBytes);
  Resign(reply);
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
    case v1::RefereeItem::kRevealNonce:
      return Reveal(item.reveal_nonce(), reply);
    case v1::RefereeItem::kTurnRequest:
      dice_.SawTurn(item.turn_request().turn(), item.turn_request().seat(),
                    List(item.turn_request().dice()));
      return Choose(item.turn_request(), received, reply);
    case v1::RefereeItem::kTurnPlayed:
      dice_.SawTurn(item.turn_played().turn(), item.turn_played().seat(),
                    List(item.turn_played().dice()));
      return !Guard(
          "OnTurnPlayed", [&] { bot_->OnTurnPlayed(*match_, item.turn_played()); }, reply);
    case v1::RefereeItem::kSeatForfeited:
      LogForfeit(item.seat_forfeited());
      return !Guard(
          "OnForfeit", [&] { bot_->OnForfeit(*match_, item.seat_forfeited()); }, reply);
    case v1::RefereeItem::kFault:
      return TryAgain(item.fault(), reply);
    default:
      return false;
  }
}

bool Player::Start(const v1::MatchStart& start, v1::BotItem* reply) {
  const bool known = match_.has_value();
  // A match that seemed over, after a long loss of the connection, may go on after all.
  const bool anew = !known || over_;
  over_ = false;
  match_.emplace(start, log_);
  if (!known) first_told_ = start.match();
  if (nonce_ == nullptr) nonce_ = nonces_.Of(start.match());
  nonce_->NoteStart(start);
  match_->log().Info(start.has_resumed() ? "goes on, seat " : "starts, seat ", match_->seat(),
                     " of ", match_->seats());
  if (resigned_) {
    // The resignation may have been lost with the connection.
    Resign(reply);
    return true;
  }
  const bool started = Guard(
      "OnMatchStart",
      [&] {
        if (anew) own_bot_ = main_bot_->ForMatch(*match_);
        bot_ = own_bot_ != nullptr ? own_bot_.get() : main_bot_;
        bot_->OnMatchStart(*match_);
      },
      reply);
  if (!started) return true;
  if (!nonce_->IsForCommitment(start.match().commitment())) {
    TellMismatch(
        "the commitment is not the one that was told first of this match, or of its block: the "
        "seed may have been chosen by the nonces",
        reply);
    if (reply->has_resign()) return true;
  }
  if (!start.has_ready_limit()) return false;
  reply->mutable_ready()->set_match_id(match_->id());
  if (AsksNonces(start.match())) reply->mutable_ready()->set_nonce_hash(nonce_->Hash());
  return true;
}

bool Player::Reveal(const v1::RevealNonce& reveal, v1::BotItem* reply) {
  const absl::optional<std::string> nonce =
      nonce_->Reveal({reveal.nonce_hashes().begin(), reveal.nonce_hashes().end()}, match_->seat());
  if (!nonce.has_value() && !nonce_->drawn()) {
    match_->log().Warning(
        "the nonce of this match was drawn by another process of this bot, and cannot be revealed "
        "without it: the match will be forfeited");
    return false;
  }
  if (!nonce.has_value()) {
    TellMismatch(
        "the hashes that were told before the nonces are to be revealed are not those of before, "
        "or the one of this bot's seat is not its own; its nonce stays secret",
        reply);
    return reply->has_resign();
  }
  reply->mutable_nonce()->set_match_id(match_->id());
  reply->mutable_nonce()->set_nonce(*nonce);
  return true;
}

bool Player::Choose(const v1::TurnRequest& request, std::chrono::steady_clock::time_point received,
                    v1::BotItem* reply) {
  const bool again = answer_.turn == request.turn() && answer_.position == request.position_text();
  if (!again) {
    const bool retries = first_told_.policies().on_illegal().action() == v1::FAULT_ACTION_RETRY;
    if (retries && &request != &request_) {
      request_ = request;
      received_ = received;
    }
    const Turn turn(*match_, request, received);
    WarnOfWait(turn);
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

// Asks the bot again for the same turn, whose clock runs on. The log has the reason.
bool Player::TryAgain(const v1::Fault& fault, v1::BotItem* reply) {
  const bool due = fault.turn() == request_.turn() && fault.turn() == answer_.turn;
  if (fault.kind() != v1::FAULT_KIND_ILLEGAL_MOVE || !due) return false;
  answer_ = {};
  return Choose(request_, received_, reply);
}

void Player::LogForfeit(const SeatForfeited& forfeit) {
  const bool own = static_cast<int>(forfeit.seat()) == match_->seat();
  const bool known = static_cast<int>(forfeit.seat()) < match_->seats();
  const std::string who = own     ? "this bot forfeits"
                          : known ? match_->bot(static_cast<int>(forfeit.seat())) + " forfeits"
                                  : "a seat forfeits";
  match_->log().Log(own ? LogLevel::kWarning : LogLevel::kInfo, who, " in turn ", forfeit.turn(),
                    ", ", CauseText(forfeit.cause()), ": ", forfeit.detail());
}

// Warns once a match of a bot that takes more matches than it can think about.
void Player::WarnOfWait(const Turn& turn) {
  const absl::Duration waited = turn.limit() - turn.time_left();
  if (waited_ || waited <= turn.limit() / 4) return;
  waited_ = true;
  match_->log().Warning("turn ", turn.number(), " has waited ",
                        absl::FormatDuration(absl::Trunc(waited, absl::Milliseconds(1))), " of ",
                        absl::FormatDuration(turn.limit()),
                        " while the bot was at other matches: think as long as time_left() says, "
                        "or have more threads (--threads) if the bot can be called by several");
}

void Player::End(const Verdict& verdict) {
  over_ = true;
  if (verdict.state() == v1::MATCH_STATE_UNSPECIFIED) {
    match_->log().Warning("ended while the link was lost");
  } else {
    match_->log().Info("ended: ", verdict.reason(), ResultText(*match_, verdict));
  }
  if (bot_ == nullptr) return;
  v1::BotItem unused;  // there is nothing left to resign
  const std::string problem = dice_.Problem(first_told_, verdict, nonce_->part());
  if (!problem.empty()) {
    TellMismatch(problem, &unused);
  } else if (verdict.nonces_size() > 0 && !nonce_->AgreesWith(verdict)) {
    TellMismatch("the nonces are not those that another match of the block ended with", &unused);
  }
  Guard(
      "OnMatchEnd", [&] { bot_->OnMatchEnd(*match_, verdict); }, &unused);
}

// Reports only the first mismatch of a match: later ones follow from it.
void Player::TellMismatch(absl::string_view problem, v1::BotItem* reply) {
  if (dice_mismatch_) return;
  dice_mismatch_ = true;
  match_->log().Error("THE DICE DO NOT FIT: ", problem);
  Guard(
      "OnDiceMismatch", [&] { bot_->OnDiceMismatch(*match_, problem); }, reply);
}

}  // namespace referee::sdk
