// A competition as one step of its planner (planner.h) sees it, and its open blocks.
//
// CompetitionNow has the store's row and entrants, the competition's home, and what the host and
// the clocks said when the step began. OpenBlocks are those that this daemon plays, and say which
// match belongs to which block: one is open from its beginning until its result is in the store.
// The parts of the planner decide by both. Plain values. Pure.
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

// What a step begins with.
struct Situation {
  Instant now;
  absl::Time wall_now;
  host::HostView host;    // the answer to Planner::question
  bool may_begin = true;  // blocks; false: what has begun is played to its end
  // A competition of higher priority takes the places that become free next: none begins.
  bool yields = false;
  std::vector<store::Help> help = {};       // what its helpers offer; at its home
  int64_t max_blocks = limits::kMaxBlocks;  // no block begins whose number is not below it
};

// `bot` is the number of an entrant. Thread-compatible.
struct CompetitionNow {
  // An open block that another daemon plays.
  struct Foreign {
    rating::Pairing pairing;
    std::string owner;
  };

  // Sets the entrants, their names in the spec, and `standing`.
  void SetEntrants(std::vector<store::Entrant> all);

  bool running() const { return row.state == store::CompetitionState::kRunning; }
  // Whether the format ends by itself: all but a ladder.
  bool ends() const { return row.spec.format != schedule::Format::kLadder; }
  // Whether the bot has left the competition. An entrant whose place another version took is not
  // out as long as its bot is in: the blocks that it began go on.
  bool IsOut(int bot) const { return entrants[standing[bot]].presence != store::Presence::kIn; }
  // What the host says of the bot; default-made if it says nothing.
  const host::BotView& ViewOf(int bot) const;
  // Whether the bot is offline, or takes no blocks.
  bool IsAway(int bot) const;
  // Why blocks do not wait for the bot: "'alice' has left".
  std::string WhyGone(int bot) const;
  // Takes the slots of a block from its bots and the host. Returns false and takes none if one of
  // them has too few.
  bool TakeSlots(const rating::Pairing& pairing);
  // Whether the block could begin but for bots that play elsewhere: it is made, and waits in their
  // queues. Who waited for a moment at which they are free might never see one.
  bool AwaitsItsTurn(const rating::Pairing& pairing) const;
  // Takes the slots of a block from its bots, whether they have them or not: blocks that ask later
  // get what is left.
  void KeepSlots(const rating::Pairing& pairing);

  store::Competition row;  // with spec.entrants
  std::vector<store::Entrant> entrants;
  std::vector<int> standing;           // by entrant: the one that stands for its bot
  std::map<int64_t, Foreign> foreign;  // by number; at the home, as far as it knows
  Home home;
  Situation situation;  // of the last step; free slots go down as blocks are made
};

// How a match of a block ended.
struct MatchEnd {
  match::Verdict verdict;
  // It had begun, and was cancelled since no bot was ready, or revealed its nonce; a replay does
  // not say that.
  bool unready = false;
  bool begun = true;     // false: it ended while it waited for its bots
  bool recorded = true;  // false: no record says what came of it
  bool shared = true;    // its replay, if there is one, is where all of a fleet find it
};

// Thread-compatible.
struct OpenBlock {
  store::Block block;          // RUNNING; its matches have no results
  bool made = false;           // the matches of its attempt are, or were, in the host
  bool named = false;          // and the store knows them
  bool from_before = false;    // an earlier process may have asked for them
  bool scheduled_end = false;  // the schedule knows how it ended
  bool takes_slots = false;    // its matches are made when its bots have slots for them
  bool waits = false;  // they wait in the host, as of the last step: no bot has heard of them
  Instant not_before;  // are they made
  Instant made_at;     // when they were
  // Since when the host does not know them, and how they ended is looked for; none: it does.
  absl::optional<Instant> sought_since;
  std::string given_up;      // why, by an organiser's word; empty: it goes on
  std::string given_up_by;   // whose word that is
  int unready_attempts = 0;  // before this one, in a row; as far as this process knows
  std::vector<absl::optional<MatchEnd>> ends;  // by rotation

  // The match of rotation 0. REQUIRES: made.
  const MatchId& first() const { return block.matches.front().id; }
  // All of its matches are over.
  bool over() const;
  // It is over, and no replay of its matches is to be shared still. Its end counts from then on.
  bool settled() const;
  // All of them have results.
  bool played() const;
  // It waits in the host for its bots.
  bool waits_in_host() const { return made && waits && !over(); }
  // It waits for its bots before it is asked of the host.
  bool waits_for_slots() const { return !made && takes_slots; }
  // The record of this attempt, which came to nothing. REQUIRES: over(), not played().
  store::Attempt Failure(absl::Time end_time) const;
  // The places of its bots that were late in matches that are void for that.
  std::vector<int> LatePlaces() const;
  // It is over, and its bots have heard of it.
  bool was_begun() const;
  // It is over, and in one of its matches none of its bots was ready: that one ended all.
  bool unready() const;

  // Its matches with results. REQUIRES: played().
  std::vector<store::BlockMatch> results() const;
  // Becomes the next attempt, whose matches are to be made when there are slots, not before then.
  // REQUIRES: `failed` is the record of this one.
  void Retry(store::Attempt failed, Instant not_before);
};

// Whether the slots of its bots are kept for a block that is to be played again, or that may have
// to be as its matches are being looked for. Blocks count in order, so it goes before younger ones.
// For limits::kRetryPatience also the slots of bots that are not there yet are kept.
bool KeepsSlots(const OpenBlock& open, const CompetitionNow& now);

// A match that is to be cancelled, if it is not over.
struct Cancellation {
  MatchId match;
  std::string reason;
  std::string by = {};  // the account that has it so; empty: the referee itself
};

// By number. REQUIRES, wherever a number is passed but to Find: the block is open.
// Thread-compatible.
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

  // Replaces all blocks. With `keep`, an attempt that was open before keeps what is known of it.
  // Returns the first match of each block that was made here and does not go on.
  std::vector<Cancellation> Load(std::vector<store::Block> blocks, bool keep);
  // `from_before`: an earlier process may have asked the host for its matches.
  void Add(store::Block block, bool from_before);
  void Close(int64_t number);
  // See OpenBlock::Retry.
  void Retry(int64_t number, store::Attempt failed, Instant not_before);
  // Marks the block as given up, for this reason, by this account.
  void GiveUp(int64_t number, std::string reason, std::string by);
  // Returns whether the schedule does not know yet how the block ended. It does from then on.
  bool ScheduleEndOnce(int64_t number);

  // Returns the blocks whose matches to ask the host for now, in this order. Takes their slots.
  std::vector<int64_t> ToMake(CompetitionNow* now);
  // See Planner for this and CannotMake.
  void Made(int64_t number, const std::vector<MatchId>& matches, std::string block_id, Instant now);
  void CannotMake(int64_t number) { blocks_.at(number).takes_slots = true; }
  // Changes that name matches to the store. Call Named when it has taken them.
  std::vector<store::Change> Names() const;
  void Named();

  // Takes over what the host says of the first matches of blocks.
  void NoteHost(const host::HostView& host, Instant now);
  // See Planner.
  void MatchEnded(const MatchId& match, MatchEnd end);
  // Matches whose end is not known.
  std::vector<MatchId> Unended() const;
  std::vector<MatchId> UnendedOf(int64_t number) const;
  // Matches of blocks that are over whose replays are not shared yet.
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
