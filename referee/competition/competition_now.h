// The state of a competition as one step of its planner (planner.h) sees it, with its open blocks.
//
// CompetitionNow has the store's row and entrants, the owner of the competition, and the host and
// clock readings from when the step began. OpenBlocks are the blocks that this referee plays; they
// map matches to blocks. A block is open from its beginning until its result is in the store. The
// parts of the planner decide from both. Plain values. Pure.
#ifndef REFEREE_COMPETITION_COMPETITION_NOW_H_
#define REFEREE_COMPETITION_COMPETITION_NOW_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/base/limits.h"
#include "referee/competition/homes.h"
#include "referee/host/host_view.h"
#include "referee/match/verdict.h"
#include "referee/rating/block.h"
#include "referee/store/store.h"

namespace referee::competition {

// The inputs of a step.
struct Situation {
  Instant now;
  absl::Time wall_now;
  host::HostView host;    // the answer to Planner::question
  bool may_begin = true;  // false: begin no blocks, but finish those that have begun
  // A competition of higher priority takes the next free slots, so no block begins.
  bool yields = false;
  std::vector<store::Help> help = {};       // offers of its helpers; at the owner
  int64_t max_blocks = limits::kMaxBlocks;  // the limit of block numbers, exclusive
};

// `bot` is the number of an entrant. Thread-compatible.
struct CompetitionNow {
  // An open block that another referee plays.
  struct Foreign {
    rating::Pairing pairing;
    std::string owner;
  };

  // Sets the entrants, their names in the spec, and `standing`.
  void SetEntrants(std::vector<store::Entrant> all);

  bool running() const { return row.state == store::CompetitionState::kRunning; }
  // Whether the format ends by itself: true for all but a ladder.
  bool ends() const { return row.spec.format != schedule::Format::kLadder; }
  // Whether the bot has left the competition. A version that was replaced is not out while its bot
  // is in: the blocks that this version began go on.
  bool IsOut(int bot) const { return entrants[standing[bot]].presence != store::Presence::kIn; }
  // The host's view of the bot; default-constructed if the host does not know it.
  const host::BotView& ViewOf(int bot) const;
  // Whether the bot is offline, or takes no blocks.
  bool IsAway(int bot) const;
  // Why blocks do not wait for the bot, such as "'alice' has left".
  std::string WhyGone(int bot) const;
  // Takes the slots of a block from its bots and the host. If one of them has too few, takes none
  // and returns false.
  bool TakeSlots(const rating::Pairing& pairing);
  // Whether the block could begin if its bots did not play at other referees. Such a block is made
  // at once and waits in the queues of its bots: a moment at which all are free might never come.
  bool AwaitsItsTurn(const rating::Pairing& pairing) const;
  // Reserves the slots of a block, even if its bots have too few. Blocks that ask later get the
  // rest.
  void KeepSlots(const rating::Pairing& pairing);

  store::Competition row;  // with spec.entrants
  std::vector<store::Entrant> entrants;
  std::vector<int> standing;           // by entrant: the current entrant of the same bot
  std::map<int64_t, Foreign> foreign;  // by number; known to the owner only
  Home home;
  Situation situation;  // of the last step; free slots decrease as blocks are made
};

// How a match of a block ended.
struct MatchEnd {
  match::Verdict verdict;
  // The match had begun, and was cancelled because no bot was ready or revealed its nonce. Replays
  // do not record this.
  bool unready = false;
  bool begun = true;     // false: it ended while it waited for its bots
  bool recorded = true;  // false: no record has its result
  bool shared = true;    // false: its replay is still to be uploaded
};

// Thread-compatible.
struct OpenBlock {
  store::Block block;          // RUNNING; its matches have no results
  bool made = false;           // the host has, or had, the matches of this attempt
  bool named = false;          // the store has the ids of these matches
  bool from_before = false;    // an earlier process may have requested them
  bool scheduled_end = false;  // the schedule knows how the block ended
  bool takes_slots = false;    // its matches wait for slots of its bots
  bool waits = false;  // as of the last step: its matches wait in the host and have not begun
  Instant not_before;  // the earliest time to make its matches
  Instant made_at;     // when they were made
  // Since when the host does not know the matches and their ends are being looked up. Not set while
  // the host knows them.
  absl::optional<Instant> sought_since;
  std::string given_up;      // why an organiser gave the block up; empty: it goes on
  std::string given_up_by;   // the account of that organiser
  int unready_attempts = 0;  // consecutive unready attempts before this one, in this process
  std::vector<absl::optional<MatchEnd>> ends;  // by rotation

