// The interface of the referee's database: accounts with the hashes of their tokens, the audit log,
// and competitions with their entrants and blocks. Journals and replays are kept elsewhere.
// sqlite_store.h implements it in a file of the data directory; STORE.md says what is durable and
// why.
//
//   std::unique_ptr<Store> store = OpenSqliteStore(data_dir + "/store.db", {}).value();
//   const Lease lease{instance, store->RenewLease(instance, absl::Seconds(30)).value()};
//   BeginBlock begin{competition.id, competition.version, competition.next_block, pairing};
//   absl::Status begun = store->Apply(lease, {begin});  // Aborted: read again, or renew the lease
//
// Several daemons may share a store, so changes are checked optimistically: a change names the
// state that it was decided on (a competition's version, the number of the next block, an attempt,
// how much is counted), and is refused with Aborted when that state has changed. Every call is one
// transaction: it happens whole or, whenever it returns an error, not at all; but a store that is
// reached over a network may return Unavailable for one that has happened, so changes may be
// repeated. Once it returns OK everybody sees it, and a kill of the process does not undo it.
//
// Leases go by the store's own clock. All other times are passed, and compared with nothing. The
// store checks only what is written here: its callers validate names, specs and pairings.
//
// Every call may also return ResourceExhausted (the disk is full), Unavailable (busy or
// unreachable: call again), PermissionDenied (the file cannot be written) and DataLoss (what is
// kept is damaged). Thread-safe; calls block for as long as the disk takes.
#ifndef REFEREE_STORE_STORE_H_
#define REFEREE_STORE_STORE_H_

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/ids.h"
#include "referee/dice/dice.h"
#include "referee/match/record.h"
#include "referee/match/verdict.h"
#include "referee/rating/block.h"
#include "referee/rating/rating.h"
#include "referee/rating/sprt.h"
#include "referee/schedule/spec.h"
#include "referee/store/account.h"
#include "referee/store/suspension.h"

namespace referee::store {

// --- Competitions ---

// Names a competition for ever: a ULID in the notation of MatchId, so that ids sort by time.
class CompetitionId {
 public:
  CompetitionId() = default;
  explicit CompetitionId(std::string text) : text_(std::move(text)) {}
  const std::string& text() const { return text_; }

  friend bool operator==(const CompetitionId& a, const CompetitionId& b) {
    return a.text_ == b.text_;
  }
  friend bool operator!=(const CompetitionId& a, const CompetitionId& b) { return !(a == b); }
  friend bool operator<(const CompetitionId& a, const CompetitionId& b) {
    return a.text_ < b.text_;
  }
  template <typename H>
  friend H AbslHashValue(H h, const CompetitionId& id) {
    return H::combine(std::move(h), id.text_);
  }

 private:
  std::string text_;
};

enum class CompetitionState { kNew, kRunning, kPaused, kFinishing, kFinished };
// "NEW", "RUNNING", "PAUSED", "FINISHING", "FINISHED".
absl::string_view StateName(CompetitionState state);

// What tells the entrants of one bot from each other.
struct EntrantLabel {
  std::string version;
  int season = 1;
  bool stands = true;  // nobody has taken its place

  friend bool operator==(const EntrantLabel& a, const EntrantLabel& b) {
    return a.version == b.version && a.season == b.season && a.stands == b.stands;
  }
};

struct Competition {
  CompetitionId id;
  // The spec as requested; spec.name is unique. spec.entrants are the names of the current ones, by
  // number: one that has several entrants is named for each. Lists of competitions leave them out.
  // spec.positions are only asked for: what the store returns is without them (ReadPositions).
  schedule::Spec spec;
  std::string request_id;  // of the call that made it; may be empty
  absl::Time create_time;
  // Where pinned dice come from; set if spec.pinned. A secret until the competition is finished.
  absl::optional<dice::Seed> dice_seed;
  // The lives of the store after the first in which its dice are played (BeginLife), each as 32 hex
  // digits, the latest last. Ignored by CreateCompetition.
  std::vector<std::string> dice_lives;
  // Where the lots of a knockout come from (LotOf); none of other formats. A secret
  // until the competition is finished.
  absl::optional<dice::Seed> lot_seed;

