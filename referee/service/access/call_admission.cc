#include "referee/service/access/call_admission.h"

#include <algorithm>
#include <iterator>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "referee/base/errors.h"
#include "referee/service/errors.h"

namespace referee::service {
namespace {

// One caller may hold at most this fraction (1/8) of the memory of all.
constexpr size_t kByteShares = 8;

constexpr size_t IndexOf(CallAdmission::Kind kind) { return static_cast<size_t>(kind); }

// The share of `all` that callers without a token may have together.
template <typename Count>
Count ShareOfAddresses(Count all) {
  return (all + limits::kShareOfAddresses - 1) / limits::kShareOfAddresses;
}

// The prefix separates accounts from addresses.
std::string KeyOf(const CallAdmission::Payer& payer) {
  const absl::string_view prefix = payer.kind == CallAdmission::Class::kAddress ? "@" : "";
  return absl::StrCat(prefix, payer.name);
}

}  // namespace

const CallLimits::Share& CallAdmission::ShareOf(Class kind) const {
  switch (kind) {
    case Class::kAccount:
      return limits_.account;
    case Class::kOrganiser:
      return limits_.organiser;
    case Class::kAddress:
      break;
  }
  return limits_.address;
}

absl::StatusOr<std::shared_ptr<CallAdmission::Ticket>> CallAdmission::Enter(const Payer& payer,
                                                                            Kind kind, int cost,
                                                                            Instant now,
                                                                            Effect effect) {
  const size_t index = IndexOf(kind);
  const bool watch = kind == Kind::kWatch;
  MutexLock lock(&mutex_);
  const Callers::iterator caller = Find(payer);
  if (!caller->bucket.Has(cost, now)) {
    return TooOften(absl::StrCat("calls of ", Quoted(payer.name), " cost more than ",
                                 caller->share.rate.per_second, " units a second, for too long"),
                    caller->bucket.Wait(cost, now));
  }
  const int changes = effect == Effect::kChange ? 1 : 0;
  if (!caller->changes.Has(changes, now)) {
    return TooOften(
        absl::StrCat(Quoted(payer.name), " joins, leaves or renews its token more than ",
                     caller->share.changes.per_second, " times a second, for too long"),
        caller->changes.Wait(changes, now));
  }
  const int share = watch ? caller->share.watches : caller->share.calls;
  if (caller->open[index] >= share) {
    if (watch) {
      return absl::ResourceExhaustedError(
          absl::StrCat(Quoted(payer.name), " watches ", share,
                       " matches and competitions, the most that it may: end one before the next"));
    }
    return absl::ResourceExhaustedError(
        absl::StrCat(share, " calls of ", Quoted(payer.name),
                     " have no answer yet, or it was not read, the most that may: "
                     "wait for answers, and read them"));
  }
  const int all = watch ? limits_.watches : limits_.calls;
  if (all_.open[index] >= all) {
    if (!watch) return TooManyCalls(all);
    return absl::ResourceExhaustedError(
        absl::StrCat(all, " observers are watching, the most that may; try again later"));
  }
  const bool address = IsAddress(*caller);
  if (address && addresses_.open[index] >= ShareOfAddresses(all)) {
    return absl::ResourceExhaustedError(
        absl::StrCat(ShareOfAddresses(all),
                     " calls or watches without a token are open, the most that may be: call again "
                     "later, or with a token"));
  }
  caller->bucket.Take(cost, now);
  caller->changes.Take(changes, now);
  ++caller->open[index];
  ++all_.open[index];
  if (address) ++addresses_.open[index];
  return std::make_shared<Ticket>(shared_from_this(), caller, kind);
}

CallAdmission::Callers::iterator CallAdmission::Find(const Payer& payer) {
  const std::string key = KeyOf(payer);
  const auto known = by_key_.find(key);
  if (known != by_key_.end() && &known->second->share == &ShareOf(payer.kind)) {
    callers_.splice(callers_.begin(), callers_, known->second);
    return known->second;
  }
  Forget();
  callers_.emplace_front(key, ShareOf(payer.kind));
  by_key_[key] = callers_.begin();
  return callers_.begin();
}

void CallAdmission::Forget() {
  if (callers_.size() < limits_.callers) return;
  // Usually there is one, since more callers are remembered than can have calls open.
  auto last = std::find_if(callers_.rbegin(), callers_.rend(), [](const Caller& caller) {
    return caller.open == std::array<int, 2>{};
  });
  if (last == callers_.rend()) return;
  const auto known = by_key_.find(last->key);
  const Callers::iterator forgotten = std::next(last).base();
  if (known != by_key_.end() && known->second == forgotten) by_key_.erase(known);
  callers_.erase(forgotten);
}

absl::Status CallAdmission::Keep(Callers::iterator caller, size_t bytes) {
  MutexLock lock(&mutex_);
  const size_t share = limits_.answer_bytes / kByteShares;
  if (caller->bytes + bytes > share) {
    return absl::ResourceExhaustedError(
        absl::StrCat("your answers that wait to be read would have more than ", share,
                     " bytes: read them, or ask for smaller pages"));
  }
  if (all_.bytes + bytes > limits_.answer_bytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("answers of all callers that wait to be read would have more than ",
                     limits_.answer_bytes, " bytes; call again later"));
  }
  const size_t most = ShareOfAddresses(limits_.answer_bytes);
  const bool address = IsAddress(*caller);
  if (address && addresses_.bytes + bytes > most) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "answers to all callers without a token that wait to be read would have more than ", most,
        " bytes: call again later, or with a token"));
  }
  caller->bytes += bytes;
  all_.bytes += bytes;
  if (address) addresses_.bytes += bytes;
  return absl::OkStatus();
}

void CallAdmission::Release(Callers::iterator caller, size_t bytes) {
  MutexLock lock(&mutex_);
  GiveBack(caller, bytes);
}

void CallAdmission::Leave(Callers::iterator caller, Kind kind, size_t bytes) {
  MutexLock lock(&mutex_);
  GiveBack(caller, bytes);
  --caller->open[IndexOf(kind)];
  --all_.open[IndexOf(kind)];
  if (IsAddress(*caller)) --addresses_.open[IndexOf(kind)];
}

void CallAdmission::GiveBack(Callers::iterator caller, size_t bytes) {
  caller->bytes -= bytes;
  all_.bytes -= bytes;
  if (IsAddress(*caller)) addresses_.bytes -= bytes;
}

int CallAdmission::open(Kind kind) const {
  MutexLock lock(&mutex_);
  return all_.open[IndexOf(kind)];
}

size_t CallAdmission::kept_bytes() const {
  MutexLock lock(&mutex_);
  return all_.bytes;
}

absl::Status CallAdmission::Ticket::Keep(size_t bytes) {
  const absl::Status kept = admission_->Keep(caller_, bytes);
  if (kept.ok()) bytes_ += bytes;
  return kept;
}

void CallAdmission::Ticket::Release(size_t bytes) {
  admission_->Release(caller_, bytes);
  bytes_ -= bytes;
}

}  // namespace referee::service
