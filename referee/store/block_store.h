// What a daemon does with blocks under its lease (lease_store.h). store.h says what holds for every
// call.
#ifndef REFEREE_STORE_BLOCK_STORE_H_
#define REFEREE_STORE_BLOCK_STORE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/store/block.h"
#include "referee/store/competition.h"
#include "referee/store/lease.h"

namespace referee::store {

class BlockStore {
 public:
  virtual ~BlockStore() = default;

  // Ends all other leases that have lapsed, puts the RUNNING blocks that are under no lease any
  // more, of competitions whose home is under `lease`, under that, and returns these by competition
  // and number, without their attempts. A block whose matches were not named is in its next attempt
  // then, since its former owner may have begun to play this one: that is on record (LeftAttempt),
  // and counts among those `replayed`.
  virtual absl::StatusOr<std::vector<Block>> ClaimExpired(const Lease& lease) = 0;
  // Ends the leases of these owners, lapsed or not, and puts their blocks, as they are, and the
  // competitions whose home they are under `lease`; returns the blocks by competition and number,
  // without their attempts. For a daemon that has what the earlier ones knew, and knows that they
  // are gone. REQUIRES: none is lease.owner.
  virtual absl::StatusOr<std::vector<Block>> TakeOver(const Lease& lease,
                                                      absl::Span<const std::string> owners) = 0;

  // TakeOut of competition_store.h by the home of the competition, under whose lease it is done.
  // Also returns Aborted if that has ended or lapsed, or the home is another. `suspension`: as of
  // the entrant, if it is set aside and comes back by itself.
  virtual absl::StatusOr<Entrant> TakeOutByHome(const Lease& lease, const CompetitionId& id,
                                                absl::string_view name, Presence out,
                                                absl::string_view reason,
                                                const absl::optional<Suspension>& suspension) = 0;
  // Enters a bot that was set aside, as Join does, by the home of the competition; nothing changes
  // if it is not set aside. Returns what Join and TakeOutByHome do.
  virtual absl::StatusOr<Entrant> BringBackByHome(const Lease& lease, const CompetitionId& id,
                                                  absl::string_view name) = 0;
  // Makes changes in this order, as one transaction: all of them or, when one is refused, none; the
  // error names the position of that one. One call costs far less than a call for each.
  virtual absl::Status Apply(const Lease& lease, absl::Span<const Change> changes) = 0;

  // All RUNNING blocks of a competition, whoever owns them, by number.
  virtual absl::StatusOr<std::vector<Block>> ListOpenBlocks(const CompetitionId& id) = 0;
};

}  // namespace referee::store

#endif  // REFEREE_STORE_BLOCK_STORE_H_
