// Blocks, what came of them, and the changes that a running competition makes to them. Plain
// values.
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
  kRunning,  // its matches wait for their bots, or are played
  kPlayed,   // it has results: all of it was played, or bots that are gone forfeit the rest
  // It does not count: one of its bots is gone, or blocks before it have decided the test that it
  // is in. One that was played to its end when these were counted keeps its results.
  kDropped,
  kVoid,  // it is not played any more, since every attempt came to nothing
};

// A match of a block.
struct BlockMatch {
  MatchId id;  // default-made: not known yet
  // Set once its attempt is over; the store keeps scores, ranks, forfeits, times and the late seat
  // only. The rest is in the replay.
  match::Verdict verdict;
  // False: its recording failed or was lost, so that nothing says what came of it. Without verdict.
  bool recorded = true;
};

// An attempt at a block that came to nothing, since one at least of its matches ended without a
// result. It stays on record.
struct Attempt {
  int number = 0;        // of the block's attempts, from 0
  std::string block_id;  // as its matches name it; may be empty
  // By rotation. Those whose games were over have results; the others neither scores nor ranks.
  // Empty if they were never made.
  std::vector<BlockMatch> matches;
  match::Ending ending =
      match::Ending::kVoid;  // kVoid or kCancelled, of the match that ended first
  std::string reason;        // one sentence for people
  std::string cancelled_by;  // as in match::Verdict
  absl::Time end_time;
};

// Whether the attempt's record says that the bot at `place` of the pairing has lost a match: it was
// not first in one with a result, or was out already in one without. REQUIRES: a match for each of
// its bots.
bool HasLost(const Attempt& attempt, int place);

// The matches of an attempt when the bots at these places resign in each of them that has no
// result. Who is still in it then is first; those who resign come next, and share a rank; then
// those who were out before, the last of these first. Scores are 0 there. Results stay as they are.
// REQUIRES: a match for each of its bots.
std::vector<BlockMatch> Forfeited(const Attempt& attempt, absl::Span<const int> places);

struct Block {
  CompetitionId competition;
  int64_t number = 0;       // in the order of scheduling, from 0
  rating::Pairing pairing;  // entrants' numbers, by seat in rotation 0
  int attempt = 0;          // the latest, from 0
  BlockState state = BlockState::kRunning;
  // Of its latest attempt, as its matches name it; empty: not known yet, or its matches are played
  // apart and name none. Of a PLAYED block: of the attempt that counts.
  std::string block_id;
  // Of that attempt, by rotation; without results unless it was PLAYED. Empty while they are not
  // known.
  std::vector<BlockMatch> matches;
  // Of a PLAYED block that came to nothing: entrants who were gone, and forfeit what was not
  // decided in the attempt that counts (Forfeited).
  std::vector<int> forfeited_by;
  std::string reason;             // why it was DROPPED, is VOID or forfeited; for people
  std::vector<Attempt> attempts;  // those that came to nothing, in order
  std::string owner;              // whose lease it is under; empty unless it is RUNNING
  absl::Time begin_time;
  absl::optional<absl::Time> end_time;  // not set while it is RUNNING
};

// The number of the attempt that counts, of a PLAYED block; of another its latest.
int CountedAttempt(const Block& block);

// When that attempt began, of a PLAYED block: with the block, or when the one before it had ended.
absl::Time BeginOfCounted(const Block& block);

// The record of an attempt that nothing is known of, since whoever began it lost its lease before
// it had named the matches. `claim_time` is the store's.
Attempt LeftAttempt(int number, absl::Time claim_time);

// What went by the clock and link of the bot at `place`, in the block's attempts and in the one
// that was played to the end.
Conduct ConductIn(const Block& block, int place);

// Whether it was played to its end: PLAYED, or DROPPED with results since its test was decided
// before.
bool HasAllResults(const Block& block);

// The outcome of a PLAYED block for its bots. REQUIRES: every match has ranks for as many seats as
// bots.
rating::BlockOutcome OutcomeOf(const Block& block);

// The results of two bots against each other in the counted blocks of a competition of 2 seats.
struct PairTotal {
  int low = 0;  // entrants' numbers, low < high
  int high = 0;
  // The number of blocks by the half points that `low` scored in the two matches: 0 to 4.
  std::array<int64_t, 5> blocks{};
  int64_t draws = 0;  // matches drawn
};

// A test (schedule::Format::kTest) after the blocks that are counted, of which these are all pairs.
// REQUIRES: spec.sprt.
rating::Sprt SprtOf(const schedule::Spec& spec, absl::Span<const PairTotal> pairs);

// --- Changes that a running competition makes, thousands a second: see BlockStore::Apply ---

// Begins the next block. Returns Aborted unless the competition is RUNNING, in this version,
// `number` is its next block, and its home is under the lease of the call. Raises the blocks_begun
// of its bots. REQUIRES: the bots are entrants, all different.
struct BeginBlock {
  CompetitionId competition;
  int64_t version = 0;
  int64_t number = 0;
  rating::Pairing pairing;
  absl::Time time;
  // Whose block it is, another daemon's; empty: it is that of the call. Nobody looks whether that
  // one is there: what is given to one that is gone is the home's to claim.
  std::string to = {};
};

// Names the matches that were made for an attempt. This and all changes to blocks below return
// Aborted unless the block is RUNNING with this attempt, and under the lease of the call; NotFound
// if there is no such block.
struct NameMatches {
  CompetitionId competition;
  int64_t number = 0;
  int attempt = 0;
  std::string block_id;
  std::vector<MatchId> matches;  // by rotation
};

// Puts an attempt that came to nothing on record and begins the next one, whose matches are not
// made yet.
struct RetryBlock {
  CompetitionId competition;
  int64_t number = 0;
  int attempt = 0;      // the void one
  Attempt failed = {};  // its record; `number` is not looked at
  std::string to = {};  // whose block it is from then on, another daemon's; empty: it stays
};

// Makes a block PLAYED, with the results of all its matches. Repeating the same change is OK and
// changes nothing, also under a later lease; AlreadyExists if the block was PLAYED with other
// results.
struct FinishBlock {
  CompetitionId competition;
  int64_t number = 0;
  int attempt = 0;
  std::string block_id;
  std::vector<BlockMatch> matches;  // by rotation, one for each bot of its pairing
  absl::Time time;
  // When it counts as forfeited: by whom, why, and the record of the latest attempt if that was
  // made and has none yet.
  std::vector<int> forfeited_by = {};
  std::string reason = {};
  absl::optional<Attempt> failed = {};
};

// Ends a block, which is not played then. Repeating it is OK and changes nothing.
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
// `from`, and its home is under the lease of the call; FailedPrecondition unless from <= to, and no
// block below `to` is RUNNING.
// Raises the version by one if it sets anybody aside or decides a test.
struct CountBlocks {
  struct Line {
    int entrant = 0;
    Tally tally;            // as it is now
    std::string set_aside;  // why, if it is set aside now; it stays out if it is out already
    absl::optional<Suspension> suspension = {};  // with that
  };
  CompetitionId competition;
  int64_t version = 0;
  int64_t from = 0;
  int64_t to = 0;
  std::vector<Line> entrants;    // whose tallies change, each once
  std::vector<PairTotal> pairs;  // to be added to what there is; only of 2 seats
  // Of a test that is decided: PLAYED blocks from number `from` up to `to` of the count become
  // DROPPED, for this reason. They keep their results, unless they were forfeited. It decides the
  // test if that is not the first of the count.
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
