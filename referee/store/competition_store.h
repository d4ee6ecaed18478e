// What the store does with competitions and their entrants, and what it says of them. store.h says
// what holds for every call.
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

// What a store says of competitions to those who read them. Thread-safe; returns what Store does.
class CompetitionReader {
 public:
  virtual ~CompetitionReader() = default;

  // Both return NotFound.
  virtual absl::StatusOr<Competition> GetCompetition(const CompetitionId& id) = 0;
  virtual absl::StatusOr<Competition> FindCompetition(absl::string_view name) = 0;
  // At most `limit` competitions, newest (by id) first, older than `before`; default-made: from the
  // newest. Without entrants.
  virtual absl::StatusOr<std::vector<Competition>> ListCompetitions(const CompetitionId& before,
                                                                    int limit) = 0;
  // The same of those that have an entrant of this name.
  virtual absl::StatusOr<std::vector<Competition>> ListCompetitionsOf(absl::string_view bot,
                                                                      const CompetitionId& before,
                                                                      int limit) = 0;

  // The positions that its blocks start from, as in its spec. Returns NotFound.
  virtual absl::StatusOr<std::vector<std::string>> ReadPositions(const CompetitionId& id) = 0;
  // All entrants, by number. This and every call that takes the id of a competition returns
  // NotFound for an unknown one.
  virtual absl::StatusOr<std::vector<Entrant>> ReadEntrants(const CompetitionId& id) = 0;

  // Returns NotFound.
  virtual absl::StatusOr<Block> GetBlock(const CompetitionId& id, int64_t number) = 0;
  // At most `limit` blocks of numbers from `from` on, in order; with `entrant`, only its own.
  virtual absl::StatusOr<std::vector<Block>> ListBlocks(const CompetitionId& id, int64_t from,
                                                        int limit, absl::optional<int> entrant) = 0;
  // The same of numbers below `below`, the last one first.
  virtual absl::StatusOr<std::vector<Block>> ListBlocksBelow(const CompetitionId& id, int64_t below,
                                                             int limit,
                                                             absl::optional<int> entrant) = 0;

  // --- For ratings ---

  // All pairs that have met in blocks that are counted, by low and high.
  virtual absl::StatusOr<std::vector<PairTotal>> ReadPairTotals(const CompetitionId& id) = 0;
  // At most `limit` of them from the pair `from` (low, high) on, whether that is there or not; with
  // `entrant`, only its own.
  virtual absl::StatusOr<std::vector<PairTotal>> ListPairTotals(const CompetitionId& id,
                                                                std::pair<int, int> from, int limit,
                                                                absl::optional<int> entrant) = 0;
  // Calls `take` with every PLAYED block of numbers `from` to `to` (not included), in order, all as
  // of one moment, until it returns false. Others may write meanwhile; `take` must not call the
  // store.
  virtual absl::Status ReadOutcomes(
      const CompetitionId& id, int64_t from, int64_t to,
      absl::FunctionRef<bool(int64_t number, const rating::BlockOutcome& outcome)> take) = 0;
};

// Calls `take` with all competitions, newest first and without entrants, until it returns an error.
// Returns that error, or the store's.
absl::Status ForEachCompetition(CompetitionReader* store,
                                absl::FunctionRef<absl::Status(const Competition&)> take);
// Calls `take` with all blocks of numbers from `from` on, in order. Returns the store's error.
absl::Status ForEachBlock(CompetitionReader* store, const CompetitionId& id, int64_t from,
                          absl::FunctionRef<void(const Block&)> take);

class CompetitionStore : public CompetitionReader {
 public:
  // Makes a competition, in state NEW, with its entrants, in the versions that their accounts have,
  // and returns it. A second call with the
  // same non-empty request_id returns the first competition if its spec is the same, else
  // AlreadyExists. Returns AlreadyExists when the name or the id is taken.
  virtual absl::StatusOr<Competition> CreateCompetition(
      const Competition& competition, const absl::optional<AuditEntry>& audit) = 0;
  // All that are not FINISHED, oldest first. Without entrants.
  virtual absl::StatusOr<std::vector<Competition>> ListUnfinished() = 0;
  // Changes a competition's state from `from` to `to`, and returns the competition, without
  // entrants. Returns Aborted if it is not in state `from`; NotFound; FailedPrecondition for
  // FINISHED while a block is RUNNING. `time` becomes the start or finish time where that applies.
  virtual absl::StatusOr<Competition> SetState(const CompetitionId& id, CompetitionState from,
                                               CompetitionState to, absl::Time time,
                                               const absl::optional<AuditEntry>& audit) = 0;

  // Notes that the store was restored from a copy, and begins another life of it: the pinned dice
  // and the lots of competitions that are not FINISHED are others from now on than those that the
  // original plays, or has revealed. `life`: 32 hex digits, drawn at random.
  virtual absl::Status BeginLife(absl::string_view life) = 0;

  // Gives a competition another spec, but for entrants and positions, which stay; raises its
  // version, and returns it, without entrants. Returns NotFound; Aborted when its version is not
  // `version` any more; AlreadyExists when another competition has the name.
  virtual absl::StatusOr<Competition> UpdateSpec(const CompetitionId& id, int64_t version,
                                                 const schedule::Spec& spec,
                                                 const absl::optional<AuditEntry>& audit) = 0;
  // Forgets a competition with its entrants, blocks and pair totals. Returns NotFound;
  // FailedPrecondition unless it is NEW or FINISHED, and while its replays are to be kept: without
  // the competition nothing would say so.
  virtual absl::Status RemoveCompetition(const CompetitionId& id,
                                         const absl::optional<AuditEntry>& audit) = 0;

  // Where the bot of this name is or was entered, newest competition first, and there the latest
  // entrant first; all of its entrants in at most `limit` competitions.
  virtual absl::StatusOr<std::vector<Entry>> ListEntries(absl::string_view name, int limit) = 0;
  // Enters a bot: with the next number or, if it was withdrawn or set aside, with its old one and
  // no silences; nothing changes, and nothing is audited, if it is in. One that has another version
  // than it had, or is back after a season has begun, comes as another entrant, as in SetVersion.
  // Returns FailedPrecondition when the competition is FINISHING or FINISHED, ResourceExhausted
  // when it has limits::kMaxEntrants, or another version of the bot would be beyond
  // limits::kMaxVersionsPerSeason.
  virtual absl::StatusOr<Entrant> Join(const CompetitionId& id, absl::string_view name,
                                       const absl::optional<AuditEntry>& audit) = 0;
  // Takes a bot out: it is `out` from now on, kWithdrawn or kSetAside. One that was set aside may
  // become withdrawn; nothing else changes, or is audited, for one that is out. Returns NotFound
  // when it is no entrant.
  virtual absl::StatusOr<Entrant> TakeOut(const CompetitionId& id, absl::string_view name,
                                          Presence out, absl::string_view reason,
                                          const absl::optional<AuditEntry>& audit) = 0;
  // Begins the next season of a ladder, raises its version, and returns it, without entrants: a new
  // entrant takes the place of each that is in. A second call with the same non-empty request_id
  // returns the ladder as it is, until another season has begun. Returns FailedPrecondition unless
  // it is RUNNING or PAUSED, ResourceExhausted when it would have more than limits::kMaxEntrants.
  // REQUIRES: it is a ladder.
  virtual absl::StatusOr<Competition> BeginSeason(const CompetitionId& id,
                                                  absl::string_view request_id, absl::Time time,
                                                  const absl::optional<AuditEntry>& audit) = 0;
};

}  // namespace referee::store

#endif  // REFEREE_STORE_COMPETITION_STORE_H_
