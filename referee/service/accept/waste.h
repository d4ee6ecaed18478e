// Budgets of what an address or an account may waste before it is refused or distrusted for a
// while.
//
// Waste is bytes that bring neither a message nor a call that the service sees, and calls that it
// does not see (LIMITS.md). Pure: the time is passed in.
#ifndef REFEREE_SERVICE_ACCEPT_WASTE_H_
#define REFEREE_SERVICE_ACCEPT_WASTE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/endpoint.h"
#include "referee/base/limits.h"
#include "referee/service/play/token_bucket.h"

namespace referee::service {

// The calls on a connection, as the transport counts them.
struct CallCounts {
  uint64_t opened = 0;
  uint64_t open = 0;  // of these, still open
};

// Counts the use that the service makes of one connection. Thread-safe.
class Use {
 public:
  // The service has seen a call; for a bot's stream, its Hello.
  void AddCall() {
    calls_.fetch_add(1, std::memory_order_relaxed);
    Add(limits::kBytesOfCall);
  }
  // The service has refused a token: not a call of an account, but not waste either.
  void AddRefusedToken() { Add(limits::kBytesOfCall); }
  // The service has read a message of `bytes`; the framing around it counts too.
  void AddMessage(size_t bytes) { Add(limits::kBytesAroundMessage + bytes); }
  uint64_t calls() const { return calls_.load(std::memory_order_relaxed); }
  uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  void Add(size_t bytes) { bytes_.fetch_add(bytes, std::memory_order_relaxed); }

  std::atomic<uint64_t> calls_{0};
  std::atomic<uint64_t> bytes_{limits::kBytesOfConnecting};
};

// Budgets of addresses, as returned by IpAddress::Counted. Thread-compatible.
class Waste {
 public:
  // Charges `bytes` to `address`. Returns false if the budget is exceeded, and refuses the address
  // for limits::kWasteRefusal.
  bool Add(const IpAddress& address, uint64_t bytes, Instant now);
  // Gives back bytes that turned out to be useful.
  void Return(const IpAddress& address, uint64_t bytes);
  // Whether a new connection from `address` is refused. If accounts are known there, other clients
  // share the address, so a new connection is admitted now and then.
  bool Refuses(const IpAddress& address, bool accounts_known, Instant now);

 private:
  struct Account {
    TokenBucket left{limits::kWaste};
    Instant refused_until;
    TokenBucket newcomers{limits::kConnectionsWhileRefused};  // admitted while refused
  };

  // If there are too many addresses, forgets those with a full budget.
  void Forget(Instant now);

  absl::flat_hash_map<IpAddress, Account> accounts_;
  size_t too_many_ = limits::kMaxBadAddresses;
};

// Budgets of calls or bytes of known accounts. Never forgets an account. Thread-compatible.
class AccountBudgets {
 public:
  explicit AccountBudgets(limits::Rate each) : each_(each) {}

  // Charges `count` to `account`. Returns false if the budget is exceeded, and distrusts the
  // account for limits::kWasteRefusal.
  bool Add(absl::string_view account, uint64_t count, Instant now);
  // Whether a connection that brings the account's token stays unknown.
  bool Distrusts(absl::string_view account, Instant now) const;

 private:
  struct Account {
    TokenBucket left;
    Instant distrusted_until;
  };

  const limits::Rate each_;
  absl::flat_hash_map<std::string, Account> accounts_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCEPT_WASTE_H_
