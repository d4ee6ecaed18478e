// Ladder: endless pairing that prefers informative, rarely played pairs and keeps play even.
//
// A block is worth more if its result is expected to reduce the uncertainty of ratings more, and if
// its bots have met less. All present bots play about as much. COMPETITION.md says how the ladder
// chooses, when it waits, and what pace and goal are.
//
// Each bot has a level: the blocks that it has begun, plus what it was raised by when it joined or
// returned. A bot is present if it is free or plays a block of this ladder. The levels of present
// bots that are not at the goal differ by at most kLadderLead, at any time. Thread-compatible.
#ifndef REFEREE_SCHEDULE_LADDER_H_
#define REFEREE_SCHEDULE_LADDER_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/schedule/meetings.h"
#include "referee/schedule/open_blocks.h"
#include "referee/schedule/pace.h"
#include "referee/schedule/ranking.h"
#include "referee/schedule/schedule.h"
#include "referee/schedule/seating.h"

namespace referee::schedule {

// The maximal lead, in blocks begun, of one bot over another if both were always present.
inline constexpr int kLadderLead = 16;

// How long a ladder with a pace waits for absent bots before its first blocks. The time counts from
// when enough bots are present.
inline constexpr absl::Duration kLadderGathers = absl::Seconds(5);

// With more than two seats, meetings and seat orders are remembered for this many of the last
// blocks.
inline constexpr int64_t kLadderMemory = 4'000;

// Limits how long a ladder may leave room for blocks unused to wait for better opponents. The limit
// is a fixed share of the time that blocks have taken. The caller supplies the time.
// Thread-compatible.
class IdleBudget {
 public:
  // The idle share of the time that blocks take.
  static constexpr double kShare = 0.03;
  // The most idle time saved up, so that a ladder never stands still for long.
  static constexpr absl::Duration kMost = absl::Minutes(1);

  // Updates the budget to `now`, from which on `open` blocks are running. Ends a wait.
  void Look(Instant now, int open) {
    if (waiting_ > 0)
      saved_ -= std::max(absl::ZeroDuration(), std::min(now, until_) - since_) * waiting_;
    saved_ += std::max(absl::ZeroDuration(), now - since_) * (open_ * kShare);
    saved_ = std::min(saved_, kMost);
    since_ = now;
    open_ = open;
    waiting_ = 0;
  }

  // Returns how long room for `blocks` blocks may stay unused from the last Look on.
  absl::Duration left(int blocks) const {
    return std::max(absl::ZeroDuration(), saved_ / std::max(1, blocks));
  }

  // Starts a wait that lasts until the next Look. Returns when the wait must end.
  Instant Wait(int blocks) {
    waiting_ = std::max(1, blocks);
    until_ = since_ + left(waiting_);
    return until_;
  }

 private:
  absl::Duration saved_;
  Instant since_;
  int open_ = 0;
  int waiting_ = 0;  // blocks that could be played instead; 0: not waiting
  Instant until_;
};

class Ladder : public Schedule {
 public:
  // See Schedule::MakeLadder. REQUIRES: Validate(spec) is OK, an entrant for each of spec.entrants.
  Ladder(const Spec& spec, const std::vector<Entrant>& entrants, const std::vector<PairCount>& met,
         int64_t next_number, const std::vector<RecentBlock>& recent);

  absl::Status Join() override;
  void Withdraw(int bot) override;
  absl::Status Rejoin(int bot) override;
  absl::optional<rating::Pairing> Next(const std::vector<bool>& free, Instant now) override;
  Instant asks_again() const override { return asks_again_; }
  std::string rests() const override;
  void Begun(const rating::Pairing& pairing) override;
  void Rated(int bot, const rating::Rating& rating) override;
  void Played(int64_t number, const rating::BlockOutcome& outcome) override;
  void Dropped(int64_t number) override;
  bool done() const override { return false; }
  int64_t blocks_left() const override { return -1; }
  bool needs(int) const override { return false; }
  std::vector<ScoreLine> Scores() const override;

  // Whether the strength of the bot is known as precisely as the goal requires. A restored ladder
  // gives the same answer.
  bool IsAtGoal(int bot);

