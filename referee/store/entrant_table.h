// Entrants of competitions in SQLite. Every function runs within its caller's transaction. store.h
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
#include "referee/store/database.h"
#include "referee/store/store.h"

namespace referee::store::entrant_table {

// The entrants of a competition that is being made, whose key is this.
absl::Status InsertFirst(Connection* db, int64_t key, const std::vector<std::string>& names);

absl::StatusOr<std::vector<Entrant>> Read(Connection* db, const CompetitionId& id);
absl::StatusOr<std::vector<Entry>> ListEntries(Connection* db, absl::string_view name, int limit);
absl::StatusOr<Entrant> Join(Connection* db, const CompetitionId& id, absl::string_view name);
absl::StatusOr<Entrant> TakeOut(Connection* db, const CompetitionId& id, absl::string_view name,
                                Presence out, absl::string_view reason);

// The part of Store::SetVersion that is about ladders.
absl::Status SetVersion(Connection* db, absl::string_view name, absl::string_view version,
                        VersionSource source);
absl::StatusOr<Competition> BeginSeason(Connection* db, const CompetitionId& id,
                                        absl::string_view request_id, absl::Time time);

// Applies one line of CountBlocks. Returns whether it set the entrant aside; NotFound if there is
// no such entrant.
absl::StatusOr<bool> Count(Connection* db, const CompetitionId& id,
                           const competition_table::Head& head, const CountBlocks::Line& line);

}  // namespace referee::store::entrant_table

#endif  // REFEREE_STORE_ENTRANT_TABLE_H_
