// Admission control for calls other than streams of bots: how often each caller may call, how many
// of its calls may be open at once, and how much memory their answers may keep. Refusing is cheap:
// nothing is read, made or remembered for a refused call.
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

// The limits of calls. See base/limits.h.
struct CallLimits {
  // What a caller of one class may do.
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
  // Of all callers together.
  int calls = limits::kMaxCalls;
  int watches = limits::kMaxObservers;
  size_t answer_bytes = limits::kMaxAnswerBytes;
  // Callers that are remembered, besides those with something open.
  size_t callers = limits::kMaxKnownCallers;
  // How long a call may be open, a watch may not read what was written, or a chunk of a replay may
  // wait for its reader.
  absl::Duration patience = limits::kCallPatience;
};

// Thread-safe.
class CallAdmission : public std::enable_shared_from_this<CallAdmission> {
 public:
  // Who is charged: an account, where a call brings a token that is known; else an address, which
  // all its callers share.
  enum class Class { kAddress, kAccount, kOrganiser };
  struct Payer {
    Class kind = Class::kAddress;
    std::string name;  // of the account; of the address, see ClientAddress
  };
  enum class Kind { kCall, kWatch };
  // Whether a call changes what the store has of its payer's own account.
  enum class Effect { kNone, kChange };
  class Ticket;

  explicit CallAdmission(const CallLimits& limits) : limits_(limits) {}
  CallAdmission(const CallAdmission&) = delete;
  CallAdmission& operator=(const CallAdmission&) = delete;

  // A call has come that costs so much of the payer's rate; a change costs one of the rate of
  // changes as well. Returns the ticket that stands for it while it is open, or ResourceExhausted
  // that says when to call again. REQUIRES: a shared_ptr holds this, as all tickets do.
  absl::StatusOr<std::shared_ptr<Ticket>> Enter(const Payer& payer, Kind kind, int cost,
                                                Instant now, Effect effect = Effect::kNone);

  // The memory that answers keep now, as charged by Keep.
  size_t kept_bytes() const;
  // How many calls of this kind are open.
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
    size_t bytes = 0;           // kept
  };
  using Callers = std::list<Caller>;  // who called last is first
  // What several callers have together.
  struct Use {
    std::array<int, 2> open{};  // by Kind
    size_t bytes = 0;           // kept
  };

  // The payer's, made if need be.
  Callers::iterator Find(const Payer& payer) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Forgets who has called longest ago, of those with nothing open, if there are too many.
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
  Use addresses_ ABSL_GUARDED_BY(mutex_);  // of these, callers without a token
};

// Stands for an open call; destroying it ends that, and what it keeps is kept no more.
// Thread-compatible.
class CallAdmission::Ticket {
 public:
  Ticket(std::shared_ptr<CallAdmission> admission, Callers::iterator caller, Kind kind)
      : admission_(std::move(admission)), caller_(caller), kind_(kind) {}
  ~Ticket() { admission_->Leave(caller_, kind_, bytes_); }
  Ticket(const Ticket&) = delete;
  Ticket& operator=(const Ticket&) = delete;

  // The call is to keep so many bytes more. Returns ResourceExhausted, and charges nothing, where
  // the answers of this caller, or all, would keep too many.
  absl::Status Keep(size_t bytes);
  // It keeps so many less. REQUIRES: they were charged.
  void Release(size_t bytes);

 private:
  const std::shared_ptr<CallAdmission> admission_;
  const Callers::iterator caller_;
  const Kind kind_;
  size_t bytes_ = 0;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCESS_CALL_ADMISSION_H_
