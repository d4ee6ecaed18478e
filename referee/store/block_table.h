// Blocks, pair totals and leases in SQLite. Every function runs within its caller's transaction.
// store.h says what each does and returns.
#ifndef REFEREE_STORE_BLOCK_TABLE_H_
#define REFEREE_STORE_BLOCK_TABLE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/store/competition_table.h"
#include "referee/store/database.h"
#include "referee/store/store.h"

namespace referee::store::block_table {

// The changes of one Store::Apply.
class Changes {
 public:
  explicit Changes(Connection* db) : db_(db) {}

  absl::Status Make(const Change& change);
  // Writes their effect on the competitions. Call it last.
  absl::Status Finish();

 private:
  // A block that a change names, in the state that the change requires.
  struct Open {
    competition_table::Head* head = nullptr;
    Block block;
    bool repeated = false;  // the change was made before: there is nothing to do
  };

  absl::Status MakeOne(const BeginBlock& begin);
  absl::Status MakeOne(const NameMatches& name);
  absl::Status MakeOne(const RetryBlock& retry);
  absl::Status MakeOne(const FinishBlock& finish);
  absl::Status MakeOne(const DropBlock& drop);
  absl::Status MakeOne(const CountBlocks& count);

  absl::StatusOr<competition_table::Head*> HeadOf(const CompetitionId& id);
  // Returns NotFound, or Aborted unless the block is RUNNING in this attempt for this owner.
  template <typename BlockChange>
  absl::StatusOr<Open> FindOpen(const BlockChange& change);

  Connection* const db_;
  absl::flat_hash_map<CompetitionId, competition_table::Head> heads_;
};

absl::Status RenewLease(Connection* db, absl::string_view owner, absl::Time until);
absl::StatusOr<std::vector<Block>> ClaimExpired(Connection* db, absl::string_view owner,
                                                absl::Time now);
absl::StatusOr<std::vector<Block>> ListOpen(Connection* db, const CompetitionId& id);
absl::StatusOr<Block> Get(Connection* db, const CompetitionId& id, int64_t number);
absl::StatusOr<std::vector<Block>> List(Connection* db, const CompetitionId& id, int64_t from,
                                        int limit, absl::optional<int> entrant);
absl::StatusOr<std::vector<PairTotal>> ReadPairTotals(Connection* db, const CompetitionId& id);
absl::StatusOr<std::vector<PairTotal>> ListPairTotals(Connection* db, const CompetitionId& id,
                                                      std::pair<int, int> from, int limit,
                                                      absl::optional<int> entrant);
absl::Status ReadOutcomes(
    Connection* db, const CompetitionId& id, int64_t from, int64_t to,
    absl::FunctionRef<bool(int64_t number, const rating::BlockOutcome& outcome)> take);

}  // namespace referee::store::block_table

#endif  // REFEREE_STORE_BLOCK_TABLE_H_
