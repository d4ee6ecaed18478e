// Competitions, in SQL. Every function runs within its caller's transaction.
// store.h says what each does and returns.
#ifndef REFEREE_STORE_COMPETITION_TABLE_H_
#define REFEREE_STORE_COMPETITION_TABLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/store/block_changes.h"
#include "referee/store/sql.h"
#include "referee/store/store.h"

namespace referee::store::competition_table {

// Returns NotFound. In a transaction that writes, others that do this wait until it ends.
absl::StatusOr<Head> ReadHead(SqlDatabase* db, const CompetitionId& id);
// Writes all of it but the state, the season and the home.
absl::Status WriteHead(SqlDatabase* db, const Head& head);
absl::Status SetHome(SqlDatabase* db, const Head& head, int64_t term);

absl::StatusOr<Competition> Create(SqlDatabase* db, const Competition& competition);
absl::StatusOr<Competition> Get(SqlDatabase* db, const CompetitionId& id);
absl::StatusOr<Competition> GetWithoutEntrants(SqlDatabase* db, const CompetitionId& id);
absl::StatusOr<std::vector<std::string>> ReadPositions(SqlDatabase* db, const CompetitionId& id);
absl::StatusOr<Competition> Find(SqlDatabase* db, absl::string_view name);
absl::StatusOr<std::vector<Competition>> List(SqlDatabase* db, const CompetitionId& before,
                                              int limit);
absl::StatusOr<std::vector<Competition>> ListOf(SqlDatabase* db, absl::string_view bot,
                                                const CompetitionId& before, int limit);
absl::StatusOr<std::vector<Competition>> ListUnfinished(SqlDatabase* db);
absl::StatusOr<Competition> SetState(SqlDatabase* db, const CompetitionId& id,
                                     CompetitionState from, CompetitionState to, absl::Time time);
absl::Status BeginLife(SqlDatabase* db, absl::string_view life);
absl::StatusOr<Competition> UpdateSpec(SqlDatabase* db, const CompetitionId& id, int64_t version,
                                       const schedule::Spec& spec);
absl::Status Remove(SqlDatabase* db, const CompetitionId& id);

}  // namespace referee::store::competition_table

#endif  // REFEREE_STORE_COMPETITION_TABLE_H_
