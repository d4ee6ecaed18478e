// Pairing: which bots meet next, for each format of a competition (round robin, gauntlet, Swiss,
// knockout, ladder, test). A schedule is a state machine: it names the next block among the bots
// that are free, is told how that ended, and keeps the score. What each format promises is in
// COMPETITION.md.
//
// It reads no clock (who asks says what time it is), draws no random number, and gives the same
// answers to the same calls. So one that was lost is restored by repeating them: Begun, Played,
// Dropped and Voided, in order of the blocks' numbers, and each Withdraw before the Begun of the
// first block that was given after it. (Where in between Played comes does not matter.) A ladder,
// which would have too many of them, is restored from what is kept of each bot, and who has met
// whom.
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

// What a bot has scored in a schedule, and its rank by that.
struct ScoreLine {
  int bot = 0;
  int rank = 1;    // competition rank: 1 2 2 4; 0: it has none, and comes after those that do
  int blocks = 0;  // played
  int points = 0;  // half points of matches won and drawn; of n seats, bots left behind
  std::vector<TieBreakScore> tie_breaks;  // those of the spec, in their order
  // Of a round robin and a gauntlet, which rank by it: the share, from 0 to 1, of the points that
  // it could have made in what counts for it; none if nothing does.
  absl::optional<double> share;
  // It left early: what it made, and what was made against it, does not count.
  bool annulled = false;
  int forfeited_blocks = 0;  // not played, since it left late: they count as lost
  int walkovers = 0;         // not played, since the other left: they count as won
  int byes = 0;              // of a Swiss: rounds with nobody to meet; they count as won blocks
  std::string remark;        // "bye", "out in round 2", "withdrawn", ...; may be empty
};

// What a ladder needs to know of a bot to go on.
struct Entrant {
  rating::Rating rating;
  int64_t blocks_begun = 0;
  bool withdrawn = false;
  int64_t blocks = 0;  // of these, played or being played: without those that came to nothing
};

// A block that a ladder is to know of when it goes on.
struct RecentBlock {
  int64_t number = 0;
  rating::Pairing pairing;
  bool running = false;  // else it was played
};

// A lot that is drawn when nothing else decides a tie of a knockout: 0 or 1, each as likely as the
// other, and the same whenever it is asked. `round` is from 1, `tie` from 0 in the bracket's order;
// `last_block` is the number of the tie's last block.
using Lot = std::function<int(int round, int tie, int64_t last_block)>;

// Thread-compatible.
class Schedule {
 public:
  virtual ~Schedule() = default;

  // REQUIRES: Validate(spec) is OK. `spec.entrants` are bots 0, 1, ... `lot` draws the lots of
  // a knockout; without it the better seed wins each.
  static std::unique_ptr<Schedule> Make(const Spec& spec, Lot lot = nullptr);
  // Makes a ladder that goes on: the next block is `next_number`. REQUIRES: spec.format is kLadder,
  // an entrant for each of spec.entrants. `met`: the blocks that pairs of them have played, without
  // those in `recent`, which has all that run and, of more than two seats, those played among the
  // last kLadderMemory (ladder.h).
  static std::unique_ptr<Schedule> MakeLadder(const Spec& spec,
                                              const std::vector<Entrant>& entrants,
                                              const std::vector<PairCount>& met,
                                              int64_t next_number,
                                              const std::vector<RecentBlock>& recent = {});

  // Makes a test that goes on: the next block is `next_number`, and those before are over.
  // REQUIRES: Validate(spec) is OK, spec.format is kTest.
  static std::unique_ptr<Schedule> MakeTest(const Spec& spec, int64_t next_number);

  // A bot joins: the next number. Returns FailedPrecondition unless the format lets it: that of all
  // but a ladder are fixed from the start.
  virtual absl::Status Join() { return IsClosed(); }
  // A bot leaves: its blocks that are not begun are not played; what it played counts.
  // Comes to the same for one that has left.
  virtual void Withdraw(int bot) = 0;
  // A bot that left comes back, with its number and all that it played. Returns FailedPrecondition
  // unless the format lets it, and it had left.
  virtual absl::Status Rejoin(int /*bot*/) { return IsClosed(); }

  // The next block to play, among bots for which free[bot] is true: that may begin one now. None if
  // there is none for now, or ever (see done). The block is taken as begun, with the next number,
  // from 0. `now` does not go back. REQUIRES: free.size() is the number of bots.
  virtual absl::optional<rating::Pairing> Next(const std::vector<bool>& free, Instant now) = 0;
  // When to call Next again after it gave none, although nothing has changed.
  virtual Instant asks_again() const { return Instant::InfiniteFuture(); }
  // Why it gave none although bots are free, for people: "every bot ..."; may be empty.
  virtual std::string rests() const { return ""; }
  // The block that Next gave at this point before, when a schedule is made again.
  virtual void Begun(const rating::Pairing& pairing) = 0;
  // A bot's rating now, which a ladder pairs by.
  virtual void Rated(int /*bot*/, const rating::Rating& /*rating*/) {}
  // A block that Next gave was played to its end. Numbers may come in any order; what they decide
  // does not depend on it. A ladder that goes on takes numbers from before, too.
  virtual void Played(int64_t number, const rating::BlockOutcome& outcome) = 0;
  // A block that Next gave will not be played, because one of its bots was withdrawn meanwhile.
  virtual void Dropped(int64_t number) = 0;
  // A block that Next gave will not be played, through no fault of its bots: it became void too
  // often.
  virtual void Voided(int64_t number) { Dropped(number); }

  // Nothing is left to play, and nothing is being played.
  virtual bool done() const = 0;
  // Blocks that are still to be begun as far as is known now; -1: nobody knows, or for ever.
  virtual int64_t blocks_left() const = 0;
  // Whether something is left that Next cannot give without this bot. False for one that left.
  virtual bool needs(int bot) const = 0;
  // All bots, best first. Of no meaning for a ladder and a test, which are ordered by rating.
  virtual std::vector<ScoreLine> Scores() const = 0;
  // Of a Swiss and a knockout: all rounds so far and what is known of those to come, by round and
  // place. Over the pairings of a Swiss the points of a bot add up to those in Scores. Empty for
  // other formats.
  virtual std::vector<RoundPairing> Pairings() const { return {}; }

 protected:
  explicit Schedule(Format format) : format_(format) {}

 private:
  absl::Status IsClosed() const;

  const Format format_;
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_SCHEDULE_H_
