// The part of the store for leases, owners of competitions, and the secret of the fleet.
//
// store.h states the guarantees of every call.
//
// A daemon changes blocks under its lease, which proves that it owns the blocks it has begun. A
// lease lasts for some time after its last renewal, then it has lapsed by the store's clock.
// Nothing can change under a lapsed lease until it is renewed. Any other daemon may claim its
// blocks, which ends it. Its owner learns that from the term of its next lease.
//
// So time decides when blocks may be claimed, and terms decide who owns them. A clock that jumps
// may move a block too early or too late, but never to two owners. Decisions under an ended lease
// are refused, even if its owner has claimed the block back. Each call with a lease checks it
// first, in its transaction, and returns Aborted if it has ended or lapsed.
#ifndef REFEREE_STORE_LEASE_STORE_H_
#define REFEREE_STORE_LEASE_STORE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "referee/store/account.h"
#include "referee/store/competition.h"
#include "referee/store/lease.h"

namespace referee::store {

inline constexpr size_t kFleetSecretBytes = 32;

class LeaseStore {
 public:
  virtual ~LeaseStore() = default;

  // Makes the lease of `owner` last for `ttl` from now on, and returns its term. The term is new if
  // the lease has ended; a lapsed lease keeps its term. Call it before all other calls, then
  // several times within `ttl`. REQUIRES: `owner` is not empty, and ttl > 0.
  virtual absl::StatusOr<int64_t> RenewLease(absl::string_view owner, absl::Duration ttl) = 0;
  // The owner (home) of a competition begins and counts its blocks, and decides who is absent.
  // Ownership has no lease of its own. The competition is free when the daemon's lease ends or
  // lapses, or while the daemon drains or is unable. Until then no other daemon can take it.

  // Sets the address of the daemon of this lease. `draining` starts draining, which cannot be
  // undone. Both end with the lease.
  virtual absl::Status Announce(const Lease& lease, absl::string_view address, bool draining) = 0;
  // Makes the daemon of this name drain; it learns that from ListDaemons. Returns NotFound unless
  // its lease lasts.
  virtual absl::Status AskToDrain(absl::string_view owner, const AuditEntry& audit) = 0;
  // Returns all daemons, by name.
  virtual absl::StatusOr<std::vector<Daemon>> ListDaemons() = 0;
  // Makes the daemon of this lease the owner of those of these competitions that are free. Returns
  // those that it owns now, also from before; ignores unknown ones.
  virtual absl::StatusOr<std::vector<CompetitionId>> TakeHomes(
      const Lease& lease, absl::Span<const CompetitionId> ids) = 0;

  // Helpers are daemons that play blocks of a competition that its owner begins in their names.
  // They report their capacity.

  // Replaces the offer of the daemon of this lease to the competition; ignores `help.owner`. The
  // offer ends with the lease.
  virtual absl::Status OfferHelp(const Lease& lease, const CompetitionId& id, const Help& help) = 0;
  // Returns the offers of daemons whose leases last and that stay (Daemon), by name.
  virtual absl::StatusOr<std::vector<Help>> ListHelp(const CompetitionId& id) = 0;

  // Returns all owners of a lease, lapsed or not, or of RUNNING blocks, by name and as of one
  // moment. Needs no lease; works on a store opened for reading.
  virtual absl::StatusOr<std::vector<LeaseHolder>> ListLeaseHolders() = 0;

  // Returns the secret that the daemons of this store show each other: kFleetSecretBytes bytes, the
  // same for all. The first call draws it with `entropy`, which fills the span with unpredictable
  // bytes. The secret is never logged or shown, and is in no backup or copy of the store.
  virtual absl::StatusOr<std::string> FleetSecret(
      absl::FunctionRef<void(absl::Span<uint8_t>)> entropy) = 0;

  // Sets whether the daemon of this lease is unable to begin matches for now (Daemon::unable). A
  // new lease begins with false.
  virtual absl::Status SetUnable(const Lease& lease, bool unable) = 0;
};

}  // namespace referee::store

#endif  // REFEREE_STORE_LEASE_STORE_H_
