#include "referee/service/admission.h"

#include <utility>

#include "referee/base/errors.h"

namespace referee::service {

Allowance::Allowance(const StreamLimits& limits)
    : limits_(limits),
      messages_(limits.messages),
      bytes_(limits.bytes),
      unasked_(limits.unasked),
      faults_(limits.faults),
      hellos_(limits.hellos) {}

absl::Status Allowance::TakeMessage(size_t bytes, Instant now) {
  MutexLock lock(&mutex_);
  if (!messages_.Take(1, now)) return TooManyMessages(limits_.messages.per_second);
  if (!bytes_.Take(static_cast<int64_t>(bytes), now)) return TooManyBytes(limits_.bytes.per_second);
  return absl::OkStatus();
}

absl::Status Allowance::TakeUnasked(int items, Instant now) {
  MutexLock lock(&mutex_);
  if (unasked_.Take(items, now)) return absl::OkStatus();
  return TooMuchUnasked(limits_.unasked.per_second);
}

absl::Status Allowance::TakeFault(Instant now) {
  MutexLock lock(&mutex_);
  if (faults_.Take(1, now)) return absl::OkStatus();
  return TooManyFaults(limits_.faults.per_second);
}

absl::StatusOr<uint64_t> Admission::Enter(std::weak_ptr<host::Link> stream) {
  std::shared_ptr<host::Link> makes_room;
  uint64_t ticket;
  {
    MutexLock lock(&mutex_);
    if (streams_ >= limits_.streams) return TooManyStreams(limits_.streams);
    ++streams_;
    ticket = ++last_ticket_;
    if (silent_.size() >= static_cast<size_t>(limits_.silent_streams)) {
      // It counts as a stream until it is done with.
      makes_room = silent_.begin()->second.lock();
      silent_.erase(silent_.begin());
    }
    silent_.emplace(ticket, std::move(stream));
  }
  if (makes_room != nullptr) makes_room->Close(TooManySilentStreams(limits_.silent_streams));
  return ticket;
}

absl::StatusOr<std::shared_ptr<Allowance>> Admission::Greet(uint64_t ticket, absl::string_view bot,
                                                            Instant now) {
  MutexLock lock(&mutex_);
  std::shared_ptr<Allowance>& allowance = bots_[bot];
  if (allowance == nullptr) allowance = std::make_shared<Allowance>(limits_);
  if (!allowance->hellos_.Take(1, now)) return TooManyHellos(bot, limits_.hellos.per_second);
  if (allowance->streams_ >= limits_.streams_per_bot) {
    return TooManyStreamsOfBot(bot, limits_.streams_per_bot);
  }
  silent_.erase(ticket);
  ++allowance->streams_;
  greeted_.emplace(ticket, allowance);
  return allowance;
}

void Admission::Leave(uint64_t ticket) {
  MutexLock lock(&mutex_);
  --streams_;
  silent_.erase(ticket);
  const auto greeted = greeted_.find(ticket);
  if (greeted == greeted_.end()) return;
  --greeted->second->streams_;
  greeted_.erase(greeted);
}

}  // namespace referee::service
