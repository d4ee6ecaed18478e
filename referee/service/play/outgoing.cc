#include "referee/service/play/outgoing.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/service/step.h"

namespace referee::service {
namespace {

// Few enough that the bot is never disconnected as too slow for them.
constexpr size_t kMostNews = 128;

// How long a turn may wait, for a bot that answers at once.
constexpr absl::Duration kHoldLimit = absl::Milliseconds(1);

}  // namespace

void Outgoing::MakeRoomFor(int matches) {
  bytes_limit_ = std::max(bytes_limit_, limits_.queued_bytes + static_cast<size_t>(matches) *
                                                                   limits_.queued_bytes_per_match);
}

absl::Status Outgoing::CheckRoom() const {
  const bool many_items = outbox_.items() >= limits_.queued_items;
  if (!many_items && outbox_.bytes() < bytes_limit_) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(
      many_items ? limits_.queued_items : bytes_limit_, many_items ? " items" : " bytes",
      " wait to be read: read the stream all the time"));
}

Batch* Outgoing::AddBytes(When when, absl::string_view response) {
  Batch& batch = outbox_.Filling();
  batch.AddBytes(response);
  if (when == When::kNow) batch.SetDue();
  return &batch;
}

std::unique_ptr<Batch> Outgoing::TakeDue(Instant now, const OwedAnswers& owed) {
  if (outbox_.empty()) return nullptr;
  if (outbox_.due() || outbox_.items() >= kMostNews) return TakeAny();
  waiting_since_ = std::min(waiting_since_, now);
  if (outbox_.asks() > 0) asks_since_ = std::min(asks_since_, now);
  return now >= SendAt(owed) ? TakeAny() : nullptr;
}

std::unique_ptr<Batch> Outgoing::TakeAny() {
  waiting_since_ = asks_since_ = Instant::InfiniteFuture();
  if (outbox_.empty()) return nullptr;
  writing_ = true;
  std::unique_ptr<Batch> batch = outbox_.Take();
  writing_bytes_ = batch->bytes();
  return batch;
}

void Outgoing::EndWrite(std::unique_ptr<Batch> batch, bool ok) {
  writing_ = false;
  writing_bytes_ = 0;
  outbox_.Reuse(std::move(batch));
  if (!ok) outbox_.Clear();
}

std::vector<Batch::Asked> Outgoing::NoteWaiting(Instant now) {
  if (!writing_) {
    outbox_.Hold(now);
    return {};
  }
  std::vector<Batch::Asked> waiting = outbox_.Offer(now);
  if (!waiting.empty()) asks_since_ = std::min(asks_since_, now);
  return waiting;
}

Instant Outgoing::SendAt(const OwedAnswers& owed) const {
  const size_t asks = outbox_.asks();
  if (asks == 0) return NextStep(kWakeLimit, waiting_since_);
  return owed.HoldsBack(asks) ? NextStep(kHoldLimit, asks_since_) : asks_since_;
}

bool Outgoing::WakesAt(Instant when) {
  if (when >= wake_at_) return false;
  wake_at_ = when;
  return true;
}

absl::optional<Instant> Outgoing::NewWake(const OwedAnswers& owed) {
  if (writing_ || outbox_.empty() || !WakesAt(SendAt(owed))) return absl::nullopt;
  return wake_at_;
}

absl::optional<size_t> Outgoing::ChangedBytes() {
  const size_t bytes = outbox_.bytes() + writing_bytes_;
  if (bytes == reported_bytes_) return absl::nullopt;
  reported_bytes_ = bytes;
  return bytes;
}

}  // namespace referee::service