  // Ignored by CreateCompetition, which begins with these values.
  CompetitionState state = CompetitionState::kNew;
  absl::optional<absl::Time> start_time;   // when it first was RUNNING
  absl::optional<absl::Time> finish_time;  // when it was FINISHED
  // Rises whenever the state changes, or a bot joins or is taken out.
  int64_t version = 1;
  int64_t next_block = 0;  // the number that the next block gets
  // How many blocks, from the first without a gap, are over and included in entrants' tallies and
  // pair totals. Those that were not played count too, and change nothing there but the figures of
  // their attempts (Conduct).
  int64_t counted = 0;
  int64_t replayed = 0;              // attempts that came to nothing and were followed by another
  std::vector<EntrantLabel> labels;  // of spec.entrants
  int position_count = 0;            // of spec.positions
  // Of a ladder: the season that goes on, from 1. The second and later ones have a time at which
  // they began, and the number of their first block.
  int season = 1;
  absl::optional<absl::Time> season_time;
  int64_t season_block = 0;
  // The term of the lease of the daemon that took it last (Store::TakeHomes); 0: none ever has. Its
  // home is that daemon, as long as that lease lasts.
  int64_t home_term = 0;
};

enum class Presence {
  kIn,         // plays
  kWithdrawn,  // left, or was taken out by an organiser or for being away
  kSetAside,   // did not answer, was not ready, or was late in voids, again and again
};

// What went by a bot's clock and link in all matches of the counted blocks, also of attempts that
// came to nothing.
struct Conduct {
  int64_t voids = 0;          // matches that ended without a result
  int64_t late_voids = 0;     // of these: void since this bot was late and the referee stood still
  absl::Duration given_back;  // of its clock, since the referee stood still
  int64_t time_losses = 0;    // as in match::SeatTime
  int64_t lost_links = 0;     // turns in which its link was lost

  Conduct& operator+=(const Conduct& more);
  friend bool operator==(const Conduct& a, const Conduct& b) {
    return a.voids == b.voids && a.late_voids == b.late_voids && a.given_back == b.given_back &&
           a.time_losses == b.time_losses && a.lost_links == b.lost_links;
  }
};

// A bot's results in the counted blocks.
struct Tally {
  rating::Rating rating;
  int64_t blocks = 0;
  int64_t wins = 0;  // matches in which it alone was first
  int64_t draws = 0;
  int64_t losses = 0;
  int64_t forfeits = 0;     // matches, whatever the cause
  int64_t half_points = 0;  // of 2 seats 2 a win, 1 a draw; of n, 2 a bot left behind, 1 an equal
  // Matches in a row, up to the last one, forfeited by silence. Of those that overlap one counts.
  int silences = 0;
  // The end of the last block in which one was counted: of a block that began before then, no other
  // is.
  absl::Time silent_until = absl::UnixEpoch();
  Conduct conduct = {};
};

// A bot in a competition; in a ladder, a version of a bot in a season. Entrants are numbered from
// 0, and never removed.
//
// When a bot gets another version, or a season begins, another entrant takes the place of the one
// that stood for it; so one of a bot's entrants stands at any time. The rating of the new one is
// rating::Succeed of what the old one's was then, its tally is empty. What the old one has begun
// goes on, and counts for it.
struct Entrant {
  int number = 0;
  std::string name;
  Tally tally;
  int64_t blocks_begun = 0;  // dropped ones too; one that is begun again is not counted again
  Presence presence = Presence::kIn;
  std::string reason;  // why it is not in; for people
  // The last one, which stays when the bot has come back. Not set of one that is set aside: it does
  // not come back by itself.
  absl::optional<Suspension> suspension = {};
  // The competition's next_block when the bot was last taken out: no block from there on has the
  // bot until it comes back. 0 if it was never taken out.
  int64_t out_from = 0;
  std::string version = {};  // what the bot was then; empty: none was told
  int season = 1;
  // Who has taken its place; not set: it stands for its bot. One whose place was taken is not in.
  absl::optional<int> successor = {};
  // Whose place it took first, and how many blocks were counted then: from there on its rating
  // goes its own way.
  absl::optional<int> predecessor = {};
  int64_t rated_from = 0;
};

// Where a bot is entered.
struct Entry {
  CompetitionId competition;
  std::string competition_name;
  CompetitionState state = CompetitionState::kNew;
  Entrant entrant;
};

// The seed with which an attempt at a block of a competition is played now, if its dice are pinned:
// DerivedSeed of "competition/<block number>/<attempt>". In a later life of the store "/<life>"
// follows. None if they are not pinned.
absl::optional<dice::Seed> PinnedSeedOf(const Competition& competition, int64_t block, int attempt);
// A life of a store: 32 hex digits, drawn at random.
std::string RandomLife();
// Whether it is such a seed, in any life of the store so far.
bool IsPinnedSeedOf(const Competition& competition, int64_t block, int attempt,
                    const dice::Seed& seed);

// Who wins the lot in tie `tie`, from 0 in the bracket's order, of round `round`, from 1: the
// lowest bit of the first byte of DerivedSeed "lot/<round>/<tie>"; 0: the one with the lower
// number.
int LotOf(const dice::Seed& lot_seed, int round, int tie);

// --- Blocks ---

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
  // Of its latest attempt, as its matches name it; empty: not known yet. Of a PLAYED block: of the
  // attempt that counts.
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

// --- Leases ---

// What lets a daemon change blocks. A daemon has one lease at a time. It ends when another daemon
// claims what it left, and then never holds again: the next one of this owner has another term.
struct Lease {
  std::string owner;  // an instance of a daemon: named at random whenever one starts
  int64_t term = 0;   // given by the store, from 1, never twice

