// What onlookers may be told of the store's competitions (COMPETITION.md, "Watch delay"). Of one
// with a delay it says what the store said so much earlier, and everything else as it is now:
//
// - What has not been told as over is told as being played.
// - A block is told as counted when it, and all blocks before it, are told as over: tallies,
//   ratings, totals of pairs and the state of a test are those over these blocks.
// - A competition is told as running until the delay has passed since it was finished.
//
// So whatever is reckoned from what this says gives nothing away that is not told yet: standings,
// rounds, who meets whom next, and the lots and seeds that a finished competition reveals. The
// first reader after a start waits until all blocks have been read and counted anew.
#ifndef REFEREE_COMPETITION_TOLD_STORE_H_
#define REFEREE_COMPETITION_TOLD_STORE_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/rating/sprt.h"
#include "referee/store/store.h"

namespace referee::competition {

// The block as it is told: as it was at `until`. `counted`: it is told as counted.
store::Block ToldBlock(store::Block block, absl::Time until, bool counted);

// What the first blocks of a competition count to, as the store had it when just these were
// counted: the tallies and ratings of its entrants, and the totals of pairs. Pure;
// thread-compatible.
//
//   ToldCount count(competition);
//   count.KnowEntrants(entrants);
//   count.Add(block);                     // number 0, then the next, ...
//   count.Entrants(entrants)[0].tally     // over these
class ToldCount {
 public:
  // Of no block yet.
  explicit ToldCount(const store::Competition& competition);

  // The store's entrants, by number, of whom there may be more than before. To be called before a
  // block is added that was counted after one of them had come.
  void KnowEntrants(const std::vector<store::Entrant>& entrants);
  // REQUIRES: the block has the number counted(), the store has counted it, and its entrants are
  // known.
  void Add(const store::Block& block);

  // How many blocks were added.
  int64_t counted() const { return row_.counted; }
  // The same entrants, with the tallies and ratings that these blocks give them.
  std::vector<store::Entrant> Entrants(std::vector<store::Entrant> entrants) const;
  // By (low, high).
  const std::map<std::pair<int, int>, store::PairTotal>& pairs() const { return pairs_; }

 private:
  // Gives those their first rating that took the place of others when so many blocks were counted,
  // or fewer.
  void SucceedUntil(int64_t counted);
  void AddPair(const store::PairTotal& pair);

  store::Competition row_;  // `counted` is that of here
  std::vector<store::Entrant> entrants_;
  size_t next_successor_ = 0;  // an entrant: those before have their first rating
  absl::optional<rating::Sprt> sprt_;
  std::map<std::pair<int, int>, store::PairTotal> pairs_;
};

// Thread-safe.
class ToldStore final : public store::CompetitionReader {
 public:
  // Both must outlive it.
  ToldStore(store::CompetitionReader* store, const Clock* clock) : store_(*store), clock_(*clock) {}

  // How far what is told of a competition is behind.
  struct Lag {
    bool whole = true;          // it is not: all that is counted and begun is told
    int64_t blocks_untold = 0;  // that have begun, and are not told of
    int blocks_running = 0;     // that are told as being played; not known if it is whole
  };
  // Returns NotFound, or what the store says.
  absl::StatusOr<Lag> LagOf(const store::CompetitionId& id);

  // store::CompetitionReader
  absl::StatusOr<store::Competition> GetCompetition(const store::CompetitionId& id) override;
  absl::StatusOr<store::Competition> FindCompetition(absl::string_view name) override;
  absl::StatusOr<std::vector<store::Competition>> ListCompetitions(
      const store::CompetitionId& before, int limit) override;
  absl::StatusOr<std::vector<store::Competition>> ListCompetitionsOf(
      absl::string_view bot, const store::CompetitionId& before, int limit) override;
  absl::StatusOr<std::vector<std::string>> ReadPositions(const store::CompetitionId& id) override;
  absl::StatusOr<std::vector<store::Entrant>> ReadEntrants(const store::CompetitionId& id) override;
  absl::StatusOr<store::Block> GetBlock(const store::CompetitionId& id, int64_t number) override;
  absl::StatusOr<std::vector<store::Block>> ListBlocks(const store::CompetitionId& id, int64_t from,
                                                       int limit,
                                                       absl::optional<int> entrant) override;
  absl::StatusOr<std::vector<store::Block>> ListBlocksBelow(const store::CompetitionId& id,
                                                            int64_t below, int limit,
                                                            absl::optional<int> entrant) override;
  absl::StatusOr<std::vector<store::PairTotal>> ReadPairTotals(
      const store::CompetitionId& id) override;
  absl::StatusOr<std::vector<store::PairTotal>> ListPairTotals(
      const store::CompetitionId& id, std::pair<int, int> from, int limit,
      absl::optional<int> entrant) override;
  absl::Status ReadOutcomes(
      const store::CompetitionId& id, int64_t from, int64_t to,
      absl::FunctionRef<bool(int64_t number, const rating::BlockOutcome& outcome)> take) override;

 private:
  // What is told of a competition: all as it is, unless it has a delay.
  struct Told {
    bool delayed = false;
    absl::Time until = absl::InfiniteFuture();  // what happened after that is not told
    // Blocks that are, from the first without a gap.
    int64_t counted = std::numeric_limits<int64_t>::max();
    int64_t begun = std::numeric_limits<int64_t>::max();
    bool whole = true;  // as in Lag
  };
  // Of one competition.
  struct Entry {
    Mutex mutex;
    absl::Duration delay ABSL_GUARDED_BY(mutex);
    absl::Time until ABSL_GUARDED_BY(mutex) = absl::InfinitePast();
    std::unique_ptr<ToldCount> count ABSL_GUARDED_BY(mutex);
    int64_t begun ABSL_GUARDED_BY(mutex) = 0;
    // When the next block to be told as over ended, and the next to be told as begun began; before
    // that is told nothing need be read.
    absl::Time next_end ABSL_GUARDED_BY(mutex) = absl::InfinitePast();
    absl::Time next_begin ABSL_GUARDED_BY(mutex) = absl::InfinitePast();
  };

  // Each as it is told.
  static absl::StatusOr<std::vector<store::Block>> TellBlocks(
      const Told& told, absl::StatusOr<std::vector<store::Block>> blocks);
  absl::StatusOr<std::vector<store::Competition>> TellAll(
      absl::StatusOr<std::vector<store::Competition>> rows);
  // What may be told of a competition now. Returns the store's error.
  absl::StatusOr<Told> ToldOf(const store::Competition& row);
  absl::StatusOr<Told> ToldOf(const store::CompetitionId& id);
  std::shared_ptr<Entry> EntryOf(const store::CompetitionId& id);
  // Brings the entry to the present.
  absl::Status Advance(const store::Competition& row, absl::Time until, Entry* entry)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(entry->mutex);
  absl::Status AdvanceCount(const store::Competition& row, Entry* entry)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(entry->mutex);
  absl::Status AdvanceBegun(const store::Competition& row, Entry* entry)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(entry->mutex);
  // How many blocks are told as over, though not as counted.
  absl::StatusOr<int64_t> CountOver(const store::CompetitionId& id, const Told& told);
  // The row as it is told. Its version rises with whatever is told.
  absl::StatusOr<store::Competition> Tell(absl::StatusOr<store::Competition> row);
  static void TellRow(const Told& told, store::Competition* row);

  store::CompetitionReader& store_;
  const Clock& clock_;
  Mutex mutex_;
  // Those that are not wholly told for good.
  std::map<store::CompetitionId, std::shared_ptr<Entry>> entries_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_TOLD_STORE_H_