 private:
  struct Bot {
    double mu = 0;
    double variance = 0;
    int64_t level = 0;
    int64_t blocks = 0;  // without failed ones
    bool withdrawn = false;
    bool there = false;       // as of the last Next
    bool at_goal = false;     // as precise as the goal requires, if that is measured
    bool measured = false;    // at_goal is up to date
    int64_t last = -1;        // the number of its last block; -1: none here
    Instant begun;            // when that block began
    absl::Duration duration;  // of its recent blocks, a moving mean; zero: unknown
  };
  // Bots that may begin a block, and the value of the block: the sum over its pairs.
  struct Group {
    std::vector<int> bots;
    double worth = 0;
  };

  void Add(const Entrant& entrant, int64_t level);
  // Updates whether the bot is at the goal.
  void Measure(int bot);
  // Records that the bots met in the block of this number.
  void Meet(int64_t number, const rating::Pairing& pairing);
  // Removes a block of these bots from the record.
  void Forget(const rating::Pairing& pairing);
  // Updates which bots are present, raises the levels of new ones, and fills the lists of bots that
  // may begin a block.
  void SeeWho(const std::vector<bool>& free);
  // Adds a present bot to its lists.
  void Sort(int number, bool free);
  // Whether to wait for bots that may connect soon, before the first blocks. REQUIRES: SeeWho has
  // run.
  bool IsToGather(Instant now);
  // Records the durations of the blocks that have ended since the last Next.
  void NoteEnds(Instant now);

  // The variance of the score, from 0 to 1, of a match of the two, according to their ratings.
  static double VarianceOfScore(const Bot& a, const Bot& b);
  // The expected reduction of the variances of both ratings by a block of the two.
  static double Worth(const Bot& a, const Bot& b);
  // Returns the bot of `from` with the most uncertain rating; of bots that are not at the goal, if
  // there are any.
  int Unknown(const std::vector<int>& from) const;
  // Fills the group with the bots of `from` that add the most value to its members.
  void Fill(const std::vector<int>& from, Group* group);
  // Orders the bots of a group so that bots follow those that they have followed least.
  void Seat(rating::Pairing* pairing) const;
  // Whether to wait for a better group instead of playing this group of free bots.
  bool IsToWait(const Group& group, Instant now);
  // When a bot that may not begin a block now is expected to be free; InfiniteFuture: unknown.
  Instant FreeExpected(int number, Instant now) const;

  void Begin(const rating::Pairing& pairing);
  // Returns the bots of the block, if it was open.
  absl::optional<rating::Pairing> End(int64_t number);

  const size_t seats_;
  const int goal_width_;     // in Elo; 0: no goal
  const bool seats_evenly_;  // evens out who follows whom, with more than two seats
  std::vector<Bot> bots_;
  ScoreSheet sheet_;
  OpenBlocks open_;
  Meetings met_;
  // With more than two seats: the blocks counted in met_, by number, without failed ones.
  std::map<int64_t, rating::Pairing> remembered_;
  IdleBudget budget_;
  Pace pace_;
  // The lowest level of a present bot that is not at the goal; it never falls.
  int64_t floor_ = 0;
  bool gathered_ = false;  // the initial wait for bots is over
  absl::optional<Instant> gathers_until_;
  Instant now_;  // of the last Next
  Instant asks_again_ = Instant::InfiniteFuture();
  std::vector<std::pair<int64_t, rating::Pairing>> ended_;  // since the last Next, by number

  // Results of SeeWho. Members, so that their memory is reused.
  bool all_at_goal_ = false;  // all present bots, if there are any
  bool paced_ = false;        // some bots are free, and wait for the next step of the pace
  std::vector<int> lowest_;   // free, at the floor
  int64_t busy_lowest_ = 0;   // bots at the floor that play, or wait for the pace
  std::vector<int> open_to_;  // free, below floor + lead
  std::vector<int> capped_;   // free, at floor + lead
  std::vector<int> busy_;     // playing, or waiting for the pace, below floor + lead
  // For Fill, by bot: how often the bot has met one of the group. All zero between calls.
  std::vector<int32_t> times_;
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_LADDER_H_