  friend bool operator==(const Lease& a, const Lease& b) {
    return a.owner == b.owner && a.term == b.term;
  }
  friend bool operator!=(const Lease& a, const Lease& b) { return !(a == b); }
};

// A daemon whose lease lasts.
struct Daemon {
  std::string owner;
  int64_t term = 0;          // of its lease
  absl::Duration remaining;  // of that, by the store's clock; above zero
  std::string address;       // where bots dial it; empty: it has not said so
  bool draining = false;     // it takes no home, and gives up those that it has
};

// What a helper of a competition (Competition::spec, homes) has room for, as it said last: a hint.
struct Help {
  std::string owner;        // the helper
  int blocks = 0;           // that it may play at once for this competition
  std::vector<int> places;  // by entrant: matches of this competition that it may play there at
                            // once; entrants beyond its end have none
};

// Who has a lease, or has begun blocks that are RUNNING.
struct LeaseHolder {
  std::string owner;
  // What is left of the lease by the store's clock; zero or less: it lapsed that long ago. Not set:
  // there is none, and the blocks are anybody's to claim.
  absl::optional<absl::Duration> remaining;
  int64_t term = 0;                              // of that lease; 0 without one
  int64_t open_blocks = 0;                       // RUNNING ones that are its own
  int64_t competitions = 0;                      // in which these are
  absl::optional<absl::Time> oldest_begin_time;  // of these; not set: there are none
  std::string address = {};                      // as in Daemon; of a lease that has lapsed, too
  bool draining = false;                         // the same
  std::vector<std::string> homes = {};  // names of the competitions that are not FINISHED and whose
                                        // home_term is `term`, in order
  std::vector<std::string> helps = {};  // of those to which it offers help, the same
};

// --- Changes that a running competition makes, thousands a second: see Store::Apply ---

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

// --- The store ---

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

class Store : public CompetitionReader {
 public:
  // --- Accounts ---

