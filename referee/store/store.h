// The interface of the referee's database: accounts with the hashes of their tokens, the audit log,
// and competitions with their entrants and blocks. The log and replays are kept elsewhere.
// sqlite_store.h implements it in a file of the data directory; STORE.md says what is durable and
// why.
//
//   std::unique_ptr<Store> store = OpenSqliteStore(data_dir + "/store.db", {}).value();
//   const Lease lease{instance, store->RenewLease(instance, absl::Seconds(30)).value()};
//   BeginBlock begin{competition.id, competition.version, competition.next_block, pairing};
//   absl::Status begun = store->Apply(lease, {begin});  // Aborted: read again, or renew the lease
//
// Several daemons may share a store, so changes are checked optimistically: a change names the
// state that it was decided on (a competition's version, the number of the next block, an attempt,
// how much is counted), and is refused with Aborted when that state has changed. Every call is one
// transaction: it happens whole or, whenever it returns an error, not at all; but a store that is
// reached over a network may return Unavailable for one that has happened, so changes may be
// repeated. Once it returns OK everybody sees it, and a kill of the process does not undo it.
//
// Leases go by the store's own clock. All other times are passed, and compared with nothing. The
// store checks only what is written here: its callers validate names, specs and pairings.
//
// Every call may also return ResourceExhausted (the disk is full), Unavailable (busy or
// unreachable: call again), PermissionDenied (the file cannot be written) and DataLoss (what is
// kept is damaged). Thread-safe; calls block for as long as the disk takes.
#ifndef REFEREE_STORE_STORE_H_
#define REFEREE_STORE_STORE_H_

#include "referee/store/account_store.h"
#include "referee/store/block_store.h"
#include "referee/store/competition_store.h"
#include "referee/store/lease_store.h"

namespace referee::store {

class Store : public AccountStore,
              public AuditStore,
              public CompetitionStore,
              public BlockStore,
              public LeaseStore {};

}  // namespace referee::store

#endif  // REFEREE_STORE_STORE_H_
