// The part of the store for competitions and their entrants. store.h states the guarantees of every
// call.
#ifndef REFEREE_STORE_COMPETITION_STORE_H_
#define REFEREE_STORE_COMPETITION_STORE_H_

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
#include "referee/rating/block.h"
#include "referee/schedule/spec.h"
#include "referee/store/account.h"
#include "referee/store/block.h"
#include "referee/store/competition.h"

namespace referee::store {

// Read-only access to competitions. Thread-safe; errors are those of Store.
class CompetitionReader {
 public:
  virtual ~CompetitionReader() = default;

  // Both return NotFound.
  virtual absl::StatusOr<Competition> GetCompetition(const CompetitionId& id) = 0;
  virtual absl::StatusOr<Competition> FindCompetition(absl::string_view name) = 0;
  // Returns at most `limit` competitions older than `before`, newest (by id) first;
  // default-constructed: from the newest. Without entrants.
  virtual absl::StatusOr<std::vector<Competition>> ListCompetitions(const CompetitionId& before,
                                                                    int limit) = 0;
  // The same for competitions that have an entrant of this name.
  virtual absl::StatusOr<std::vector<Competition>> ListCompetitionsOf(absl::string_view bot,
                                                                      const CompetitionId& before,
                                                                      int limit) = 0;

  // Returns the start positions of its blocks, as in its spec, or NotFound.
  virtual absl::StatusOr<std::vector<std::string>> ReadPositions(const CompetitionId& id) = 0;
  // Returns all entrants, by number. Like every call with the id of a competition, returns NotFound
  // for an unknown one.
  virtual absl::StatusOr<std::vector<Entrant>> ReadEntrants(const CompetitionId& id) = 0;

  // Returns NotFound.
  virtual absl::StatusOr<Block> GetBlock(const CompetitionId& id, int64_t number) = 0;
  // Returns at most `limit` blocks with numbers from `from` on, in order; with `entrant`, only its
  // own.
  virtual absl::StatusOr<std::vector<Block>> ListBlocks(const CompetitionId& id, int64_t from,
                                                        int limit, absl::optional<int> entrant) = 0;
  // The same for numbers below `below`, the last one first.
  virtual absl::StatusOr<std::vector<Block>> ListBlocksBelow(const CompetitionId& id, int64_t below,
                                                             int limit,
                                                             absl::optional<int> entrant) = 0;

  // --- For ratings ---

  // Returns the totals of all pairs that have met in counted blocks, by low and high.
  virtual absl::StatusOr<std::vector<PairTotal>> ReadPairTotals(const CompetitionId& id) = 0;
  // Returns at most `limit` totals from the pair `from` (low, high) on, which need not exist; with
  // `entrant`, only its own.
  virtual absl::StatusOr<std::vector<PairTotal>> ListPairTotals(const CompetitionId& id,
                                                                std::pair<int, int> from, int limit,
                                                                absl::optional<int> entrant) = 0;
  // Calls `take` with every PLAYED block from `from` up to `to` (excluded), in order, until it
  // returns false. All are read as of one moment; others may write meanwhile. `take` must not call
  // the store.
  virtual absl::Status ReadOutcomes(
      const CompetitionId& id, int64_t from, int64_t to,
      absl::FunctionRef<bool(int64_t number, const rating::BlockOutcome& outcome)> take) = 0;
};

// Calls `take` with all competitions, newest first and without entrants, until it returns an error.
// Returns that error, or the store's.
absl::Status ForEachCompetition(CompetitionReader* store,
                                absl::FunctionRef<absl::Status(const Competition&)> take);
// Calls `take` with all blocks with numbers from `from` on, in order. Returns the store's error.
absl::Status ForEachBlock(CompetitionReader* store, const CompetitionId& id, int64_t from,
                          absl::FunctionRef<void(const Block&)> take);

class CompetitionStore : public CompetitionReader {
 public:
  // Makes a competition, in state NEW, and returns it. Its entrants have the versions of their
  // accounts. A second call with the same non-empty request_id returns the first competition if its
  // spec is the same, else AlreadyExists. Returns AlreadyExists when the name or the id is taken.
  virtual absl::StatusOr<Competition> CreateCompetition(
      const Competition& competition, const absl::optional<AuditEntry>& audit) = 0;
  // Returns all competitions that are not FINISHED, oldest first, without entrants.
  virtual absl::StatusOr<std::vector<Competition>> ListUnfinished() = 0;
  // Changes a competition's state from `from` to `to`, and returns it without entrants. `time`
  // becomes the start or finish time where that applies. Returns Aborted if it is not in state
  // `from`; NotFound; FailedPrecondition for FINISHED while a block is RUNNING.
  virtual absl::StatusOr<Competition> SetState(const CompetitionId& id, CompetitionState from,
                                               CompetitionState to, absl::Time time,
                                               const absl::optional<AuditEntry>& audit) = 0;

