// What comes over connections and is of no use: bytes that bring neither a call that the service
// hears of nor a message of one. The transport deals with them all alone, and tells nobody: calls
// that are opened and reset at once, without end (HTTP/2 rapid reset), cost it time and memory, and
// show nowhere else. So what a connection has received, which the system counts, is compared with
// what the service has made use of, as long as it is unknown whose it is; an address that sends too
// much of the rest is refused for a while. Whose account is known can be banned instead. Pure: the
// time is passed in.
#ifndef REFEREE_SERVICE_ACCEPT_WASTE_H_
#define REFEREE_SERVICE_ACCEPT_WASTE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/limits.h"
#include "referee/service/accept/endpoint.h"
#include "referee/service/play/token_bucket.h"

namespace referee::service {

// How many bytes of one connection the service has made use of. Thread-safe.
class UsedBytes {
 public:
  // A message of so many bytes, with what carries it.
  void AddMessage(size_t bytes) { Add(limits::kBytesAroundMessage + bytes); }
  void Add(size_t bytes) { bytes_.fetch_add(bytes, std::memory_order_relaxed); }
  uint64_t count() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> bytes_{limits::kBytesOfConnecting};
};

// Addresses are such as IpAddress::Counted returns. Thread-compatible.
class Waste {
 public:
  // So many useless bytes have come from there. Returns false when they are too many: the address
  // is refused from now on, for limits::kWasteRefusal.
  bool Add(const IpAddress& address, uint64_t bytes, Instant now);
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

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCEPT_WASTE_H_
