// The published view of the store: withholds results for the watch delay of each competition.
//
// For a competition with a delay (COMPETITION.md, "Watch delay") it shows results as the store had
// them that much earlier, and everything else as it is now:
//
// - A block whose end is withheld appears as running.
// - A block appears as counted when its end and the ends of all blocks before it are published.
//   Tallies, ratings, pair totals and the state of a test cover these blocks.
// - A competition appears as running until the delay has passed since it finished.
//
// So nothing computed from this view reveals withheld results: standings, rounds, next pairings,
// and the coin flips and seeds of a finished competition. The first reader after a start waits
// until all blocks have been read and counted again.
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

// Returns the block as published: as it was at `until`. `counted`: it is published as counted.
store::Block ToldBlock(store::Block block, absl::Time until, bool counted);

// The result of counting the first blocks of a competition: the tallies and ratings of entrants,
// and pair totals. They equal the store's when exactly these blocks were counted. Pure;
// thread-compatible.
//
//   ToldCount count(competition);
//   count.KnowEntrants(entrants);
//   count.Add(block);                     // number 0, then the next, ...
//   count.Entrants(entrants)[0].tally     // over these
class ToldCount {
 public:
  // Starts with no blocks.
  explicit ToldCount(const store::Competition& competition);

  // Updates the entrants from the store, by number; there may be more than before. Call before
  // adding a block that was counted after a new entrant came.
  void KnowEntrants(const std::vector<store::Entrant>& entrants);
  // Adds a block. REQUIRES: its number is counted(), the store has counted it, and its entrants are
  // known.
  void Add(const store::Block& block);

  // The number of blocks added.
  int64_t counted() const { return row_.counted; }
  // Returns the entrants with the tallies and ratings from the added blocks.
  std::vector<store::Entrant> Entrants(std::vector<store::Entrant> entrants) const;
  // By (low, high).
  const std::map<std::pair<int, int>, store::PairTotal>& pairs() const { return pairs_; }

 private:
  // Seeds the rating of every entrant that replaced another one at or before block `counted`.
  void SucceedUntil(int64_t counted);
  void AddPair(const store::PairTotal& pair);

  store::Competition row_;  // `counted` is the number of blocks added here
  std::vector<store::Entrant> entrants_;
  size_t next_successor_ = 0;  // entrants below this number have their first rating
  absl::optional<rating::Sprt> sprt_;
  std::map<std::pair<int, int>, store::PairTotal> pairs_;
};

// Thread-safe.
class ToldStore final : public store::CompetitionReader {
 public:
  // Both must outlive this object.
  ToldStore(store::CompetitionReader* store, const Clock* clock) : store_(*store), clock_(*clock) {}

  // How far the published view of a competition is behind.
  struct Lag {
    bool whole = true;          // nothing is withheld: all counted and begun blocks are published
    int64_t blocks_untold = 0;  // begun, but not published
    int blocks_running = 0;     // published as running; not set if nothing is withheld
  };
  // Returns NotFound, or the store's error.
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
  // What is published of a competition; the default is everything.
  struct Told {
    bool delayed = false;
    absl::Time until = absl::InfiniteFuture();  // events after this time are withheld
    // The number of blocks published as counted, and as begun, from block 0 without a gap.
    int64_t counted = std::numeric_limits<int64_t>::max();
    int64_t begun = std::numeric_limits<int64_t>::max();
    bool whole = true;  // as in Lag
  };
  // The publication state of one competition.
  struct Entry {
    Mutex mutex;
    absl::Duration delay ABSL_GUARDED_BY(mutex);
    absl::Time until ABSL_GUARDED_BY(mutex) = absl::InfinitePast();
    std::unique_ptr<ToldCount> count ABSL_GUARDED_BY(mutex);
    int64_t begun ABSL_GUARDED_BY(mutex) = 0;
    // The end time of the next block to publish as over, and the begin time of the next to publish
    // as begun. Until then nothing need be read.
    absl::Time next_end ABSL_GUARDED_BY(mutex) = absl::InfinitePast();
    absl::Time next_begin ABSL_GUARDED_BY(mutex) = absl::InfinitePast();
  };

  // Convert rows of the store to their published form.
  static absl::StatusOr<std::vector<store::Block>> TellBlocks(
      const Told& told, absl::StatusOr<std::vector<store::Block>> blocks);
  absl::StatusOr<std::vector<store::Competition>> TellAll(
      absl::StatusOr<std::vector<store::Competition>> rows);
  // Returns what of a competition is published now. Returns the store's error.
  absl::StatusOr<Told> ToldOf(const store::Competition& row);
  absl::StatusOr<Told> ToldOf(const store::CompetitionId& id);
  std::shared_ptr<Entry> EntryOf(const store::CompetitionId& id);
  // Brings the entry up to the present.
  absl::Status Advance(const store::Competition& row, absl::Time until, Entry* entry)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(entry->mutex);
  absl::Status AdvanceCount(const store::Competition& row, Entry* entry)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(entry->mutex);
  absl::Status AdvanceBegun(const store::Competition& row, Entry* entry)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(entry->mutex);
  // Returns the number of blocks published as over but not as counted.
  absl::StatusOr<int64_t> CountOver(const store::CompetitionId& id, const Told& told);
  // Returns the published row. Its version increases with each newly published block.
  absl::StatusOr<store::Competition> Tell(absl::StatusOr<store::Competition> row);
  static void TellRow(const Told& told, store::Competition* row);

  store::CompetitionReader& store_;
  const Clock& clock_;
  Mutex mutex_;
  // Competitions that still have something to withhold.
  std::map<store::CompetitionId, std::shared_ptr<Entry>> entries_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_TOLD_STORE_H_