  // Returns AlreadyExists when the name or the token is taken.
  virtual absl::Status AddAccount(const Account& account, const AuditEntry& audit) = 0;
  // Returns NotFound.
  virtual absl::StatusOr<Account> GetAccount(absl::string_view name) = 0;
  // The account whose token has this hash, disabled or not. Returns NotFound.
  virtual absl::StatusOr<Account> FindToken(const dice::Bytes32& token_hash) = 0;
  // At most `limit` accounts by name, in order of bytes, after `after`; empty: from the first.
  virtual absl::StatusOr<std::vector<Account>> ListAccounts(absl::string_view after, int limit) = 0;
  // Gives the account another token, in place of all that it has. `lifetime` as in Account; not
  // set: as before. Returns NotFound, AlreadyExists when the token is taken.
  virtual absl::Status SetToken(absl::string_view name, const dice::Bytes32& token_hash,
                                absl::Time token_time, absl::optional<absl::Duration> lifetime,
                                const AuditEntry& audit) = 0;
  // The same for its holder, who shows the token that it has: that one is taken until
  // `former_until`, and the one that was former before is not any more. Returns NotFound,
  // AlreadyExists when the new token is taken; FailedPrecondition when the account's is not
  // `from_hash`; ResourceExhausted while a former one is still taken.
  virtual absl::Status RenewToken(absl::string_view name, const dice::Bytes32& from_hash,
                                  const dice::Bytes32& token_hash, absl::Time token_time,
                                  absl::Time former_until, const AuditEntry& audit) = 0;
  // Notes when tokens of accounts, by name, were taken. What is earlier than what is known, and who
  // is unknown, is passed over. Leaves no audit entry.
  virtual absl::Status NoteUses(absl::Span<const std::pair<std::string, absl::Time>> uses) = 0;
  // Disables the account with this reason or, if it is empty, enables it. Returns NotFound;
  // FailedPrecondition when no other organiser would be left that is neither
  // disabled nor banned.
  virtual absl::Status SetDisabled(absl::string_view name, absl::string_view reason,
                                   const AuditEntry& audit) = 0;
  // Gives a bot another version; nothing changes if it has that, but that an organiser's word is
  // kept: after it nothing changes that the bot says, which is OK and leaves no audit entry, until
  // ReleaseVersion. In each ladder that it is in, and that is NEW, RUNNING or PAUSED, a new entrant
  // takes the place of the one that stands for it; by an organiser's word the latest one that had
  // this version earlier in the season comes back instead, with what it had. One that has begun no
  // block changes its version instead. Other formats keep the version that the bot had when they
  // were made. Returns NotFound; FailedPrecondition for an account that is no bot's;
  // ResourceExhausted when a ladder has limits::kMaxEntrants. From a bot also ResourceExhausted
  // within limits::kVersionInterval of the time when its version was set last, when the bot has
  // limits::kMaxVersionsPerSeason entrants in the season of a ladder already, or too many of the
  // ladder's are versions (CheckMayAdd of succession.h).
  virtual absl::Status SetVersion(absl::string_view name, absl::string_view version,
                                  absl::Time time, VersionSource source,
                                  const AuditEntry& audit) = 0;
  // Lets the bot's own word on its version count again; it keeps the version that it has until it
  // tells another. Returns NotFound; FailedPrecondition for an account that is no bot's.
  virtual absl::Status ReleaseVersion(absl::string_view name, const AuditEntry& audit) = 0;
  // Returns NotFound; FailedPrecondition that names the competition while it is in one (Presence
  // kIn) that is not FINISHED, or when no other organiser would be left that is neither
  // disabled nor banned.
  virtual absl::Status RemoveAccount(absl::string_view name, const AuditEntry& audit) = 0;

  // Adds a ban, in the place of one of the same kind and subject, and removes those that are over.
  // Returns ResourceExhausted when there are limits::kMaxBans others; FailedPrecondition when no
  // organiser would be left that is neither disabled nor banned.
  virtual absl::Status SetBan(const Ban& ban, const AuditEntry& audit) = 0;
  // Returns NotFound.
  virtual absl::Status RemoveBan(Ban::Kind kind, absl::string_view subject,
                                 const AuditEntry& audit) = 0;
  // All of them, those of accounts first, by subject.
  virtual absl::StatusOr<std::vector<Ban>> ListBans() = 0;

  // For actions that change nothing in the store, such as cancelling a match.
  virtual absl::Status AppendAudit(const AuditEntry& audit) = 0;
  // At most `limit` entries, newest first, of numbers below `before`; 0: from the newest.
  virtual absl::StatusOr<std::vector<AuditEntry>> ListAudit(int64_t before, int limit) = 0;
  // At most `limit` entries, oldest first, of numbers above `after`.
  virtual absl::StatusOr<std::vector<AuditEntry>> ListAuditAfter(int64_t after, int limit) = 0;

  // --- Competitions ---

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
  // of competitions that are not FINISHED are others from now on than those that the original
  // plays, or has revealed. `life`: 32 hex digits, drawn at random.
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
  // The same by the home of the competition, under whose lease it is done. Also returns Aborted if
  // that has ended or lapsed, or the home is another.
  // `suspension`: as of the entrant, if it is set aside and comes back by itself.
  virtual absl::StatusOr<Entrant> TakeOutByHome(const Lease& lease, const CompetitionId& id,
                                                absl::string_view name, Presence out,
                                                absl::string_view reason,
                                                const absl::optional<Suspension>& suspension) = 0;
  // Enters a bot that was set aside, as Join does, by the home of the competition; nothing changes
  // if it is not set aside. Returns what Join and TakeOutByHome do.
  virtual absl::StatusOr<Entrant> BringBackByHome(const Lease& lease, const CompetitionId& id,
                                                  absl::string_view name) = 0;
  // Begins the next season of a ladder, raises its version, and returns it, without entrants: a new
  // entrant takes the place of each that is in. A second call with the same non-empty request_id
  // returns the ladder as it is, until another season has begun. Returns FailedPrecondition unless
  // it is RUNNING or PAUSED, ResourceExhausted when it would have more than limits::kMaxEntrants.
  // REQUIRES: it is a ladder.
  virtual absl::StatusOr<Competition> BeginSeason(const CompetitionId& id,
                                                  absl::string_view request_id, absl::Time time,
                                                  const absl::optional<AuditEntry>& audit) = 0;

