// This daemon as a member of the fleet of daemons that share its store.
//
// It renews its lease, announces itself, takes the homes whose turn it is (homes.h), and claims the
// blocks of daemons whose leases have ended.
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

// What a look at the store found.
struct FleetLook {
  std::vector<store::Competition> competitions;  // that go on
  std::vector<store::Daemon> daemons;
  std::vector<store::Block> claimed;
  bool in_doubt = false;  // an earlier look may have claimed more
  bool draining = false;  // this daemon drains, as it knows itself or the store says
  std::string unable;     // why it can begin no match for now; empty: it can
};

// Thread-compatible.
class Fleet {
 public:
  // The store must outlive it. `owner`, `lease` and `former` as in CompetitionsOptions.
  Fleet(store::Store* store, log::Log log, std::string owner, absl::Duration lease,
        std::vector<std::string> former)
      : store_(*store),
        log_(std::move(log)),
        lease_(owner, lease),
        homes_(std::move(owner)),
        former_(std::move(former)) {}

  const HeldLease& lease() const { return lease_; }

  // Renews the lease, announces changes, takes homes, and claims blocks. `look` has the
  // competitions, `draining` and `unable`; Join fills in the rest. `address`: where bots dial this
  // daemon. `now`: the time, just read. Returns the store's error; then the lease is as before.
  absl::Status Join(Instant now, const std::string& address, FleetLook* look);
  // Call when a look has failed. Others may be kept from their leases by the same outage, so after
  // it this daemon takes nothing from them before they had the time to renew these.
  void LookFailed() { outage_ = true; }
  // Returns when to look again after a look at `now` that found this.
  Instant NextLook(Instant now, const FleetLook& look) const;
  // Cancels recovered matches of blocks that others have claimed since.
  absl::Status CancelWhatOthersHave(host::Host* host) const;

  // Logs that a competition has moved to another home.
  void LogMove(const store::Competition& competition, const Home& before, const Home& home) const;

 private:
  absl::Status TakeFormer(const store::Lease& lease, FleetLook* look);
  absl::Status Announce(const store::Lease& lease, const std::string& address,
                        const FleetLook& look);
  void LogAnnounced(const store::Daemon& daemon, const std::string& unable) const;
  absl::Status TakeHomes(const store::Lease& lease, Instant now, FleetLook* look);
  // Makes this daemon the home of those competitions whose turn that is.
  absl::Status TakeFree(const store::Lease& lease, Instant now, FleetLook* look);
  void Tell(absl::string_view event, absl::string_view line) const;

  store::Store& store_;
  const log::Log log_;
  HeldLease lease_;
  Homes homes_;
  std::vector<std::string> former_;  // whose blocks were not taken over yet
  bool claim_failed_ = false;        // and may have happened
  store::Daemon announced_;          // as others know this one
  bool outage_ = false;              // at the latest look
  Instant spares_until_;             // daemons whose leases have lapsed in an outage
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_FLEET_H_
