// The part of its lease that a referee may rely on, by its own clock.
//
// That clock need not agree with the store's, and does not show whether the store gave the lease to
// another referee. Pure.
//
//   const Instant sent = clock.Now();
//   lease.Renewed(store.RenewLease(lease.owner(), lease.length()).value(), sent);
//   ...
//   if (const auto held = lease.At(clock.Now())) store.Apply(*held, changes);
#ifndef REFEREE_COMPETITION_HELD_LEASE_H_
#define REFEREE_COMPETITION_HELD_LEASE_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/limits.h"
#include "referee/store/store.h"

namespace referee::competition {

// Thread-compatible.
class HeldLease {
 public:
  // Each renewal asks for `length`. REQUIRES: length > limits::kLeaseMargin.
  HeldLease(std::string owner, absl::Duration length)
      : length_(length), lease_{std::move(owner), 0} {}

  const std::string& owner() const { return lease_.owner; }
  absl::Duration length() const { return length_; }
  // Call when the store has answered a renewal, sent at `sent`, with this term.
  void Renewed(int64_t term, Instant sent) {
    if (lease_.term > 0 && term != lease_.term) ++lost_;
    lease_.term = term;
    end_ = sent + (length_ - limits::kLeaseMargin);
  }
  // Returns the lease while no other referee can have claimed it. Returns none after that, and
  // before the first renewal.
  absl::optional<store::Lease> At(Instant now) const {
    return lease_.term > 0 && now < end_ ? absl::make_optional(lease_) : absl::nullopt;
  }

  // The time up to which At returns the lease.
  Instant end() const { return end_; }
  // The number of leases that other referees have ended.
  int64_t lost() const { return lost_; }

 private:
  const absl::Duration length_;
  store::Lease lease_;
  Instant end_;
  int64_t lost_ = 0;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_HELD_LEASE_H_
