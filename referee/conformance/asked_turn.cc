#include "referee/conformance/asked_turn.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "referee/base/errors.h"
#include "referee/base/text.h"
#include "referee/games/wire.h"
#include "referee/service/convert/convert.h"

namespace referee::conformance {
namespace {

void DescribeMatch(const AskedTurn& turn, v1::Match* out) {
  out->set_match_id(turn.match_id);
  out->set_state(v1::MATCH_STATE_RUNNING);
  out->set_game(std::string(turn.game->name()));
  games::WireOf(*turn.game).OptionsToWire(*turn.game, out->mutable_options());
  for (const std::string& bot : turn.bots) out->add_bots(bot);
  service::ToWire(turn.time_control, out->mutable_time_control());
  service::ToWire(absl::Now(), out->mutable_create_time());
  out->set_turns_played(turn.turn - 1);
  out->set_commitment(turn.commitment);
  out->set_pinned(turn.pinned);
  if (!(turn.policies == match::Policies())) {
    service::ToWire(turn.policies, out->mutable_policies());
  }
  if (turn.block) {
    out->mutable_block()->set_block_id(turn.block->block.text());
    out->mutable_block()->set_rotation(static_cast<uint32_t>(turn.block->rotation));
  }
}

absl::Status OtherTurnAnswered(absl::string_view field, uint32_t given, uint32_t asked) {
  return absl::InvalidArgumentError(
      absl::StrCat("move.", field, ": ", given, ", where ", asked, " was asked"));
}

std::string ResignedText(const std::string& reason) {
  return reason.empty() ? "it resigned the match"
                        : absl::StrCat("it resigned the match: ", OneLine(reason));
}

}  // namespace

std::string NewMatchId() {
  static std::random_device* const device = new std::random_device;
  std::array<uint8_t, 10> random;
  for (uint8_t& byte : random) byte = static_cast<uint8_t>((*device)());
  return MatchId::Make(absl::Now(), random.data()).text();
}

v1::RefereeItem WelcomeItem(absl::string_view bot, uint32_t max_matches) {
  v1::RefereeItem item;
  item.mutable_welcome()->set_bot(std::string(bot));
  item.mutable_welcome()->set_referee("refctl " REFEREE_VERSION);
  item.mutable_welcome()->set_max_matches(max_matches);
  return item;
}

v1::RefereeItem StartItem(const AskedTurn& turn, absl::Duration ready_limit) {
  v1::RefereeItem item;
  v1::MatchStart* const start = item.mutable_match_start();
  DescribeMatch(turn, start->mutable_match());
  start->mutable_match()->set_turns_played(0);
  start->set_seat(static_cast<uint32_t>(turn.seat().index()));
  service::ToWire(ready_limit, start->mutable_ready_limit());
  return item;
}

v1::RefereeItem ResumedItem(const AskedTurn& turn) {
  v1::RefereeItem item;
  v1::MatchStart* const start = item.mutable_match_start();
  DescribeMatch(turn, start->mutable_match());
  start->set_seat(static_cast<uint32_t>(turn.seat().index()));
  v1::Snapshot* const snapshot = start->mutable_resumed();
  *snapshot->mutable_match() = start->match();
  games::WireOf(*turn.game).PositionToWire(*turn.state, snapshot->mutable_position());
  turn.state->AppendPosition(snapshot->mutable_position_text());
  snapshot->set_seat_to_move(static_cast<uint32_t>(turn.seat().index()));
  for (const int die : turn.state->roll()) snapshot->add_dice(static_cast<uint32_t>(die));
  if (turn.bank_left < absl::InfiniteDuration()) {
    for (size_t i = 0; i < turn.bots.size(); ++i) {
      service::ToWire(turn.bank_left, snapshot->add_bank_left());
    }
  }
  snapshot->set_turn(turn.turn);
  return item;
}

v1::RefereeItem TurnItem(const AskedTurn& turn, service::MoveList list) {
  v1::RefereeItem item;
  v1::TurnRequest* const request = item.mutable_turn_request();
  const games::Wire& wire = games::WireOf(*turn.game);
  request->set_match_id(turn.match_id);
  request->set_turn(turn.turn);
  request->set_request(turn.request);
  request->set_seat(static_cast<uint32_t>(turn.seat().index()));
  for (const int die : turn.state->roll()) request->add_dice(static_cast<uint32_t>(die));
  wire.PositionToWire(*turn.state, request->mutable_position());
  turn.state->AppendPosition(request->mutable_position_text());
  service::ToWire(turn.limit, request->mutable_limit());
  if (turn.bank_left < absl::InfiniteDuration()) {
    service::ToWire(turn.bank_left, request->mutable_bank_left());
  }
  std::vector<games::Move> legal;
  turn.state->LegalMoves(&legal);
  service::LegalMovesToWire(*turn.game, legal, list, request);
  return item;
}

v1::RefereeItem CancelledItem(absl::string_view match_id) {
  v1::RefereeItem item;
  item.mutable_match_end()->set_match_id(std::string(match_id));
  item.mutable_match_end()->mutable_verdict()->set_state(v1::MATCH_STATE_CANCELLED);
  item.mutable_match_end()->mutable_verdict()->set_reason("a script asked this turn only");
  return item;
}

absl::StatusOr<games::Move> ReadMove(const AskedTurn& turn, const v1::Move& move) {
  const absl::StatusOr<games::Move> claimed =
      games::WireOf(*turn.game).MoveFromWire(*turn.game, move);
  if (!claimed.ok()) return claimed.status();
  std::vector<games::Move> legal;
  turn.state->LegalMoves(&legal);
  return turn.state->Resolve(*claimed, legal);
}

absl::StatusOr<games::Move> ReadReply(const AskedTurn& turn, const v1::MoveReply& reply) {
  if (reply.match_id() != turn.match_id) {
    return absl::InvalidArgumentError(absl::StrCat("move.match_id: ", Quoted(reply.match_id()),
                                                   " was not asked, but ", Quoted(turn.match_id)));
  }
  if (reply.turn() != turn.turn) return OtherTurnAnswered("turn", reply.turn(), turn.turn);
  if (reply.request() != turn.request) {
    return OtherTurnAnswered("request", reply.request(), turn.request);
  }
  return ReadMove(turn, reply.move());
}

namespace {

// Requests turns and assigns the answers to them. Lives for one call of AskTurns.
class TurnAsker {
 public:
  TurnAsker(absl::Span<const AskedTurn> turns, const AskTerms& terms, BotStream* stream)
      : turns_(turns), terms_(terms), stream_(*stream) {}

