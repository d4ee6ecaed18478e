// Blocks, their results, and the changes that a running competition makes to them. Plain values.
#ifndef REFEREE_STORE_BLOCK_H_
#define REFEREE_STORE_BLOCK_H_

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/ids.h"
#include "referee/match/record.h"
#include "referee/match/verdict.h"
#include "referee/rating/block.h"
#include "referee/rating/sprt.h"
#include "referee/schedule/spec.h"
#include "referee/store/competition.h"

namespace referee::store {

enum class BlockState {
  kRunning,  // its matches wait for their bots, or are running
  kPlayed,   // it has results: played to the end, or withdrawn bots forfeit the rest
  // It does not count: one of its bots was withdrawn, or earlier blocks have decided its test. If
  // it was played to the end before that count, it keeps its results.
  kDropped,
  kVoid,  // given up, because every attempt failed
};

// A match of a block.
struct BlockMatch {
  MatchId id;  // default-constructed: unknown
  // Set once its attempt is over. The store keeps only scores, ranks, forfeits, times and the late
  // seat; the replay has the rest.
  match::Verdict verdict;
  // False: its recording failed or was lost, so its end is unknown. It then has no verdict.
  bool recorded = true;
};

// A failed attempt at a block: one of its matches ended without a result. The store keeps it.
struct Attempt {
  int number = 0;        // within the block, from 0
  std::string block_id;  // as in its matches; may be empty
  // By rotation. Finished matches have results; others have neither scores nor ranks. Empty if the
  // matches were never made.
  std::vector<BlockMatch> matches;
  match::Ending ending =
      match::Ending::kVoid;  // kVoid or kCancelled, of the match that ended first
  std::string reason;        // one sentence for people
  std::string cancelled_by;  // as in match::Verdict
  absl::Time end_time;
};

// Returns whether the attempt shows that the bot at `place` of the pairing has lost a match: it was
// not first in a match with a result, or was out in one without. REQUIRES: one match for each bot.
bool HasLost(const Attempt& attempt, int place);

// Returns the matches of an attempt if the bots at these places resign in each match without a
// result. In such a match the remaining bots are first; those that resign share the next rank; then
// come those that were out before, the last of these first. All scores are 0. Matches with results
// do not change. REQUIRES: one match for each bot.
std::vector<BlockMatch> Forfeited(const Attempt& attempt, absl::Span<const int> places);

struct Block {
  CompetitionId competition;
  int64_t number = 0;       // in the order of scheduling, from 0
  rating::Pairing pairing;  // numbers of entrants, by seat in rotation 0
  int attempt = 0;          // the latest, from 0
  BlockState state = BlockState::kRunning;
  // The block id in the matches of the latest attempt; of a PLAYED block, of the counted attempt.
  // Empty: not known yet, or the matches are played apart and have none.
  std::string block_id;
  // The matches of that attempt, by rotation, without results unless PLAYED. Empty while unknown.
  std::vector<BlockMatch> matches;
  // In a PLAYED block whose attempts all failed: the entrants who were withdrawn and forfeit the
  // undecided matches of the counted attempt (Forfeited).
  std::vector<int> forfeited_by;
  std::string reason;             // why it was DROPPED, is VOID or forfeited; for people
  std::vector<Attempt> attempts;  // the failed ones, in order
  std::string owner;              // the owner of its lease; empty unless RUNNING
  absl::Time begin_time;
  absl::optional<absl::Time> end_time;  // not set while RUNNING
};

// Returns the number of the counted attempt of a PLAYED block; else of the latest.
int CountedAttempt(const Block& block);

// Returns when the counted attempt of a PLAYED block began: with the block, or at the end of the
// attempt before.
absl::Time BeginOfCounted(const Block& block);

// Returns the record of an attempt about which nothing is known: its owner lost its lease before it
// named the matches. `claim_time` is the store's time.
Attempt LeftAttempt(int number, absl::Time claim_time);

// Returns the conduct of the bot at `place` in the failed attempts, and in the attempt played to
// the end.
Conduct ConductIn(const Block& block, int place);

// Returns whether the block was played to its end: PLAYED, or DROPPED with results because its test
// was already decided.
bool HasAllResults(const Block& block);

// Returns the outcome of a PLAYED block for its bots. REQUIRES: every match has a rank for each
// bot.
rating::BlockOutcome OutcomeOf(const Block& block);

// The results of two bots against each other in the counted blocks of a 2-seat competition.
struct PairTotal {
  int low = 0;  // number of an entrant, below `high`
  int high = 0;
  // The number of blocks by half points of `low` in the two matches: 0 to 4.
  std::array<int64_t, 5> blocks{};
  int64_t draws = 0;  // matches drawn
};

// Returns the state of a test (schedule::Format::kTest) after the counted blocks, given all pair
// totals. REQUIRES: spec.sprt.
rating::Sprt SprtOf(const schedule::Spec& spec, absl::Span<const PairTotal> pairs);

// --- Changes by a running competition, thousands a second: see BlockStore::Apply ---

// Begins the next block, and counts it in blocks_begun of its bots. Returns Aborted unless the
// competition is RUNNING in this version, `number` is its next block, and the lease of the call
// owns it. REQUIRES: the bots are different entrants.
struct BeginBlock {
  CompetitionId competition;
  int64_t version = 0;
  int64_t number = 0;
  rating::Pairing pairing;
  absl::Time time;
  // The daemon that plays the block; empty: the caller. The store does not check that it is online.
  // If it is not, the owner of the competition may claim the block.
  std::string to = {};
};

// Names the matches of an attempt. Like all changes below to blocks, returns Aborted unless the
// block is RUNNING in this attempt under the lease of the call, NotFound for an unknown block.
struct NameMatches {
  CompetitionId competition;
  int64_t number = 0;
  int attempt = 0;
  std::string block_id;
  std::vector<MatchId> matches;  // by rotation
};

// Records a failed attempt and begins the next one, whose matches do not exist yet.
struct RetryBlock {
  CompetitionId competition;
  int64_t number = 0;
  int attempt = 0;      // the failed one
  Attempt failed = {};  // its record; `number` is ignored
  std::string to = {};  // the block's next owner, another daemon; empty: unchanged
};

// Makes a block PLAYED, with the results of all its matches. The same change again is OK and
// changes nothing, even under a later lease. Returns AlreadyExists if the block was PLAYED with
// other results.
struct FinishBlock {
  CompetitionId competition;
  int64_t number = 0;
  int attempt = 0;
  std::string block_id;
  std::vector<BlockMatch> matches;  // by rotation, one for each bot of the pairing
  absl::Time time;
  // For a forfeited block: by whom, why, and the record of the latest attempt, if it was made and
  // has no record yet.
  std::vector<int> forfeited_by = {};
  std::string reason = {};
  absl::optional<Attempt> failed = {};
};

// Ends a block without counting it. The same change again is OK and changes nothing.
struct DropBlock {
  CompetitionId competition;
  int64_t number = 0;
  int attempt = 0;
  absl::Time time;
  BlockState state = BlockState::kDropped;  // or kVoid
  std::string reason = {};
  absl::optional<Attempt> failed = {};  // as in FinishBlock
};

// Counts more blocks. Returns Aborted unless the competition is in this version, has counted
// `from`, and the lease of the call owns it. Returns FailedPrecondition unless from <= to and no
// block below `to` is RUNNING. Raises the version by one if an entrant is suspended or a test is
// decided.
struct CountBlocks {
  struct Line {
    int entrant = 0;
    Tally tally;  // the new tally
    // Why the entrant is suspended now; empty: it is not. An entrant that is out stays as it is.
    std::string set_aside;
    absl::optional<Suspension> suspension = {};  // its term, if `set_aside` is set
  };
  CompetitionId competition;
  int64_t version = 0;
  int64_t from = 0;
  int64_t to = 0;
  std::vector<Line> entrants;    // whose tallies change, each once
  std::vector<PairTotal> pairs;  // to be added to the totals; only with 2 seats
  // For a decided test: PLAYED blocks from `from` up to the `to` of the count become DROPPED, for
  // this reason. They keep their results unless they were forfeited. Decides the test if `from` is
  // not the first block of the count.
  struct Surplus {
    int64_t from = 0;
    std::string reason;
  };
  absl::optional<Surplus> surplus = {};
  bool decides() const { return surplus.has_value() && surplus->from > from; }
};

using Change =
    std::variant<BeginBlock, NameMatches, RetryBlock, FinishBlock, DropBlock, CountBlocks>;

}  // namespace referee::store

#endif  // REFEREE_STORE_BLOCK_H_
