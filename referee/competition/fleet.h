// This referee's membership of the fleet of referees that share its store.
//
// Renews the lease, announces this referee, takes over competitions whose turn it is (homes.h), and
// claims the blocks of referees whose leases have ended.
#ifndef REFEREE_COMPETITION_FLEET_H_
#define REFEREE_COMPETITION_FLEET_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/competition/held_lease.h"
#include "referee/competition/homes.h"
#include "referee/host/host.h"
#include "referee/log/event.h"
#include "referee/store/store.h"

namespace referee::competition {

// The result of a poll of the store.
struct FleetLook {
  std::vector<store::Competition> competitions;  // unfinished ones
  std::vector<store::Daemon> daemons;
  std::vector<store::Block> claimed;
  bool in_doubt = false;  // an earlier poll may have claimed more
  bool draining = false;  // this referee drains, by its own state or the store's
  std::string unable;     // why it can begin no match now; empty: it can
};

// Thread-compatible.
class Fleet {
 public:
  // The store must outlive this object. `owner`, `lease` and `former` are those of
  // CompetitionsOptions.
  Fleet(store::Store* store, log::Log log, std::string owner, absl::Duration lease,
        std::vector<std::string> former)
      : store_(*store),
        log_(std::move(log)),
        lease_(owner, lease),
        homes_(std::move(owner)),
        former_(std::move(former)) {}

  const HeldLease& lease() const { return lease_; }

  // Renews the lease, announces changes, takes over competitions, and claims blocks. The caller
  // sets `competitions`, `draining` and `unable` of `look`; Join sets the rest. `address`: where
  // bots dial this referee. `now`: the time, just read. Returns the store's error; the lease is
  // unchanged then.
  absl::Status Join(Instant now, const std::string& address, FleetLook* look);
  // Call when a poll has failed. The outage may have kept other referees from renewing their
  // leases. So this referee takes nothing from them until they had time to renew.
  void LookFailed() { outage_ = true; }
  // Returns when to poll again after the poll at `now` that returned `look`.
  Instant NextLook(Instant now, const FleetLook& look) const;
  // Cancels recovered matches whose blocks other referees have claimed meanwhile.
  absl::Status CancelWhatOthersHave(host::Host* host) const;

  // Logs that a competition has another owner.
  void LogMove(const store::Competition& competition, const Home& before, const Home& home) const;

 private:
  absl::Status TakeFormer(const store::Lease& lease, FleetLook* look);
  absl::Status Announce(const store::Lease& lease, const std::string& address,
                        const FleetLook& look);
  void LogAnnounced(const store::Daemon& daemon, const std::string& unable) const;
  absl::Status TakeHomes(const store::Lease& lease, Instant now, FleetLook* look);
  // Makes this referee the owner of the competitions whose turn it is.
  absl::Status TakeFree(const store::Lease& lease, Instant now, FleetLook* look);
  void Tell(absl::string_view event, absl::string_view line) const;

  store::Store& store_;
  const log::Log log_;
  HeldLease lease_;
  Homes homes_;
  std::vector<std::string> former_;  // former names whose blocks are not taken over yet
  bool claim_failed_ = false;        // the store may have made the claim all the same
  store::Daemon announced_;          // as announced to the other referees
  bool outage_ = false;              // the latest poll failed
  // Until then, does not take over from referees whose leases lapsed in an outage.
  Instant spares_until_;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_FLEET_H_
