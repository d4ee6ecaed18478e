// Leases, in SQL. Every function runs within its caller's transaction; `now` is the store's time.
// store.h says what leases are.
#ifndef REFEREE_STORE_LEASE_TABLE_H_
#define REFEREE_STORE_LEASE_TABLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "referee/store/sql.h"
#include "referee/store/store.h"

namespace referee::store::lease_table {

// Returns the term.
absl::StatusOr<int64_t> Renew(SqlDatabase* db, absl::string_view owner, absl::Time until);
// Returns Aborted unless the lease lasts. Nobody else ends it before the transaction has ended; it
// may be renewed.
absl::Status Check(SqlDatabase* db, const Lease& lease, absl::Time now);
// Ends those that have lapsed.
absl::Status EndLapsed(SqlDatabase* db, absl::Time now);
absl::Status End(SqlDatabase* db, absl::Span<const std::string> owners);
absl::StatusOr<std::vector<LeaseHolder>> ListHolders(SqlDatabase* db, absl::Time now);
absl::Status Announce(SqlDatabase* db, const Lease& lease, absl::string_view address,
                      bool draining);
absl::Status AskToDrain(SqlDatabase* db, absl::string_view owner, absl::Time now);
absl::StatusOr<std::vector<Daemon>> ListDaemons(SqlDatabase* db, absl::Time now);
// Whether a lease of this term lasts, of a daemon that does not drain.
absl::StatusOr<bool> Stays(SqlDatabase* db, int64_t term, absl::Time now);
// Of the competition of this key. `lease` lasts.
absl::Status OfferHelp(SqlDatabase* db, const Lease& lease, int64_t key, const Help& help);
// Of those whose leases last, and that do not drain.
absl::StatusOr<std::vector<Help>> ListHelp(SqlDatabase* db, int64_t key, absl::Time now);
// Gives the homes of these owners to `lease`, before their leases end.
absl::Status MoveHomes(SqlDatabase* db, const Lease& lease, absl::Span<const std::string> owners);

}  // namespace referee::store::lease_table

#endif  // REFEREE_STORE_LEASE_TABLE_H_
