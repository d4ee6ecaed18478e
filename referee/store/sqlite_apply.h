// Store::Apply on SQLite: a row at a time, with statements that are compiled once.
#ifndef REFEREE_STORE_SQLITE_APPLY_H_
#define REFEREE_STORE_SQLITE_APPLY_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "referee/store/sql.h"
#include "referee/store/store.h"

namespace referee::store {

// Runs within its caller's transaction, under `lease`, which lasts. Returns the errors of
// Store::Apply.
absl::Status ApplyOnSqlite(SqlDatabase* db, const Lease& lease, absl::Span<const Change> changes);

}  // namespace referee::store

#endif  // REFEREE_STORE_SQLITE_APPLY_H_
