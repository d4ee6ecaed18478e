// Computes the effects of the changes of one Store::Apply, without a database.
//
// An implementation reads the rows that the changes name (WantedBy), makes the changes here, and
// writes the changed rows. So it reads and writes each row once, whatever the number of changes, in
// any number of statements. Pure; thread-compatible.
#ifndef REFEREE_STORE_BLOCK_CHANGES_H_
#define REFEREE_STORE_BLOCK_CHANGES_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/store/store.h"

namespace referee::store {

// The columns of a competition that changes of blocks need. `key` is its key in other tables.
struct Head {
  int64_t key = 0;
  std::string name;  // name of the competition, for errors
  CompetitionState state = CompetitionState::kNew;
  int64_t version = 0;
  int64_t next_block = 0;
  int64_t counted = 0;
  int64_t replayed = 0;
  int season = 1;
  int64_t home_term = 0;
};

// A row of a block; text columns are in the notation of block_text.h.
struct BlockRow {
  int64_t number = 0;
  std::string bots;
  int attempt = 0;
  BlockState state = BlockState::kRunning;
  std::string block_id;
  std::string match_ids;
  std::string results;
  std::string times;
  std::string forfeited_by;
  std::string reason;
  std::string owner;
  absl::Time begin_time;
  absl::optional<absl::Time> end_time;
};

// The rows of a competition that changes name.
struct WantedOfCompetition {
  std::set<int64_t> blocks;  // numbers
  int64_t open_below = 0;    // also the numbers of RUNNING blocks below this one
  std::set<int> entrants;    // whose presence is needed
};
std::map<CompetitionId, WantedOfCompetition> WantedBy(absl::Span<const Change> changes);

// A competition: the rows that were read, and their changes.
class ChangedCompetition {
 public:
  // `lease` has been checked. It must outlive this object.
  ChangedCompetition(const Lease& lease, const Head& head, int entrants)
      : lease_(lease), head_(head), entrants_(entrants) {}

  // Add the rows that were read. A wanted block that is not added does not exist.
  void AddBlock(BlockRow row);
  void AddOpenBlock(int64_t number) { open_.insert(number); }
  void AddEntrantThatIsIn(int entrant) { in_.insert(entrant); }

  // Makes a change. After an error of Store::Apply, nothing of this object must be written.
  absl::Status Make(const BeginBlock& begin);
  absl::Status Make(const NameMatches& name);
  absl::Status Make(const RetryBlock& retry);
  absl::Status Make(const FinishBlock& finish);
  absl::Status Make(const DropBlock& drop);
  absl::Status Make(const CountBlocks& count);

  // --- Rows to write ---

  const Head& head() const { return head_; }
  struct Changed {
    BlockRow row;
    bool is_new = false;
    bool differs = false;  // false: as it was read
  };
  const std::map<int64_t, Changed>& blocks() const { return blocks_; }
  // The record of an attempt. Points into the change.
  struct OnRecord {
    int64_t block = 0;
    int number = 0;
    const Attempt* attempt = nullptr;
  };
  const std::vector<OnRecord>& attempts() const { return attempts_; }
  // The entrants of blocks that begin, and the number of these blocks by entrant.
  struct Begun {
    int64_t block = 0;
    int entrant = 0;
  };
  const std::vector<Begun>& begun() const { return begun_; }
  const std::map<int, int64_t>& blocks_begun() const { return blocks_begun_; }
  const std::map<int, const Tally*>& tallies() const { return tallies_; }
  struct SetAside {
    int entrant = 0;
    std::string reason;
    int64_t out_from = 0;
    absl::optional<Suspension> suspension;
  };
  const std::vector<SetAside>& set_aside() const { return set_aside_; }
  const std::map<std::pair<int, int>, PairTotal>& pairs() const { return pairs_; }
  // PLAYED blocks from `from` up to `to` become DROPPED, also those that were not read. Apply it
  // after blocks().
  struct Surplus {
    int64_t from = 0;
    int64_t to = 0;
    std::string reason;
  };
  const std::vector<Surplus>& surplus() const { return surplus_; }

 private:
  // A block that a change names, in the state that the change requires.
  struct Open {
    BlockRow* row = nullptr;
    bool repeated = false;  // the change was made before, and does nothing
  };
  // Returns NotFound, or Aborted unless the block is RUNNING in this attempt, owned by the lease.
  // Assumes that the caller then makes the change.
  template <typename BlockChange>
  absl::StatusOr<Open> FindOpen(const BlockChange& change);
  // Returns Aborted unless the lease owns the competition.
  absl::Status CheckHome(const CompetitionId& id) const;
  void End(BlockRow* row, BlockState state, const std::string& reason, absl::Time time);
  void PutOnRecord(const BlockRow& row, const Attempt& attempt);
  void DropSurplus(const CountBlocks::Surplus& surplus, int64_t to);
  // Returns whether the entrant becomes suspended.
  bool Count(const CountBlocks::Line& line);

  const Lease& lease_;
  Head head_;
  const int entrants_;  // number of entrants
  std::map<int64_t, Changed> blocks_;
  std::set<int64_t> open_;
  std::set<int> in_;
  std::vector<OnRecord> attempts_;
  std::vector<Begun> begun_;
  std::map<int, int64_t> blocks_begun_;
  std::map<int, const Tally*> tallies_;
  std::vector<SetAside> set_aside_;
  std::map<std::pair<int, int>, PairTotal> pairs_;
  std::vector<Surplus> surplus_;
};

// Makes all changes, in order. Returns the errors of Store::Apply.
absl::Status MakeChanges(absl::Span<const Change> changes,
                         std::map<CompetitionId, ChangedCompetition>* competitions);

}  // namespace referee::store

#endif  // REFEREE_STORE_BLOCK_CHANGES_H_