  // --- Blocks ---

  // A daemon changes blocks under its lease, which is the store's word that the blocks it has begun
  // are its own. A lease lasts for some time after it was renewed last. When that has passed, by
  // the store's clock, it has lapsed: nothing is changed under it until it is renewed, and any
  // other daemon may claim its blocks, which ends it. Its owner learns that from the next term.
  //
  // So time decides when blocks may be claimed, and terms decide whose they are: a clock that jumps
  // or goes backwards may hand a block over too early or too late, but never to two owners, and
  // nothing passes that was decided under a lease that has ended, even if its owner has claimed the
  // block back. Each call that takes a lease looks at it first, in its transaction: it returns
  // Aborted if that lease has ended or lapsed.

  // Makes the lease of `owner` last for `ttl` from now on, whatever it was before, and returns its
  // term: the same as long as the lease has not ended, lapsed or not, and else a new one. Call it
  // before anything below, then several times in the span of a lease. REQUIRES: `owner` is not
  // empty, and ttl > 0.
  virtual absl::StatusOr<int64_t> RenewLease(absl::string_view owner, absl::Duration ttl) = 0;
  // Ends all other leases that have lapsed, puts the RUNNING blocks that are under no lease any
  // more, of competitions whose home is under `lease`, under that, and returns these by competition
  // and number, without their attempts. A block whose matches were not named is in its next attempt
  // then, since its former owner may have begun to play this one: that is on record (LeftAttempt),
  // and counts among those `replayed`.
  virtual absl::StatusOr<std::vector<Block>> ClaimExpired(const Lease& lease) = 0;
  // Ends the leases of these owners, lapsed or not, and puts their blocks, as they are, and the
  // competitions whose home they are under `lease`; returns the blocks by competition and number,
  // without their attempts. For a daemon that has what the earlier ones knew, and knows that they
  // are gone. REQUIRES: none is lease.owner.
  virtual absl::StatusOr<std::vector<Block>> TakeOver(const Lease& lease,
                                                      absl::Span<const std::string> owners) = 0;

  // The home of a competition is the daemon that begins its blocks and counts them, and judges who
  // is away. It has no lease of its own, but hangs on the daemon's: it is free when that ends,
  // lapses, or begins to drain, and until then nobody else's.

  // Says where bots dial the daemon of this lease, and that it drains from now on, if it does: that
  // is never taken back. Both end with the lease.
  virtual absl::Status Announce(const Lease& lease, absl::string_view address, bool draining) = 0;
  // Asks the daemon of this name to drain, as if it had announced that; it sees it in ListDaemons.
  // Returns NotFound unless it has a lease that lasts.
  virtual absl::Status AskToDrain(absl::string_view owner, const AuditEntry& audit) = 0;
  // All daemons, by name.
  virtual absl::StatusOr<std::vector<Daemon>> ListDaemons() = 0;
  // Makes the daemon of this lease the home of those of these competitions that are free; or were
  // its own before. Returns those that it is the home of now; unknown ones are passed over.
  virtual absl::StatusOr<std::vector<CompetitionId>> TakeHomes(
      const Lease& lease, absl::Span<const CompetitionId> ids) = 0;

  // Beside its home, other daemons may play blocks of a competition: those that the home begins in
  // their names. They say what they have room for.

  // Puts this in the place of what the daemon of this lease has offered to the competition before;
  // `help.owner` is not looked at. It ends with the lease.
  virtual absl::Status OfferHelp(const Lease& lease, const CompetitionId& id, const Help& help) = 0;
  // What daemons whose leases last, and that do not drain, have offered, by name.
  virtual absl::StatusOr<std::vector<Help>> ListHelp(const CompetitionId& id) = 0;

  // All who have a lease, lapsed or not, or own RUNNING blocks, by name and as of one moment. Takes
  // no lease; a store that is only read can do it.
  virtual absl::StatusOr<std::vector<LeaseHolder>> ListLeaseHolders() = 0;

  // Makes changes in this order, as one transaction: all of them or, when one is refused, none; the
  // error names the position of that one. One call costs far less than a call for each.
  virtual absl::Status Apply(const Lease& lease, absl::Span<const Change> changes) = 0;

  // All RUNNING blocks of a competition, whoever owns them, by number.
  virtual absl::StatusOr<std::vector<Block>> ListOpenBlocks(const CompetitionId& id) = 0;
};

}  // namespace referee::store

#endif  // REFEREE_STORE_STORE_H_
