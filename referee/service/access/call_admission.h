// Admission control for calls other than bot streams: rate, open calls, and memory of answers.
//
// The limits apply to each caller and to all together. Refusing a call is cheap: nothing is read,
// allocated or remembered for it.
//
//   auto admission = std::make_shared<CallAdmission>(limits);
//   auto ticket = admission->Enter({CallAdmission::Class::kAddress, "10.0.0.7"}, Kind::kCall,
//                                  /*cost=*/5, now);
//   if (!ticket.ok()) return ticket.status();
//   if (Status s = (*ticket)->Keep(bytes); !s.ok()) return s;  // an answer of so many bytes
//   ...                                                        // the ticket is dropped at the end
#ifndef REFEREE_SERVICE_ACCESS_CALL_ADMISSION_H_
#define REFEREE_SERVICE_ACCESS_CALL_ADMISSION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/base/limits.h"
#include "referee/base/mutex.h"
#include "referee/service/play/token_bucket.h"

namespace referee::service {

// The limits of calls, from base/limits.h.
struct CallLimits {
  // The limits of one caller, by class.
  struct Share {
    limits::Rate rate;  // in units of cost: see AccessRule
    int calls;          // open at once
    int watches;        // open at once
    limits::Rate changes = limits::kAccountChanges;
  };
  Share address{limits::kAddressCalls, limits::kMaxCallsPerAddress, limits::kMaxWatchesPerAddress};
  Share account{limits::kAccountCalls, limits::kMaxCallsPerAccount, limits::kMaxWatchesPerAccount};
  Share organiser{limits::kOrganiserCalls, limits::kMaxCallsPerOrganiser, limits::kMaxObservers,
                  /*changes=*/limits::kOrganiserCalls};
  uint32_t page_size_without_token = limits::kMaxPageSizeWithoutToken;
  // The limits of all callers together.
  int calls = limits::kMaxCalls;
  int watches = limits::kMaxObservers;
  size_t answer_bytes = limits::kMaxAnswerBytes;
  // How many callers without open calls are remembered.
  size_t callers = limits::kMaxKnownCallers;
  // How long a call may be open, and how long a written watch message or replay chunk may stay
  // unread.
  absl::Duration patience = limits::kCallPatience;
};

// Thread-safe.
class CallAdmission : public std::enable_shared_from_this<CallAdmission> {
 public:
  // Who is charged: the account of a valid token, or else the address, shared by all its callers.
  enum class Class { kAddress, kAccount, kOrganiser };
  struct Payer {
    Class kind = Class::kAddress;
    std::string name;  // of the account; of the address, see ClientAddress
  };
  enum class Kind { kCall, kWatch };
  // Whether a call changes its payer's own account in the store.
  enum class Effect { kNone, kChange };
  class Ticket;

  explicit CallAdmission(const CallLimits& limits) : limits_(limits) {}
  CallAdmission(const CallAdmission&) = delete;
  CallAdmission& operator=(const CallAdmission&) = delete;

  // Charges a call of `cost` to the payer's rate, and a change also one to its rate of changes.
  // Returns a ticket to hold while the call is open, or ResourceExhausted. That error says when to
  // call again if the rate is exceeded. REQUIRES: a shared_ptr holds this; tickets share it.
  absl::StatusOr<std::shared_ptr<Ticket>> Enter(const Payer& payer, Kind kind, int cost,
                                                Instant now, Effect effect = Effect::kNone);

  // The bytes of memory charged by Keep and not released.
  size_t kept_bytes() const;
  // The number of open calls of this kind.
  int open(Kind kind) const;

 private:
  struct Caller {
    Caller(std::string name, const CallLimits::Share& allowed)
        : key(std::move(name)), share(allowed), bucket(allowed.rate), changes(allowed.changes) {}

    const std::string key;
    const CallLimits::Share& share;
    TokenBucket bucket;
    TokenBucket changes;
    std::array<int, 2> open{};  // by Kind
    size_t bytes = 0;           // charged by Keep
  };
  using Callers = std::list<Caller>;  // the latest caller first
  // The sum over several callers.
  struct Use {
    std::array<int, 2> open{};  // by Kind
    size_t bytes = 0;           // charged by Keep
  };

  // Returns the payer's caller, created if necessary.
  Callers::iterator Find(const Payer& payer) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // If there are too many callers, forgets the one without open calls that called longest ago.
  void Forget() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Keep(Callers::iterator caller, size_t bytes);
  void Release(Callers::iterator caller, size_t bytes);
  void Leave(Callers::iterator caller, Kind kind, size_t bytes);
  void GiveBack(Callers::iterator caller, size_t bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  const CallLimits::Share& ShareOf(Class kind) const;
  bool IsAddress(const Caller& caller) const { return &caller.share == &limits_.address; }

  const CallLimits limits_;
  mutable Mutex mutex_;
  Callers callers_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::string, Callers::iterator> by_key_ ABSL_GUARDED_BY(mutex_);
  Use all_ ABSL_GUARDED_BY(mutex_);
  Use addresses_ ABSL_GUARDED_BY(mutex_);  // the part of callers without a token
};

// Represents an open call. Its destruction ends the call and releases its memory charge.
// Thread-compatible.
class CallAdmission::Ticket {
 public:
  Ticket(std::shared_ptr<CallAdmission> admission, Callers::iterator caller, Kind kind)
      : admission_(std::move(admission)), caller_(caller), kind_(kind) {}
  ~Ticket() { admission_->Leave(caller_, kind_, bytes_); }
  Ticket(const Ticket&) = delete;
  Ticket& operator=(const Ticket&) = delete;

  // Charges `bytes` more. Returns ResourceExhausted and charges nothing if the answers of this
  // caller, or of all callers, would exceed their limit.
  absl::Status Keep(size_t bytes);
  // Releases `bytes`. REQUIRES: they were charged.
  void Release(size_t bytes);

 private:
  const std::shared_ptr<CallAdmission> admission_;
  const Callers::iterator caller_;
  const Kind kind_;
  size_t bytes_ = 0;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCESS_CALL_ADMISSION_H_
