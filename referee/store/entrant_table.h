// Entrants of competitions, in SQL. Every function runs within its caller's transaction. store.h
// says what each does and returns.
#ifndef REFEREE_STORE_ENTRANT_TABLE_H_
#define REFEREE_STORE_ENTRANT_TABLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/store/competition_table.h"
#include "referee/store/sql.h"
#include "referee/store/store.h"

namespace referee::store::entrant_table {

// The entrants of a competition that is being made, whose key is this.
absl::Status InsertFirst(SqlDatabase* db, int64_t key, const std::vector<std::string>& names);

absl::StatusOr<std::vector<Entrant>> Read(SqlDatabase* db, const CompetitionId& id);
absl::StatusOr<std::vector<Entry>> ListEntries(SqlDatabase* db, absl::string_view name, int limit);
absl::StatusOr<Entrant> Join(SqlDatabase* db, const CompetitionId& id, absl::string_view name);
absl::StatusOr<Entrant> BringBack(SqlDatabase* db, const CompetitionId& id, absl::string_view name);
absl::StatusOr<Entrant> TakeOut(SqlDatabase* db, const CompetitionId& id, absl::string_view name,
                                Presence out, absl::string_view reason,
                                const absl::optional<Suspension>& suspension = {});

// The columns of a suspension, which are zero of none.
absl::Time SuspendedUntil(const absl::optional<Suspension>& suspension);
int64_t SuspendedFor(const absl::optional<Suspension>& suspension);  // nanoseconds

// The part of Store::SetVersion that is about ladders.
absl::Status SetVersion(SqlDatabase* db, absl::string_view name, absl::string_view version,
                        VersionSource source);
absl::StatusOr<Competition> BeginSeason(SqlDatabase* db, const CompetitionId& id,
                                        absl::string_view request_id, absl::Time time);

}  // namespace referee::store::entrant_table

#endif  // REFEREE_STORE_ENTRANT_TABLE_H_
