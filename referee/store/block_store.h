// The part of the store that changes blocks, under a daemon's lease (lease_store.h).
//
// store.h states the guarantees of every call.
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

  // Claims orphaned blocks: ends all other lapsed leases, and moves RUNNING blocks without a lease,
  // in competitions that `lease` owns, to `lease`. Returns these blocks by competition and number,
  // without their attempts. A block with unnamed matches gets its next attempt, because its former
  // owner may have begun to play the current one. That attempt is recorded (LeftAttempt), and
  // counts in `replayed`.
  virtual absl::StatusOr<std::vector<Block>> ClaimExpired(const Lease& lease) = 0;
  // Ends the leases of these owners, lapsed or not. Moves their blocks, unchanged, and the
  // competitions that they own to `lease`. Returns the blocks by competition and number, without
  // their attempts. For a daemon that has the data of its former runs, and knows that they have
  // ended. REQUIRES: no owner is lease.owner.
  virtual absl::StatusOr<std::vector<Block>> TakeOver(const Lease& lease,
                                                      absl::Span<const std::string> owners) = 0;

  // TakeOut of competition_store.h by the owner of the competition, under its lease. Also returns
  // Aborted if the lease has ended or lapsed, or does not own the competition. `suspension`: set if
  // the entrant is suspended and returns automatically.
  virtual absl::StatusOr<Entrant> TakeOutByHome(const Lease& lease, const CompetitionId& id,
                                                absl::string_view name, Presence out,
                                                absl::string_view reason,
                                                const absl::optional<Suspension>& suspension) = 0;
  // Enters a suspended bot, as Join does, by the owner of the competition. Changes nothing if the
  // bot is not suspended. Returns the errors of Join and TakeOutByHome.
  virtual absl::StatusOr<Entrant> BringBackByHome(const Lease& lease, const CompetitionId& id,
                                                  absl::string_view name) = 0;
  // Makes changes in order, in one transaction. If one is refused, none is made, and the error
  // names its position. One call is far cheaper than a call for each change.
  virtual absl::Status Apply(const Lease& lease, absl::Span<const Change> changes) = 0;

  // Returns all RUNNING blocks of a competition, of any owner, by number.
  virtual absl::StatusOr<std::vector<Block>> ListOpenBlocks(const CompetitionId& id) = 0;
};

}  // namespace referee::store

#endif  // REFEREE_STORE_BLOCK_STORE_H_