  // The match of rotation 0. REQUIRES: made.
  const MatchId& first() const { return block.matches.front().id; }
  // All its matches are over.
  bool over() const;
  // The block is over, and no replay of its matches is still to be uploaded. Only then it counts.
  bool settled() const;
  // All its matches have results.
  bool played() const;
  // Its matches exist in the host and wait for their bots.
  bool waits_in_host() const { return made && waits && !over(); }
  // Its matches are not made, since its bots have no free slots.
  bool waits_for_slots() const { return !made && takes_slots; }
  // The record of this failed attempt. REQUIRES: over(), not played().
  store::Attempt Failure(absl::Time end_time) const;
  // The places of bots whose late replies made matches of this attempt void.
  std::vector<int> LatePlaces() const;
  // The block is over, and one of its matches had begun, so its bots know of it.
  bool was_begun() const;
  // The block is over because none of its bots was ready in one of its matches.
  bool unready() const;

  // Its matches with results. REQUIRES: played().
  std::vector<store::BlockMatch> results() const;
  // Begins the next attempt. Its matches are made when slots are free, not before `not_before`.
  // REQUIRES: `failed` is the record of this attempt.
  void Retry(store::Attempt failed, Instant not_before);
};

// Whether the slots of its bots stay reserved for a block to be repeated. Also true while the ends
// of its matches are being looked up, since the block may have to be repeated then. Blocks count in
// order, so such a block precedes younger ones. For limits::kRetryPatience this also reserves slots
// of offline bots.
bool KeepsSlots(const OpenBlock& open, const CompetitionNow& now);

// A match to cancel, unless it is over.
struct Cancellation {
  MatchId match;
  std::string reason;
  std::string by = {};  // the account that cancelled it; empty: the referee
};

// The open blocks, by number. REQUIRES: every number passed to a function other than Find is that
// of an open block. Thread-compatible.
class OpenBlocks {
 public:
  using Blocks = std::map<int64_t, OpenBlock>;

  Blocks::const_iterator begin() const { return blocks_.begin(); }
  Blocks::const_iterator end() const { return blocks_.end(); }
  bool empty() const { return blocks_.empty(); }
  size_t size() const { return blocks_.size(); }
  const OpenBlock& at(int64_t number) const { return blocks_.at(number); }
  // Returns null if the block is not open.
  const OpenBlock* Find(int64_t number) const;

  // Replaces all blocks. With `keep`, an attempt that was open before keeps its state. Returns the
  // first match of each unfinished block that was made here and is not carried over.
  std::vector<Cancellation> Load(std::vector<store::Block> blocks, bool keep);
  // `from_before`: an earlier process may have requested its matches from the host.
  void Add(store::Block block, bool from_before);
  void Close(int64_t number);
  // See OpenBlock::Retry.
  void Retry(int64_t number, store::Attempt failed, Instant not_before);
  // Marks the block as given up, with the reason and the account.
  void GiveUp(int64_t number, std::string reason, std::string by);
  // Returns whether the schedule has not been notified of the end of the block yet, and marks it as
  // notified.
  bool ScheduleEndOnce(int64_t number);

  // Returns the blocks whose matches to request from the host now, in this order. Takes their
  // slots.
  std::vector<int64_t> ToMake(CompetitionNow* now);
  // See Planner for Made and CannotMake.
  void Made(int64_t number, const std::vector<MatchId>& matches, std::string block_id, Instant now);
  void CannotMake(int64_t number) { blocks_.at(number).takes_slots = true; }
  // Changes that add the ids of matches to the store. Call Named when the store has accepted them.
  std::vector<store::Change> Names() const;
  void Named();

  // Updates the first matches of blocks from the host's view.
  void NoteHost(const host::HostView& host, Instant now);
  // See Planner.
  void MatchEnded(const MatchId& match, MatchEnd end);
  // Matches whose end is not known.
  std::vector<MatchId> Unended() const;
  std::vector<MatchId> UnendedOf(int64_t number) const;
  // Matches of finished blocks whose replays are not uploaded yet.
  std::vector<MatchId> Unshared() const;

 private:
  struct Place {
    int64_t number;
    size_t rotation;
  };

  void Insert(OpenBlock open);
  void ForgetMatches(const OpenBlock& open);

  Blocks blocks_;
  absl::flat_hash_map<MatchId, Place> matches_;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_COMPETITION_NOW_H_
