// Store::Apply on PostgreSQL, in two round trips.
//
// One reads all rows that the changes name; the other writes the results, many rows a statement.
#ifndef REFEREE_STORE_POSTGRES_APPLY_H_
#define REFEREE_STORE_POSTGRES_APPLY_H_

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/postgres/postgres.h"
#include "referee/store/store.h"

namespace referee::store {

// Runs one transaction under a lease that lasts at `now`; not set: by the database's clock. Returns
// the errors of Store::Apply, or a conflict (postgres/errors.h).
absl::Status ApplyOnPostgres(postgres::Connection* db, const absl::optional<absl::Time>& now,
                             const Lease& lease, absl::Span<const Change> changes);

// SQL for the time of the database's clock, in microseconds since 1970.
inline constexpr char kPostgresNow[] = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

}  // namespace referee::store

#endif  // REFEREE_STORE_POSTGRES_APPLY_H_
