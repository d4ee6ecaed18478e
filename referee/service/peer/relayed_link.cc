#include "referee/service/peer/relayed_link.h"

#include <google/protobuf/arena.h>

#include <algorithm>
#include <array>
#include <utility>

#include "referee/base/limits.h"
#include "referee/service/play/pending_requests.h"
#include "referee/service/play/said.h"
#include "referee/service/play/told_items.h"

namespace referee::service {
namespace {

using peer::v1::OwnerItem;
using peer::v1::Told;

// At least zero, in case the trusted entry sends a negative value.
absl::Duration FromWire(int64_t nanos) { return absl::Nanoseconds(std::max<int64_t>(nanos, 0)); }

match::Stalls FromWire(const peer::v1::Stalls& stalls) {
  return {FromWire(stalls.total()), FromWire(stalls.longest())};
}

Told ToldOf(const MatchId& match) {
  Told told;
  told.set_match_id(match.text());
  return told;
}

// The serialized message with one item, filled by `fill`.
template <typename Fill>
std::string Response(Fill fill) {
  std::array<char, 4096> memory;  // enough for most items
  google::protobuf::ArenaOptions options;
  options.initial_block = memory.data();
  options.initial_block_size = memory.size();
  google::protobuf::Arena arena(options);
  auto* const response = google::protobuf::Arena::CreateMessage<v1::PlayResponse>(&arena);
  fill(response->add_items());
  return response->SerializeAsString();
}

}  // namespace

RelayedLink::RelayedLink(const Clock* clock, std::shared_ptr<OwnerOutbox> outbox, uint64_t stream,
                         std::string bot, MoveList list)
    : clock_(*clock),
      outbox_(std::move(outbox)),
      stream_(stream),
      bot_name_(std::move(bot)),
      list_(list) {}

bool RelayedLink::shut() const {
  MutexLock lock(&mutex_);
  return shut_;
}

// --- Messages from the host ---

template <typename Fill>
void RelayedLink::Tell(Told told, Fill fill) {
  if (shut()) return;
  told.set_response(Response(fill));
  outbox_->Add(stream_, [&told](OwnerItem* item) { item->mutable_told()->Swap(&told); });
}

template <typename Fill>
void RelayedLink::Ask(Told told, Asking asking, Fill fill) {
  {
    MutexLock lock(&mutex_);
    if (shut_) return;
    asked_[asking.match] = {asking.turn, asking.request, clock_.Now(), absl::nullopt};
  }
  asking.link = shared_from_this();
  told.set_response(Response(fill));
  outbox_->Add(
      stream_, [&told](OwnerItem* item) { item->mutable_told()->Swap(&told); }, std::move(asking));
}

void RelayedLink::TellStart(const match::Match& match, Seat seat) {
  const auto fill = [&](v1::RefereeItem* item) { FillStart(match, seat, item); };
  const MatchId& id = match.setup().id;
  Told told = ToldOf(id);
  told.set_starts(true);
  if (!AsksReady(match)) return Tell(std::move(told), fill);
  told.set_asks(Told::ASKS_READY);
  Ask(std::move(told), {nullptr, id, PendingRequests::kReady, 0}, fill);
}

void RelayedLink::AskNonce(const match::Match& match, Seat) {
  const MatchId& id = match.setup().id;
  Told told = ToldOf(id);
  told.set_asks(Told::ASKS_NONCE);
  Ask(std::move(told), {nullptr, id, PendingRequests::kNonce, 0},
      [&](v1::RefereeItem* item) { FillRevealNonce(match, item); });
}

void RelayedLink::AskTurn(const std::shared_ptr<host::MatchRunner>& runner,
                          const match::Match& match, Seat seat) {
  const Instant now = clock_.Now();
  Told told = ToldOf(runner->id());
  told.set_when(Told::WHEN_TOGETHER);
  told.set_asks(Told::ASKS_MOVE);
  told.set_turn(match.turn());
  told.set_request(match.request());
  Ask(std::move(told), {nullptr, runner->id(), match.turn(), match.request(), runner, seat},
      [&](v1::RefereeItem* item) {
        TurnRequestToWire(match, seat, now, list_, item->mutable_turn_request());
      });
}

void RelayedLink::TellPlayed(const match::Match& match, const match::Played& played) {
  Told told = ToldOf(match.setup().id);
  // Send at once: a bot whose move was substituted may still be thinking.
  if (!played.substituted) told.set_when(Told::WHEN_LATER);
  Tell(std::move(told),
       [&](v1::RefereeItem* item) { service::ToWire(match, played, item->mutable_turn_played()); });
}

void RelayedLink::TellForfeited(const match::Match& match, const match::Forfeited& forfeited) {
  Tell(ToldOf(match.setup().id), [&](v1::RefereeItem* item) {
    service::ToWire(match, forfeited, item->mutable_seat_forfeited());
  });
}

void RelayedLink::TellEnded(const host::MatchRunner& runner) {
  const absl::optional<match::LostTurn> lost = LostTurnOf(runner, bot_name_);
  Told told = ToldOf(runner.id());
  told.set_ends(true);
  if (lost) {
    told.set_lost_turn(lost->turn);
    told.set_lost_limit(absl::ToInt64Nanoseconds(lost->limit));
  }
  {
    MutexLock lock(&mutex_);
    asked_.erase(runner.id());
    lags_.erase(runner.id().text());
    ended_.EndMatch(runner.id(), lost);
  }
  Tell(std::move(told), [&](v1::RefereeItem* item) { FillEnd(runner, item); });
}

void RelayedLink::TellFault(const match::Match& match, const match::TellFault& fault) {
  Told told = ToldOf(match.setup().id);
  told.set_fault(CountsAsFault(fault.kind));
  if (fault.kind == match::TellFault::Kind::kIllegalMove) {
    told.set_asks(Told::ASKS_MOVE);
    told.set_turn(fault.turn);
    told.set_request(match.request());
    told.set_again(true);
  }
  Tell(std::move(told), [&](v1::RefereeItem* item) {
    FillFault(match.setup().id.text(), fault.turn, ToWire(fault.kind), fault.message, item);
  });
}

void RelayedLink::QueueFault(absl::string_view match_id, uint32_t turn, v1::FaultKind kind,
                             absl::string_view message) {
  Told told;
  told.set_fault(true);
  Tell(std::move(told),
       [&](v1::RefereeItem* item) { FillFault(match_id, turn, kind, message, item); });
}

void RelayedLink::TellNotice(absl::string_view text) {
  Tell(Told(),
       [&](v1::RefereeItem* item) { item->mutable_notice()->set_text(text.data(), text.size()); });
}

void RelayedLink::Ping() {
  if (shut()) return;
  outbox_->Add(stream_, [](OwnerItem* item) { item->mutable_ping(); });
}

absl::optional<Instant> RelayedLink::answered() const {
  MutexLock lock(&mutex_);
  return answered_;
}

void RelayedLink::NoteAnswered(Instant when) {
  MutexLock lock(&mutex_);
  answered_ = when;
}

void RelayedLink::Close(const absl::Status&) {
  Shut();
  Flush();
}

void RelayedLink::Shut() {
  absl::btree_map<uint64_t, std::function<void(bool)>> reserves;
  {
    MutexLock lock(&mutex_);
    shut_ = true;
    reserves.swap(reserves_);
    asked_.clear();
    lags_.clear();
  }
  for (const auto& [number, then] : reserves) then(false);
}

// --- Slots ---

void RelayedLink::Reserve(const host::SlotsWanted& wanted, std::function<void(bool granted)> then) {
  const uint64_t number = outbox_->NextNumber();
  {
    MutexLock lock(&mutex_);
    if (!shut_) reserves_[number] = std::exchange(then, nullptr);
  }
  if (then != nullptr) return then(false);
  const bool added = outbox_->Add(stream_, [&](OwnerItem* item) {
    peer::v1::Reserve* const reserve = item->mutable_reserve();
    reserve->set_number(number);
    for (const MatchId& match : wanted.matches) reserve->add_match_ids(match.text());
    reserve->set_game(wanted.game);
    reserve->set_oldest_match_id(wanted.oldest.text());
  });
  if (added) return host::FlushScope::Flush(shared_from_this());
  peer::v1::Reserved refused;
  refused.set_number(number);
  TakeReserved(refused);
}

void RelayedLink::TakeReserved(const peer::v1::Reserved& reserved) {
  std::function<void(bool)> then;
  {
    MutexLock lock(&mutex_);
    const auto found = reserves_.find(reserved.number());
    if (found == reserves_.end()) return;
    then = std::move(found->second);
    reserves_.erase(found);
  }
  then(reserved.granted());
}

void RelayedLink::Release(const std::vector<MatchId>& matches) {
  if (shut()) return;
  outbox_->Add(stream_, [&](OwnerItem* item) {
    for (const MatchId& match : matches) {
      item->mutable_release()->add_match_ids(match.text());
    }
  });
  host::FlushScope::Flush(shared_from_this());
}

// --- Time ---

void RelayedLink::NoteSent(const Asking& asking, Instant now) {
  absl::Duration round_trip;
  {
    MutexLock lock(&mutex_);
    if (shut_) return;
    const auto found = asked_.find(asking.match);
    if (found != asked_.end() && found->second.turn == asking.turn &&
        found->second.request == asking.request) {
      found->second.sent = now;
    }
    round_trip = round_trip_;
  }
  if (asking.runner == nullptr) return;
  asking.runner->RequestSent(asking.seat, asking.turn, asking.request, now, round_trip);
}

void RelayedLink::TakeSaid(const host::Bot& bot, const v1::BotItem& item,
                           const peer::v1::BotSaid& said, Instant when) {
  if (shut()) return;
  const MatchItem about = MatchItemOf(item);
  const host::Bot::Slot slot = bot.FindSlot(about.match_id);
  if (slot.runner == nullptr) {
    absl::Status why;
    {
      MutexLock lock(&mutex_);
      why = ended_.WhyNotInMatch(about.match_id, about.turn, when);
    }
    return QueueFault(about.match_id.size() > limits::kMaxNameBytes ? "" : about.match_id,
                      about.turn, v1::FAULT_KIND_UNKNOWN_MATCH, why.message());
  }
  const Reading reading = ReadingOf(slot.runner->id(), about.answers, about.request, said, when);
  absl::StatusOr<match::Event> event = EventOf(item, slot, reading.written);
  if (!event.ok()) {
    return QueueFault(about.match_id, 0, v1::FAULT_KIND_MALFORMED, event.status().message());
  }
  slot.runner->Post(*std::move(event), reading.when, reading.stalls);
}

RelayedLink::Reading RelayedLink::ReadingOf(const MatchId& match, absl::optional<uint32_t> turn,
                                            uint32_t request, const peer::v1::BotSaid& said,
                                            Instant when) {
  MutexLock lock(&mutex_);
  if (said.round_trip() > 0) round_trip_ = FromWire(said.round_trip());
  Reading reading{when};
  const auto found = asked_.find(match);
  if (!turn || !said.has_thought() || found == asked_.end()) return reading;
  Asked& asked = found->second;
  if (asked.turn != *turn || asked.request != request || !asked.sent) return reading;
  reading.when = std::min(when, *asked.sent + FromWire(said.thought()));
  asked.lag = when - reading.when;
  if (said.has_taken()) {
    reading.written = std::min(reading.when, *asked.sent + FromWire(said.taken()));
  }
  reading.stalls = FromWire(said.stalls());
  return reading;
}

void RelayedLink::AskLag(const std::shared_ptr<host::MatchRunner>& runner, Seat seat) {
  const std::string& id = runner->id().text();
  {
    MutexLock lock(&mutex_);
    if (shut_) return;
    LagAsked question{runner, seat};
    const auto found = asked_.find(runner->id());
    if (found != asked_.end()) {
      question.turn = found->second.turn;
      question.request = found->second.request;
    }
    lags_[id].push_back(std::move(question));
  }
  outbox_->Add(stream_, [&](OwnerItem* item) { item->mutable_ask_elapsed()->set_match_id(id); });
  host::FlushScope::Flush(shared_from_this());
}

void RelayedLink::TakeElapsed(const peer::v1::Elapsed& elapsed, Instant when) {
  LagAsked question;
  absl::Duration lag;
  {
    MutexLock lock(&mutex_);
    const auto found = lags_.find(elapsed.match_id());
    if (found == lags_.end()) return;
    question = std::move(found->second.front());
    found->second.pop_front();
    if (found->second.empty()) lags_.erase(found);
    lag = LagOf(question, elapsed, when);
  }
  question.runner->NoteLag(question.seat, lag, FromWire(elapsed.stalls()));
}

absl::Duration RelayedLink::LagOf(const LagAsked& question, const peer::v1::Elapsed& elapsed,
                                  Instant when) const {
  const auto found = asked_.find(question.runner->id());
  if (found == asked_.end()) return absl::ZeroDuration();
  const Asked& asked = found->second;
  const absl::Duration seems =
      std::max(absl::ZeroDuration(), when - asked.sent.value_or(asked.queued));
  const bool same = asked.turn == question.turn && asked.request == question.request;
  // The bot has had the request for no known time, so all of it counts as lag.
  if (!same || elapsed.waits()) return seems;
  if (elapsed.has_elapsed()) {
    return std::max(absl::ZeroDuration(), seems - FromWire(elapsed.elapsed()));
  }
  // The bot has answered, but the match still waits for it.
  return asked.lag.value_or(absl::ZeroDuration());
}

}  // namespace referee::service