  // Begins another life of the store after it was restored from a copy. Pinned dice and coin flips
  // of competitions that are not FINISHED then differ from those that the original plays, or has
  // revealed. `life`: 32 random hex digits.
  virtual absl::Status BeginLife(absl::string_view life) = 0;

  // Replaces the spec of a competition, except entrants and positions; raises its version, and
  // returns it without entrants. Returns NotFound; Aborted when its version is not `version` any
  // more; AlreadyExists when another competition has the name.
  virtual absl::StatusOr<Competition> UpdateSpec(const CompetitionId& id, int64_t version,
                                                 const schedule::Spec& spec,
                                                 const absl::optional<AuditEntry>& audit) = 0;
  // Removes a competition with its entrants, blocks and pair totals. Returns NotFound. Returns
  // FailedPrecondition unless it is NEW or FINISHED, and while its replays must be kept: only the
  // competition's row says so.
  virtual absl::Status RemoveCompetition(const CompetitionId& id,
                                         const absl::optional<AuditEntry>& audit) = 0;

  // Returns the entrants of a bot in at most `limit` competitions: the newest competition first,
  // and in it the latest entrant first.
  virtual absl::StatusOr<std::vector<Entry>> ListEntries(absl::string_view name, int limit) = 0;
  // Enters a bot. A new bot gets the next number. A bot that was withdrawn or suspended returns
  // with its old number and no silences. A bot that is in changes nothing, and adds no audit entry.
  // A bot with another version, or back after a new season has begun, becomes another entrant, as
  // in SetVersion. Returns FailedPrecondition when the competition is FINISHING or FINISHED.
  // Returns ResourceExhausted when it has limits::kMaxEntrants, or the bot would exceed
  // limits::kMaxVersionsPerSeason.
  virtual absl::StatusOr<Entrant> Join(const CompetitionId& id, absl::string_view name,
                                       const absl::optional<AuditEntry>& audit) = 0;
  // Takes a bot out: `out` is kWithdrawn or kSetAside. A suspended bot may become withdrawn. Any
  // other change to a bot that is out does nothing, and adds no audit entry. Returns NotFound when
  // it is not an entrant.
  virtual absl::StatusOr<Entrant> TakeOut(const CompetitionId& id, absl::string_view name,
                                          Presence out, absl::string_view reason,
                                          const absl::optional<AuditEntry>& audit) = 0;
  // Begins the next season of a ladder, raises its version, and returns it without entrants: a new
  // entrant replaces each one that is in. A second call with the same non-empty request_id returns
  // the ladder unchanged, until another season has begun. Returns FailedPrecondition unless it is
  // RUNNING or PAUSED, ResourceExhausted when it would exceed limits::kMaxEntrants. REQUIRES: it is
  // a ladder.
  virtual absl::StatusOr<Competition> BeginSeason(const CompetitionId& id,
                                                  absl::string_view request_id, absl::Time time,
                                                  const absl::optional<AuditEntry>& audit) = 0;
};

}  // namespace referee::store

#endif  // REFEREE_STORE_COMPETITION_STORE_H_
