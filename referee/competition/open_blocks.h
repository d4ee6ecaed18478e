// The blocks that a daemon plays of a competition, each from when it begins until its result is in
// the store: where its matches are, how those that are over ended, what it counts as when it is not
// to be played to the end, and which matches are to be made next. Pure.
#ifndef REFEREE_COMPETITION_OPEN_BLOCKS_H_
#define REFEREE_COMPETITION_OPEN_BLOCKS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/competition/competition_now.h"
#include "referee/competition/transaction.h"
#include "referee/match/verdict.h"
#include "referee/store/store.h"

namespace referee::competition {

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

struct OpenBlock {
  store::Block block;        // RUNNING; its matches have no results
  bool made = false;         // the matches of its attempt are, or were, in the host
  bool named = false;        // and the store knows them
  bool from_before = false;  // an earlier process may have asked for them
  bool told = false;         // the schedule knows how it ended
  bool takes_slots = false;  // its matches are made when its bots have slots for them
  bool waits = false;        // they wait in the host, as of the last step: no bot has heard of them
  Instant not_before;        // are they made
  Instant made_at;           // when they were
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

// What a block counts as that is not to be played any more.
struct Forfeit {
  const store::Attempt* attempt = nullptr;  // that counts
  std::vector<int> places;                  // who forfeits in it what was not decided
};

// Leaving does not erase a lost block: the latest of the attempts, all of which came to nothing, in
// which one of the bots at these places has lost a match, and those of them that have. None if
// none has. An attempt counts only if all its matches are on record, for anyone to verify.
absl::optional<Forfeit> FindForfeit(absl::Span<const store::Attempt> attempts,
                                    absl::Span<const int> gone);

// By number. Thread-compatible. REQUIRES of every `number`: the block is open.
class OpenBlocks {
 public:
  using Blocks = std::map<int64_t, OpenBlock>;

  Blocks::const_iterator begin() const { return blocks_.begin(); }
  Blocks::const_iterator end() const { return blocks_.end(); }
  bool empty() const { return blocks_.empty(); }
  size_t size() const { return blocks_.size(); }
  const OpenBlock& at(int64_t number) const { return blocks_.at(number); }
  // Null: it is not open.
  const OpenBlock* Find(int64_t number) const;

  // Replaces all blocks. An attempt that was known goes on with what is known of it, if `keep`.
  // Returns a match of each block that was made here and does not go on.
  std::vector<Cancellation> Load(std::vector<store::Block> blocks, bool keep);
  // `from_before`: an earlier process may have asked for its matches.
  void Add(store::Block block, bool from_before);
  void Close(int64_t number);
  // See OpenBlock::Retry.
  void Retry(int64_t number, store::Attempt failed, Instant not_before);
  // Its matches are cancelled for this reason from the next step on.
  void GiveUp(int64_t number, std::string reason, std::string by);
  // Returns false when the schedule was told before how the block ended.
  bool TellOnce(int64_t number);

  // Blocks whose matches are to be asked of the host now, in this order. Takes their slots.
  std::vector<int64_t> ToMake(CompetitionNow* now);
  // See Planner.
  void Made(int64_t number, const std::vector<MatchId>& matches, std::string block_id, Instant now);
  void CannotMake(int64_t number) { blocks_.at(number).takes_slots = true; }
  // Changes that tell the store the matches of blocks that have been made. Named: it was told.
  std::vector<store::Change> Names() const;
  void Named();

  // The host says which first matches of blocks wait for their bots.
  void NoteWaiting(const absl::flat_hash_set<MatchId>& waiting);
  // See Planner.
  void MatchEnded(const MatchId& match, MatchEnd end);
  // The matches whose end is not known.
  std::vector<MatchId> Unended() const;
  std::vector<MatchId> UnendedOf(int64_t number) const;
  // Those of blocks that are over of which the replays are to be shared still.
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

#endif  // REFEREE_COMPETITION_OPEN_BLOCKS_H_
