// What an address or an account may waste before it is refused, or distrusted, for a while: bytes
// that bring neither a call that the service hears of nor a message, and calls of which it does not
// hear (LIMITS.md). Pure: the time is passed in.
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

// The calls that a client has made on a connection, as the transport counts them.
struct CallCounts {
  uint64_t opened = 0;
  uint64_t open = 0;  // of these, the ones that have not ended
};

// What use the service has made of one connection. Thread-safe.
class Use {
 public:
  // It has heard of a call; of a stream of a bot, when that has said Hello.
  void AddCall() {
    calls_.fetch_add(1, std::memory_order_relaxed);
    Add(limits::kBytesOfCall);
  }
  // It has looked up a token that it refuses: no call of an account, but no waste either.
  void AddRefusedToken() { Add(limits::kBytesOfCall); }
  // A message of so many bytes, with what carries it.
  void AddMessage(size_t bytes) { Add(limits::kBytesAroundMessage + bytes); }
  uint64_t calls() const { return calls_.load(std::memory_order_relaxed); }
  uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  void Add(size_t bytes) { bytes_.fetch_add(bytes, std::memory_order_relaxed); }

  std::atomic<uint64_t> calls_{0};
  std::atomic<uint64_t> bytes_{limits::kBytesOfConnecting};
};

// Addresses are such as IpAddress::Counted returns. Thread-compatible.
class Waste {
 public:
  // So many useless bytes have come from there. Returns false when they are too many: the address
  // is refused from now on, for limits::kWasteRefusal.
  bool Add(const IpAddress& address, uint64_t bytes, Instant now);
  // So many of them have come to something after all.
  void Return(const IpAddress& address, uint64_t bytes);
  // Whether a new connection from there is refused. Where accounts are known others share the
  // address with the offender: a new one now and then is let in there all the same.
  bool Refuses(const IpAddress& address, bool accounts_known, Instant now);

 private:
  struct Account {
    TokenBucket left{limits::kWaste};
    Instant refused_until;
    TokenBucket newcomers{limits::kConnectionsWhileRefused};  // meanwhile
  };

  // Forgets who has been good for long, if there are too many.
  void Forget(Instant now);

  absl::flat_hash_map<IpAddress, Account> accounts_;
  size_t too_many_ = limits::kMaxBadAddresses;
};

// What each known account may waste, of calls or bytes. Remembers as many accounts as there ever
// were. Thread-compatible.
class AccountBudgets {
 public:
  explicit AccountBudgets(limits::Rate each) : each_(each) {}

  // So much of it came on a connection of `account`. Returns false when that is too much: the
  // account is distrusted from now on, for limits::kWasteRefusal.
  bool Add(absl::string_view account, uint64_t count, Instant now);
  // Whether a connection on which the account comes is to stay unknown.
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
