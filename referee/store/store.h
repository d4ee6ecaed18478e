// The interface of the referee's database: accounts, the audit log, competitions and their blocks.
//
// The log and replays are stored elsewhere. sqlite_store.h implements it in a file of the data
// directory, postgres_store.h in PostgreSQL. STORE.md says what is durable and why.
//
//   std::unique_ptr<Store> store = OpenSqliteStore(data_dir + "/store.db", {}).value();
//   const Lease lease{instance, store->RenewLease(instance, absl::Seconds(30)).value()};
//   BeginBlock begin{competition.id, competition.version, competition.next_block, pairing};
//   absl::Status begun = store->Apply(lease, {begin});  // Aborted: read again, or renew the lease
//
// Several daemons may share a store, so changes are checked optimistically. A change names the
// state on which it was decided: a competition's version, the number of the next block, an attempt,
// the number of counted blocks. It is refused with Aborted if that state has changed.
//
// Every call is one transaction: after an error nothing has changed. Once it returns OK everyone
// sees the change, and a kill of the process does not undo it. One exception: a store behind a
// network may return Unavailable for a change that was made, so changes may be repeated.
//
// Leases use the store's own clock. All other times are arguments, and are not compared with a
// clock. The store checks only what is documented here: callers validate names, specs and pairings.
//
// Every call may also return ResourceExhausted (the disk is full), Unavailable (busy or
// unreachable: call again), PermissionDenied (the file cannot be written) and DataLoss (the stored
// data is damaged). Thread-safe; calls block for as long as the disk takes.
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
