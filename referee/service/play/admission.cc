#include "referee/service/play/admission.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/service/client_address.h"
#include "referee/service/errors.h"

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
  if (!messages_.Take(1, now)) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "more than ", limits_.messages.per_second,
        " messages a second: say what is asked for, and what is ready in one message"));
  }
  if (!bytes_.Take(static_cast<int64_t>(bytes), now)) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "more than ", limits_.bytes.per_second, " bytes a second: say only what is asked for"));
  }
  return absl::OkStatus();
}

absl::Status Allowance::TakeUnasked(int items, Instant now) {
  MutexLock lock(&mutex_);
  if (unasked_.Take(items, now)) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("more than ", limits_.unasked.per_second,
                   " items a second that nobody asked for, such as empty messages, moves in turns "
                   "that are not due, resignations: say only what is asked for"));
}

absl::Status Allowance::TakeFault(Instant now) {
  MutexLock lock(&mutex_);
  if (faults_.Take(1, now)) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("more than ", limits_.faults.per_second,
                   " faults a second, for too long; see the Fault items"));
}

absl::StatusOr<uint64_t> Admission::Enter(std::weak_ptr<host::Link> stream,
                                          absl::string_view peer) {
  std::string address = ClientAddress(peer);
  std::shared_ptr<host::Link> makes_room;
  uint64_t ticket;
  {
    MutexLock lock(&mutex_);
    if (streams_ >= limits_.streams) {
      return absl::ResourceExhaustedError(
          absl::StrCat(limits_.streams, " streams are open, the most that are; try again later"));
    }
    ++streams_;
    ticket = ++last_ticket_;
    if (silent_.size() >= static_cast<size_t>(limits_.silent_streams)) {
      // The closed stream still counts in streams_ until it leaves.
      makes_room = silent_.begin()->second.stream.lock();
      silent_.erase(silent_.begin());
    }
    silent_.emplace(ticket, Silent{std::move(stream), std::move(address)});
  }
  if (makes_room != nullptr) {
    makes_room->Close(absl::ResourceExhaustedError(
        absl::StrCat("more than ", limits_.silent_streams,
                     " streams have not said hello, and this one for longest: say it at once")));
  }
  return ticket;
}

absl::StatusOr<std::shared_ptr<Allowance>> Admission::Greet(uint64_t ticket, absl::string_view bot,
                                                            Instant now) {
  MutexLock lock(&mutex_);
  const std::shared_ptr<Allowance>& allowance = AllowanceOf(bot);
  if (absl::Status may = TakeHello(bot, allowance.get(), now); !may.ok()) return may;
  if (allowance->streams_ >= limits_.streams_per_bot) {
    return absl::ResourceExhaustedError(
        absl::StrCat("bot ", Quoted(bot), " has ", limits_.streams_per_bot,
                     " streams that are not done with, the most that it may: one is enough"));
  }
  ++allowance->streams_;
  Greeted greeted;
  greeted.allowance = allowance;
  const auto silent = silent_.find(ticket);
  if (silent != silent_.end()) {
    greeted.stream = std::move(silent->second.stream);
    silent_.erase(silent);
  }
  greeted_.emplace(ticket, std::move(greeted));
  return allowance;
}

absl::Status Admission::TakeVersion(absl::string_view bot, Instant now) {
  MutexLock lock(&mutex_);
  return TakeHello(bot, AllowanceOf(bot).get(), now);
}

absl::Status Admission::TakeHello(absl::string_view bot, Allowance* allowance, Instant now) {
  if (allowance->hellos_.Take(1, now)) return absl::OkStatus();
  return TooOften(absl::StrCat("bot ", Quoted(bot), " connects more than ",
                               limits_.hellos.per_second, " times a second, for too long"),
                  allowance->hellos_.Wait(1, now));
}

std::shared_ptr<Allowance>& Admission::AllowanceOf(absl::string_view bot) {
  std::shared_ptr<Allowance>& allowance = bots_[bot];
  if (allowance == nullptr) allowance = std::make_shared<Allowance>(limits_);
  return allowance;
}

absl::Status Admission::TakeBadToken(uint64_t ticket, Instant now) {
  MutexLock lock(&mutex_);
  const auto silent = silent_.find(ticket);
  if (silent == silent_.end()) return absl::OkStatus();
  const std::string& address = silent->second.address;
  auto bad = bad_tokens_.find(address);
  if (bad == bad_tokens_.end()) {
    ForgetAddresses(now);
    if (bad_tokens_.size() >= limits_.bad_addresses) return absl::OkStatus();
    bad = bad_tokens_.try_emplace(address, limits_.bad_tokens).first;
  }
  if (bad->second.Take(1, now)) return absl::OkStatus();
  return TooOften(absl::StrCat("tokens that are not known come from ", address, " more than ",
                               limits_.bad_tokens.per_second,
                               " times a second, for too long, and this one is not known either: "
                               "mend or stop the bot that sends them"),
                  bad->second.Wait(1, now));
}

bool Admission::TakeLookUp(Instant now) {
  MutexLock lock(&mutex_);
  return look_ups_.Take(1, now);
}

void Admission::ForgetAddresses(Instant now) {
  if (bad_tokens_.size() < limits_.bad_addresses) return;
  for (auto it = bad_tokens_.begin(); it != bad_tokens_.end();) {
    const auto address = it++;
    if (address->second.Has(limits_.bad_tokens.burst, now)) bad_tokens_.erase(address);
  }
}

std::shared_ptr<host::Link> Admission::NoteQueued(uint64_t ticket, size_t bytes) {
  MutexLock lock(&mutex_);
  const auto greeted = greeted_.find(ticket);
  if (greeted == greeted_.end() || greeted->second.closed) return nullptr;
  queued_ = queued_ - greeted->second.queued + bytes;
  greeted->second.queued = bytes;
  if (queued_ <= limits_.queued_bytes_of_all) return nullptr;
  Greeted& most =
      std::max_element(greeted_.begin(), greeted_.end(), [](const auto& a, const auto& b) {
        return a.second.queued < b.second.queued;
      })->second;
  // Its bytes no longer count, so no other stream is closed while this one ends.
  queued_ -= std::exchange(most.queued, 0);
  most.closed = true;
  return most.stream.lock();
}

void Admission::Leave(uint64_t ticket) {
  MutexLock lock(&mutex_);
  --streams_;
  silent_.erase(ticket);
  const auto greeted = greeted_.find(ticket);
  if (greeted == greeted_.end()) return;
  queued_ -= greeted->second.queued;
  --greeted->second.allowance->streams_;
  greeted_.erase(greeted);
}

}  // namespace referee::service
