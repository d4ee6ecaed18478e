// Functions that the calls of SqlStore share, within a transaction.
#ifndef REFEREE_STORE_TABLES_H_
#define REFEREE_STORE_TABLES_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/store/block_changes.h"
#include "referee/store/sql.h"
#include "referee/store/store.h"

namespace referee::store {

// Returns all rows of a statement, each converted by `read`. Returns the first error.
template <typename Row>
absl::StatusOr<std::vector<Row>> ReadRows(
    SqlStatement* list, absl::FunctionRef<absl::StatusOr<Row>(const SqlStatement&)> read) {
  std::vector<Row> rows;
  while (list->Step()) {
    absl::StatusOr<Row> row = read(*list);
    if (!row.ok()) return row.status();
    rows.push_back(*std::move(row));
  }
  if (!list->status().ok()) return list->status();
  return rows;
}

absl::Status LogAudit(SqlDatabase* db, const AuditEntry& audit);

// The columns of a Head. ReadHeadRow returns false for an invalid state.
#define REFEREE_HEAD_COLUMNS \
  "key, state, version, next_block, counted, replayed, season, home, name"
bool ReadHeadRow(const SqlStatement& row, Head* head);
// Returns NotFound. A writing transaction locks the row: other writers wait until it ends.
absl::StatusOr<Head> ReadHead(SqlDatabase* db, const CompetitionId& id);
// Writes all columns except state, season and home.
absl::Status WriteHead(SqlDatabase* db, const Head& head);
// Returns NotFound.
absl::StatusOr<Competition> ReadWithoutEntrants(SqlDatabase* db, const CompetitionId& id);

// Inserts the entrants of a new competition with this key.
absl::Status InsertFirstEntrants(SqlDatabase* db, int64_t key,
                                 const std::vector<std::string>& names);
// The part of Store::SetVersion for ladders.
absl::Status SetVersionInLadders(SqlDatabase* db, absl::string_view name, absl::string_view version,
                                 VersionSource source);
// The columns of a suspension; zero if there is none.
absl::Time SuspendedUntil(const absl::optional<Suspension>& suspension);
int64_t SuspendedFor(const absl::optional<Suspension>& suspension);  // nanoseconds

// Returns Aborted unless the lease lasts at `now`, the store's time. Until the transaction ends,
// the lease can be renewed but not ended.
absl::Status CheckLease(SqlDatabase* db, const Lease& lease, absl::Time now);

// The columns of a BlockRow. ReadBlockRow returns false for an invalid state.
#define REFEREE_BLOCK_COLUMNS                                                                     \
  "block.number, bots, attempt, block.state, block_id, match_ids, results, times, forfeited_by, " \
  "block.reason, owner, begin_time, end_time"
bool ReadBlockRow(const SqlStatement& row, BlockRow* block);
// Stores the record of attempt `number` at a block of the competition with this key.
absl::Status PutOnRecord(SqlDatabase* db, int64_t key, int64_t block, int number,
                         const Attempt& attempt);

}  // namespace referee::store

#endif  // REFEREE_STORE_TABLES_H_
