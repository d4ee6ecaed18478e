// Pairing: the state machine of each competition format that decides which bots meet next.
//
// The formats are round robin, gauntlet, Swiss, knockout, ladder and test. A schedule names the
// next block among the free bots, is notified of its result, and keeps the score. COMPETITION.md
// says what each format promises.
//
// A schedule reads no clock (the caller passes the time), draws no random number, and gives equal
// answers to equal calls. To restore one, repeat the calls: Begun, Played, Dropped and Voided, in
// order of block numbers, and each Withdraw before the Begun of the first block that was begun
// after it. The position of Played in between does not matter. A ladder would have too many calls.
// It is restored from the stored state of each bot, and from who has met whom.
//
//   std::unique_ptr<Schedule> schedule = Schedule::Make(spec);
//   while (!schedule->done()) {
//     // None: wait for a bot, an outcome or asks_again().
//     absl::optional<Pairing> next = schedule->Next(free, now);
//     ...
//     schedule->Played(number, outcome);
//   }
#ifndef REFEREE_SCHEDULE_SCHEDULE_H_
#define REFEREE_SCHEDULE_SCHEDULE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/clock.h"
#include "referee/rating/block.h"
#include "referee/rating/rating.h"
#include "referee/schedule/meetings.h"
#include "referee/schedule/rounds.h"
#include "referee/schedule/spec.h"

namespace referee::schedule {

// A bot's score in a schedule, and its rank by that score.
struct ScoreLine {
  int bot = 0;
  int rank = 1;    // competition rank: 1 2 2 4; 0: no rank, listed after ranked bots
  int blocks = 0;  // played
  int points = 0;  // 2 seats: half points of matches won and drawn; more: for bots left behind
  std::vector<TieBreakScore> tie_breaks;  // those of the spec, in order
  // Round robin and gauntlet, which rank by it: the share, from 0 to 1, of the points possible in
  // what counts for the bot. Not set if nothing counts.
  absl::optional<double> share;
  // The bot left early, so results by and against it do not count.
  bool annulled = false;
  int forfeited_blocks = 0;  // not played, since it left late: count as lost
  int walkovers = 0;         // not played, since the other left: count as won
  int byes = 0;              // Swiss: rounds without an opponent; count as won blocks
  std::string remark;        // "bye", "out in round 2", "withdrawn", ...; may be empty
};

// The state of a bot that a ladder needs to continue.
struct Entrant {
  rating::Rating rating;
  int64_t blocks_begun = 0;
  bool withdrawn = false;
  int64_t blocks = 0;  // of blocks_begun, those played or running: without failed ones
};

// A block that a ladder needs to know to continue.
struct RecentBlock {
  int64_t number = 0;
  rating::Pairing pairing;
  bool running = false;  // false: it was played
};

// Flips the coin for a knockout tie that nothing else decides: 0 or 1 with equal probability, and
// always the same for the same arguments. `round` is from 1, `tie` from 0 in bracket order;
// `last_block` is the number of the tie's last block.
using Lot = std::function<int(int round, int tie, int64_t last_block)>;

// Thread-compatible.
class Schedule {
 public:
  virtual ~Schedule() = default;

  // Makes a schedule that has not begun. `spec.entrants` are bots 0, 1, ... `lot` flips the coins
  // of a knockout; without it the better seed wins each. REQUIRES: Validate(spec) is OK.
  static std::unique_ptr<Schedule> Make(const Spec& spec, Lot lot = nullptr);
  // Makes a ladder that continues; `next_number` is its next block. `recent` has all running blocks
  // and, with more than two seats, those played among the last kLadderMemory (ladder.h). `met` has
  // the blocks that pairs have played, without those in `recent`. REQUIRES: spec.format is kLadder,
  // an entrant for each of spec.entrants.
  static std::unique_ptr<Schedule> MakeLadder(const Spec& spec,
                                              const std::vector<Entrant>& entrants,
                                              const std::vector<PairCount>& met,
                                              int64_t next_number,
                                              const std::vector<RecentBlock>& recent = {});

  // Makes a test that continues; `next_number` is its next block, and earlier blocks are over.
  // REQUIRES: Validate(spec) is OK, spec.format is kTest.
  static std::unique_ptr<Schedule> MakeTest(const Spec& spec, int64_t next_number);

  // Adds a bot, with the next number. Returns FailedPrecondition except for a ladder; the bots of
  // other formats are fixed.
  virtual absl::Status Join() { return IsClosed(); }
  // Withdraws a bot. Its blocks that have not begun are not played; played blocks count. Repeated
  // calls have no effect.
  virtual void Withdraw(int bot) = 0;
  // Readmits a withdrawn bot with its number and results. Returns FailedPrecondition if the format
  // does not allow this, or the bot was not withdrawn.
  virtual absl::Status Rejoin(int /*bot*/) { return IsClosed(); }

  // Returns the next block to play, among the bots with free[bot], which may begin one now. Returns
  // none if no block can begin now, or ever (see done). The block counts as begun, with the next
  // number, from 0. `now` never goes back. REQUIRES: free.size() is the number of bots.
  virtual absl::optional<rating::Pairing> Next(const std::vector<bool>& free, Instant now) = 0;
  // When to call Next again after it returned none, even if nothing has changed.
  virtual Instant asks_again() const { return Instant::InfiniteFuture(); }
  // Why Next returned none although bots are free, for people: "every bot ..."; may be empty.
  virtual std::string rests() const { return ""; }
  // Repeats a block that Next returned before, when a schedule is restored.
  virtual void Begun(const rating::Pairing& pairing) = 0;
  // Updates the rating of a bot, by which a ladder pairs.
  virtual void Rated(int /*bot*/, const rating::Rating& /*rating*/) {}
  // Reports that a block was played to the end. Numbers may come in any order; decisions do not
  // depend on it. A restored ladder accepts blocks from before, too.
  virtual void Played(int64_t number, const rating::BlockOutcome& outcome) = 0;
  // Reports that a block will not be played, because one of its bots was withdrawn.
  virtual void Dropped(int64_t number) = 0;
  // Reports that a block will not be played, through no fault of its bots: it became void too
  // often.
  virtual void Voided(int64_t number) { Dropped(number); }

  // Whether no block is left to play and none is running.
  virtual bool done() const = 0;
  // The number of blocks yet to begin, as far as known; -1: unknown or endless.
  virtual int64_t blocks_left() const = 0;
  // Whether a block is left that Next cannot return without this bot. False for a withdrawn bot.
  virtual bool needs(int bot) const = 0;
  // All bots, best first. Meaningless for a ladder and a test, which are ordered by rating.
  virtual std::vector<ScoreLine> Scores() const = 0;
  // Swiss and knockout: all rounds so far and what is known of later ones, by round and place. In a
  // Swiss the points of a bot over all pairings add up to those in Scores. Empty for other formats.
  virtual std::vector<RoundPairing> Pairings() const { return {}; }

 protected:
  explicit Schedule(Format format) : format_(format) {}

 private:
  absl::Status IsClosed() const;

  const Format format_;
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_SCHEDULE_H_
