// What the store does with leases and homes, and with the secret of the fleet. store.h says what
// holds for every call.
//
// A daemon changes blocks under its lease, which is the store's word that the blocks it has begun
// are its own. A lease lasts for some time after it was renewed last. When that has passed, by
// the store's clock, it has lapsed: nothing is changed under it until it is renewed, and any
// other daemon may claim its blocks, which ends it. Its owner learns that from the next term.
//
// So time decides when blocks may be claimed, and terms decide whose they are: a clock that jumps
// or goes backwards may hand a block over too early or too late, but never to two owners, and
// nothing passes that was decided under a lease that has ended, even if its owner has claimed the
// block back. Each call that takes a lease looks at it first, in its transaction: it returns
// Aborted if that lease has ended or lapsed.
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

  // Makes the lease of `owner` last for `ttl` from now on, whatever it was before, and returns its
  // term: the same as long as the lease has not ended, lapsed or not, and else a new one. Call it
  // before anything below, then several times in the span of a lease. REQUIRES: `owner` is not
  // empty, and ttl > 0.
  virtual absl::StatusOr<int64_t> RenewLease(absl::string_view owner, absl::Duration ttl) = 0;
  // The home of a competition is the daemon that begins its blocks and counts them, and judges who
  // is away. It has no lease of its own, but hangs on the daemon's: it is free when that ends,
  // lapses, or while the daemon drains or is unable, and until then nobody else's.

  // Says where bots dial the daemon of this lease, and that it drains from now on, if it does: that
  // is never taken back. Both end with the lease.
  virtual absl::Status Announce(const Lease& lease, absl::string_view address, bool draining) = 0;
  // Asks the daemon of this name to drain, as if it had announced that; it sees it in ListDaemons.
  // Returns NotFound unless it has a lease that lasts.
  virtual absl::Status AskToDrain(absl::string_view owner, const AuditEntry& audit) = 0;
  // All daemons, by name.
  virtual absl::StatusOr<std::vector<Daemon>> ListDaemons() = 0;
  // Makes the daemon of this lease the home of those of these competitions that are free; or were
  // its own before. Returns those that it is the home of now; unknown ones are passed over.
  virtual absl::StatusOr<std::vector<CompetitionId>> TakeHomes(
      const Lease& lease, absl::Span<const CompetitionId> ids) = 0;

  // Beside its home, other daemons may play blocks of a competition: those that the home begins in
  // their names. They say what they have room for.

  // Puts this in the place of what the daemon of this lease has offered to the competition before;
  // `help.owner` is not looked at. It ends with the lease.
  virtual absl::Status OfferHelp(const Lease& lease, const CompetitionId& id, const Help& help) = 0;
  // What daemons whose leases last, and that stay (Daemon), have offered, by name.
  virtual absl::StatusOr<std::vector<Help>> ListHelp(const CompetitionId& id) = 0;

  // All who have a lease, lapsed or not, or own RUNNING blocks, by name and as of one moment. Takes
  // no lease; a store that is only read can do it.
  virtual absl::StatusOr<std::vector<LeaseHolder>> ListLeaseHolders() = 0;

  // The secret that the daemons of this store show each other: kFleetSecretBytes bytes, the same
  // for each of them. The first call draws it, with `entropy`, which fills the span with
  // unpredictable bytes. It is never logged or shown, and is in no backup or copy of the store.
  virtual absl::StatusOr<std::string> FleetSecret(
      absl::FunctionRef<void(absl::Span<uint8_t>)> entropy) = 0;

  // Says whether the daemon of this lease is unable to begin matches for now (Daemon::unable). It
  // is not when its lease begins.
  virtual absl::Status SetUnable(const Lease& lease, bool unable) = 0;
};

}  // namespace referee::store

#endif  // REFEREE_STORE_LEASE_STORE_H_
