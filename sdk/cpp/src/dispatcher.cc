#include "sdk/cpp/src/dispatcher.h"

#include <algorithm>
#include <utility>

#include "absl/types/optional.h"

namespace referee::sdk {
namespace {

// A bot that answers faster probably has its next reply before a write is worth its cost of some
// dozens of microseconds.
constexpr auto kQuick = std::chrono::microseconds(100);

// The time for which the delivering thread calls the bot itself. Nothing is read meanwhile.
constexpr auto kAtOnce = std::chrono::milliseconds(1);

const std::string& MatchId(const v1::RefereeItem& item) {
  static const std::string* const kNone = new std::string();
  switch (item.kind_case()) {
    case v1::RefereeItem::kMatchStart:
      return item.match_start().match().match_id();
    case v1::RefereeItem::kRevealNonce:
      return item.reveal_nonce().match_id();
    case v1::RefereeItem::kTurnRequest:
      return item.turn_request().match_id();
    case v1::RefereeItem::kTurnPlayed:
      return item.turn_played().match_id();
    case v1::RefereeItem::kSeatForfeited:
      return item.seat_forfeited().match_id();
    case v1::RefereeItem::kMatchEnd:
      return item.match_end().match_id();
    case v1::RefereeItem::kFault:
      // Faults of other kinds need no action.
      if (item.fault().kind() == v1::FAULT_KIND_ILLEGAL_MOVE) return item.fault().match_id();
      return *kNone;
    default:
      return *kNone;
  }
}

// The end of a match that the referee no longer announces.
Delivery ForgottenEnd(const std::string& match_id) {
  const auto batch = std::make_shared<Batch>(/*stream_number=*/0);
  v1::RefereeItem* item = batch->message->add_items();
  item->mutable_match_end()->set_match_id(match_id);
  return {batch, item};
}

}  // namespace

Dispatcher::Dispatcher(Bot* bot, Logger log, ReplySink* mouth, Players players, Now now)
    : bot_(bot), log_(std::move(log)), mouth_(mouth), players_(players), now_(std::move(now)) {}

void Dispatcher::ForgetAllBut(uint64_t stream) {
  MutexLock lock(&mutex_);
  for (const auto& [match_id, table] : tables_) {
    if (table->stream != stream) Put(match_id, ForgottenEnd(match_id));
  }
  work_.NotifyAll();
}

void Dispatcher::Deliver(const std::shared_ptr<const Batch>& batch) {
  int wake = 0;
  bool plays = false;
  {
    MutexLock lock(&mutex_);
    const size_t ready_before = ready_.size();
    for (const v1::RefereeItem& item : batch->message->items()) {
      const std::string& match_id = MatchId(item);
      if (!match_id.empty()) Put(match_id, {batch, &item});
    }
    if (players_ == Players::kDeliverer) {
      plays = !taken_ && !ready_.empty();
      taken_ = taken_ || plays;
    } else {
      wake = std::min<int>(idle_, static_cast<int>(ready_.size() - ready_before));
    }
  }
  if (plays) PlayAtOnce();
  for (; wake > 0; --wake) work_.NotifyOne();
}

void Dispatcher::Put(const std::string& match_id, Delivery delivery) {
  auto found = tables_.find(match_id);
  if (found == tables_.end() && delivery.item->has_match_start()) {
    found =
        tables_.emplace(match_id, std::make_shared<Table>(match_id, bot_, log_, &nonces_)).first;
  }
  if (found == tables_.end()) return;
  Table& table = *found->second;
  if (delivery.item->has_match_start()) table.stream = delivery.batch->stream;
  table.inbox.push_back(std::move(delivery));
  if (table.scheduled) return;
  table.scheduled = true;
  ready_.push_back(found->second);
}

// A reply does not wait for the bot to think in another match. But while a quick bot has more to
// handle, its replies go out together. The last item sends them all; if that takes too long,
// another thread sends them.
void Dispatcher::Work() {
  v1::BotItem reply;
  Delivery delivery;
  absl::optional<uint64_t> unsent;  // a stream with queued replies
  bool again = false;
  while (const std::shared_ptr<Table> table = NextTable(again, &delivery)) {
    again = true;
    const auto begun = now_();
    const uint64_t stream = delivery.batch->stream;
    const bool said = Play(table.get(), delivery, &reply);
    if (said) unsent = stream;
    const bool others_wait = PutBack(table);
    if (!unsent) continue;
    if (!others_wait || now_() - begun >= kQuick) {
      mouth_->Send(*unsent);
      unsent.reset();
    } else if (said) {
      mouth_->SendSoon(stream);
    }
  }
}

bool Dispatcher::Play(Table* table, const Delivery& delivery, v1::BotItem* reply) {
  reply->Clear();
  const bool said = MayAsk(*table, delivery) &&
                    table->player.Take(*delivery.item, delivery.batch->received, reply) &&
                    (!reply->has_move() || MayAsk(*table, delivery));
  if (said) mouth_->Say(delivery.batch->stream, reply);
  return said;
}

void Dispatcher::PlayAtOnce() {
  v1::BotItem reply;
  Delivery delivery;
  absl::optional<uint64_t> unsent;
  const auto begun = now_();
  auto sent = begun;
  auto now = begun;
  while (const std::shared_ptr<Table> table = NextAtOnce(now - begun >= kAtOnce, &delivery)) {
    const uint64_t stream = delivery.batch->stream;
    if (unsent && unsent != stream) mouth_->Send(*std::exchange(unsent, absl::nullopt));
    if (Play(table.get(), delivery, &reply)) unsent = stream;
    PutBack(table);
    now = now_();
    if (unsent && now - sent >= kQuick) {
      mouth_->Send(*std::exchange(unsent, absl::nullopt));
      sent = now;
    }
  }
  if (unsent) mouth_->Send(*unsent);
}

// A request that a later one replaces must not be answered: its position may be outdated.
bool Dispatcher::MayAsk(const Table& table, const Delivery& delivery) {
  if (!delivery.item->has_turn_request()) return true;
  MutexLock lock(&mutex_);
  if (closed_) return false;
  return std::none_of(table.inbox.begin(), table.inbox.end(),
                      [](const Delivery& later) { return later.item->has_turn_request(); });
}

std::shared_ptr<Dispatcher::Table> Dispatcher::NextTable(bool again, Delivery* delivery) {
  MutexLock lock(&mutex_);
  if (again) taken_ = false;
  while (taken_ || ready_.empty()) {
    if (closed_ && !taken_) return nullptr;
    ++idle_;
    work_.Wait(&mutex_);
    --idle_;
  }
  taken_ = players_ == Players::kDeliverer;
  return TakeReady(delivery);
}

std::shared_ptr<Dispatcher::Table> Dispatcher::NextAtOnce(bool leaves, Delivery* delivery) {
  MutexLock lock(&mutex_);
  if (!leaves && !ready_.empty()) return TakeReady(delivery);
  taken_ = false;
  if (!ready_.empty() || closed_) work_.NotifyOne();
  return nullptr;
}

std::shared_ptr<Dispatcher::Table> Dispatcher::TakeReady(Delivery* delivery) {
  std::shared_ptr<Table> table = std::move(ready_.front());
  ready_.pop_front();
  *delivery = std::move(table->inbox.front());
  table->inbox.pop_front();
  return table;
}

bool Dispatcher::PutBack(const std::shared_ptr<Table>& table) {
  MutexLock lock(&mutex_);
  if (!table->inbox.empty()) {
    ready_.push_back(table);
  } else {
    table->scheduled = false;
    if (table->player.over()) {
      if (table->player.dice_mismatch()) ++dice_mismatches_;
      tables_.erase(table->match_id);
    }
  }
  return ready_.size() > static_cast<size_t>(idle_);
}

int Dispatcher::dice_mismatches() const {
  MutexLock lock(&mutex_);
  return dice_mismatches_;
}

void Dispatcher::Close() {
  MutexLock lock(&mutex_);
  closed_ = true;
  work_.NotifyAll();
}

}  // namespace referee::sdk