  // Requests turns until terms_.at_once are open. Sends all new requests in one message.
  void AskMore() {
    if (clock_.Now() >= terms_.until) return;
    std::vector<v1::RefereeItem> items;
    while (asked_.size() < static_cast<size_t>(terms_.at_once) && answers_.size() < turns_.size()) {
      const AskedTurn& turn = turns_[answers_.size()];
      if (terms_.tells_match) items.push_back(ResumedItem(turn));
      items.push_back(TurnItem(turn, terms_.list));
      asked_[turn.match_id] = {answers_.size(), clock_.Now()};
      answers_.push_back({absl::NotFoundError("it did not answer"), absl::InfiniteDuration()});
    }
    if (!items.empty()) stream_.Say(items);
  }

  // Handles an item from the bot. Ignores items that do not belong to an open request.
  void Take(const Heard& heard) {
    const bool moved = heard.item.has_move();
    if (!moved && !heard.item.has_resign()) return;
    const std::string& match_id =
        moved ? heard.item.move().match_id() : heard.item.resign().match_id();
    const auto asked = asked_.find(match_id);
    if (asked == asked_.end()) return;
    TurnAnswer& answer = answers_[asked->second.index];
    answer.after = heard.at - asked->second.when;
    answer.move = moved ? ReadReply(turns_[asked->second.index], heard.item.move())
                        : absl::NotFoundError(ResignedText(heard.item.resign().reason()));
    stream_.Say({CancelledItem(match_id)});
    asked_.erase(asked);
    ++answered_;
    if (terms_.on_answer) terms_.on_answer(answered_);
  }

  // The time left to wait for open requests.
  absl::Duration Patience() const {
    Instant next = Instant::InfiniteFuture();
    for (const auto& [id, asked] : asked_) {
      next = std::min(next, asked.when + turns_[asked.index].limit);
    }
    return next + terms_.patience - clock_.Now();
  }

  bool waits() const { return !asked_.empty(); }
  std::vector<TurnAnswer> Answers() && {
    for (const auto& [id, asked] : asked_) stream_.Say({CancelledItem(id)});
    return std::move(answers_);
  }

 private:
  struct Asked {
    size_t index = 0;
    Instant when;
  };

  const SystemClock clock_;
  const absl::Span<const AskedTurn> turns_;
  const AskTerms& terms_;
  BotStream& stream_;
  std::map<std::string, Asked> asked_;
  std::vector<TurnAnswer> answers_;
  int64_t answered_ = 0;
};

}  // namespace

std::vector<TurnAnswer> AskTurns(absl::Span<const AskedTurn> turns, const AskTerms& terms,
                                 BotStream* stream) {
  TurnAsker asker(turns, terms, stream);
  // Sends to a closed stream as well: the turns then count as not answered.
  asker.AskMore();
  while (asker.waits() && stream->open()) {
    const absl::optional<Heard> heard = stream->Hear(asker.Patience());
    if (!heard) break;
    asker.Take(*heard);
    asker.AskMore();
  }
  return std::move(asker).Answers();
}

}  // namespace referee::conformance
