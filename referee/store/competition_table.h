// Competitions in SQLite. Every function runs within its caller's transaction.
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
#include "referee/store/database.h"
#include "referee/store/store.h"

namespace referee::store::competition_table {

// The part of a competition that changes of blocks need; `key` is its key in other tables.
struct Head {
  int64_t key = 0;
  CompetitionState state = CompetitionState::kNew;
  int64_t version = 0;
  int64_t next_block = 0;
  int64_t counted = 0;
  int64_t replayed = 0;
  int season = 1;
};
// Returns NotFound.
absl::StatusOr<Head> ReadHead(Connection* db, const CompetitionId& id);
// Writes all of it but the state and the season.
absl::Status WriteHead(Connection* db, const Head& head);

absl::StatusOr<Competition> Create(Connection* db, const Competition& competition);
absl::StatusOr<Competition> Get(Connection* db, const CompetitionId& id);
absl::StatusOr<Competition> GetWithoutEntrants(Connection* db, const CompetitionId& id);
absl::StatusOr<std::vector<std::string>> ReadPositions(Connection* db, const CompetitionId& id);
absl::StatusOr<Competition> Find(Connection* db, absl::string_view name);
absl::StatusOr<std::vector<Competition>> List(Connection* db, const CompetitionId& before,
                                              int limit);
absl::StatusOr<std::vector<Competition>> ListUnfinished(Connection* db);
absl::StatusOr<Competition> SetState(Connection* db, const CompetitionId& id, CompetitionState from,
                                     CompetitionState to, absl::Time time);
absl::StatusOr<Competition> SetPriority(Connection* db, const CompetitionId& id, int priority);
absl::StatusOr<Competition> Rename(Connection* db, const CompetitionId& id, absl::string_view name);
absl::Status Remove(Connection* db, const CompetitionId& id);

}  // namespace referee::store::competition_table

#endif  // REFEREE_STORE_COMPETITION_TABLE_H_
