// Blocks and pair totals, in SQL; lease_table.h has the leases that blocks are under,
// block_changes.h what changes of blocks do. Every function runs within its caller's transaction.
// store.h says what each does and returns.
#ifndef REFEREE_STORE_BLOCK_TABLE_H_
#define REFEREE_STORE_BLOCK_TABLE_H_

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
#include "absl/types/span.h"
#include "referee/store/sql.h"
#include "referee/store/store.h"

namespace referee::store::block_table {

// Keeps the record of attempt `number` at a block of the competition of this key.
absl::Status PutOnRecord(SqlDatabase* db, int64_t key, int64_t block, int number,
                         const Attempt& attempt);

// Puts under `lease` the RUNNING blocks of those who have no lease, of competitions whose home it
// is. `now` goes on record.
absl::StatusOr<std::vector<Block>> ClaimLeft(SqlDatabase* db, const Lease& lease, absl::Time now);
// Gives `owner` the blocks of `former`.
absl::StatusOr<std::vector<Block>> TakeOver(SqlDatabase* db, absl::string_view owner,
                                            absl::Span<const std::string> former);
absl::StatusOr<std::vector<Block>> ListOpen(SqlDatabase* db, const CompetitionId& id);
absl::StatusOr<Block> Get(SqlDatabase* db, const CompetitionId& id, int64_t number);
absl::StatusOr<std::vector<Block>> List(SqlDatabase* db, const CompetitionId& id, int64_t from,
                                        int limit, absl::optional<int> entrant);
absl::StatusOr<std::vector<Block>> ListBelow(SqlDatabase* db, const CompetitionId& id,
                                             int64_t below, int limit, absl::optional<int> entrant);
absl::StatusOr<std::vector<PairTotal>> ReadPairTotals(SqlDatabase* db, const CompetitionId& id);
absl::StatusOr<std::vector<PairTotal>> ListPairTotals(SqlDatabase* db, const CompetitionId& id,
                                                      std::pair<int, int> from, int limit,
                                                      absl::optional<int> entrant);
absl::Status ReadOutcomes(
    SqlDatabase* db, const CompetitionId& id, int64_t from, int64_t to,
    absl::FunctionRef<bool(int64_t number, const rating::BlockOutcome& outcome)> take);

}  // namespace referee::store::block_table

#endif  // REFEREE_STORE_BLOCK_TABLE_H_
