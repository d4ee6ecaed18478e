// What the changes of one Store::Apply do, decided without a database. An implementation reads what
// they name (WantedBy), has them made here, and writes what has changed; so each row is read and
// written once, however many changes are about it, and in as many or few statements as the database
// likes best. Pure; thread-compatible.
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

// The part of a competition that changes of blocks need; `key` is its key in other tables.
struct Head {
  int64_t key = 0;
  std::string name;  // of the competition, for errors
  CompetitionState state = CompetitionState::kNew;
  int64_t version = 0;
  int64_t next_block = 0;
  int64_t counted = 0;
  int64_t replayed = 0;
  int season = 1;
  int64_t home_term = 0;
};

// A block as its row has it: texts in the notation of block_text.h.
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

// What changes name of a competition.
struct WantedOfCompetition {
  std::set<int64_t> blocks;  // those of these numbers
  int64_t open_below = 0;    // the numbers of RUNNING blocks below this one
  std::set<int> entrants;    // of whom it is asked whether they are in
};
std::map<CompetitionId, WantedOfCompetition> WantedBy(absl::Span<const Change> changes);

// A competition: what was read of it, and what becomes of that.
class ChangedCompetition {
 public:
  // The changes are made under `lease`, which lasts, and must outlive this.
  ChangedCompetition(const Lease& lease, const Head& head, int entrants)
      : lease_(lease), head_(head), entrants_(entrants) {}

  // What was read. A block that was wanted and is not added is none.
  void AddBlock(BlockRow row);
  void AddOpenBlock(int64_t number) { open_.insert(number); }
  void AddEntrantThatIsIn(int entrant) { in_.insert(entrant); }

  // Makes a change. Returns what Store::Apply does; then nothing of this is to be written.
  absl::Status Make(const BeginBlock& begin);
  absl::Status Make(const NameMatches& name);
  absl::Status Make(const RetryBlock& retry);
  absl::Status Make(const FinishBlock& finish);
  absl::Status Make(const DropBlock& drop);
  absl::Status Make(const CountBlocks& count);

  // --- What is to be written ---

  const Head& head() const { return head_; }
  struct Changed {
    BlockRow row;
    bool is_new = false;
    bool differs = false;  // or it is as it was read
  };
  const std::map<int64_t, Changed>& blocks() const { return blocks_; }
  // The record of an attempt at a block. The changes own what it points to.
  struct OnRecord {
    int64_t block = 0;
    int number = 0;
    const Attempt* attempt = nullptr;
  };
  const std::vector<OnRecord>& attempts() const { return attempts_; }
  // That an entrant plays a block that begins; and how many blocks of each entrant do.
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
  // PLAYED blocks from `from` up to `to`, among them those that were not read, become DROPPED. It
  // comes after the blocks.
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
    bool repeated = false;  // the change was made before: there is nothing to do
  };
  // Returns NotFound, or Aborted unless the block is RUNNING in this attempt, of the owner. Takes
  // it for granted that the change is made then.
  template <typename BlockChange>
  absl::StatusOr<Open> FindOpen(const BlockChange& change);
  // Returns Aborted unless the home is under the lease.
  absl::Status CheckHome(const CompetitionId& id) const;
  void End(BlockRow* row, BlockState state, const std::string& reason, absl::Time time);
  void PutOnRecord(const BlockRow& row, const Attempt& attempt);
  void DropSurplus(const CountBlocks::Surplus& surplus, int64_t to);
  // Returns whether it sets the entrant aside.
  bool Count(const CountBlocks::Line& line);

  const Lease& lease_;
  Head head_;
  const int entrants_;  // how many there are
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

// Makes all changes, in order, on the competitions that were read. Returns what Store::Apply does.
absl::Status MakeChanges(absl::Span<const Change> changes,
                         std::map<CompetitionId, ChangedCompetition>* competitions);

}  // namespace referee::store

#endif  // REFEREE_STORE_BLOCK_CHANGES_H_
