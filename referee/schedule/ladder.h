// Ladder: pairs without end, first those whose result is expected to tell most about ratings and
// who have met least, but so that all bots that are there play about as much. COMPETITION.md says
// how it chooses, when it waits, and what pace and goal are.
//
// Each bot has a level: the blocks that it has begun, plus what lifted it when it joined or was
// away. The levels of bots that are there (free, or playing here) and not at the goal differ by
// kLadderLead at most, at any time. Thread-compatible.
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

// So many blocks more than another a bot may have begun while both were there from the start.
inline constexpr int kLadderLead = 16;

// So long a ladder with a pace waits before its first blocks, from when enough bots are there,
// until all are.
inline constexpr absl::Duration kLadderGathers = absl::Seconds(5);

// Of more than two seats it knows who has met, and sat after whom, in so many of the last blocks.
inline constexpr int64_t kLadderMemory = 4'000;

// How long a ladder may leave room for blocks unused, waiting for better opponents: a fixed share
// of the time that blocks have taken. Time is what its caller says. Thread-compatible.
class IdleBudget {
 public:
  // Idle may be this share of the time that blocks take, ...
  static constexpr double kShare = 0.03;
  // ... and no more than this is saved up, so that nobody sees a ladder stand still for long.
  static constexpr absl::Duration kMost = absl::Minutes(1);

  // It is `now`, and from now on `open` blocks are being played. Ends a wait.
  void Look(Instant now, int open) {
    if (waiting_ > 0)
      saved_ -= std::max(absl::ZeroDuration(), std::min(now, until_) - since_) * waiting_;
    saved_ += std::max(absl::ZeroDuration(), now - since_) * (open_ * kShare);
    saved_ = std::min(saved_, kMost);
    since_ = now;
    open_ = open;
    waiting_ = 0;
  }

  // How long room for `blocks` blocks may be left unused from the last Look on.
  absl::Duration left(int blocks) const {
    return std::max(absl::ZeroDuration(), saved_ / std::max(1, blocks));
  }

  // It is left unused, until the next Look. Returns when that must be over.
  Instant Wait(int blocks) {
    waiting_ = std::max(1, blocks);
    until_ = since_ + left(waiting_);
    return until_;
  }

 private:
  absl::Duration saved_;
  Instant since_;
  int open_ = 0;
  int waiting_ = 0;  // blocks that could be played instead; 0: it does not wait
  Instant until_;
};

class Ladder : public Schedule {
 public:
  // As Schedule::MakeLadder. REQUIRES: Validate(spec) is OK, an entrant for each of spec.entrants.
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

  // Whether the bot's strength is known as well as the goal asks. The same for a ladder that is
  // made again.
  bool IsAtGoal(int bot);

 private:
  struct Bot {
    double mu = 0;
    double variance = 0;
    int64_t level = 0;
    int64_t blocks = 0;  // without those that came to nothing
    bool withdrawn = false;
    bool there = false;       // at the last Next
    bool at_goal = false;     // its strength is known well enough, if that is measured
    bool measured = false;    // nothing has changed since that would tell otherwise
    int64_t last = -1;        // the number of its last block; -1: none here
    Instant begun;            // when that was
    absl::Duration duration;  // of its blocks lately, as a moving mean; zero: not known
  };
  // Bots that may begin a block, and what that is worth: the sum over its pairs.
  struct Group {
    std::vector<int> bots;
    double worth = 0;
  };

  void Add(const Entrant& entrant, int64_t level);
  // Finds out whether it is at the goal.
  void Measure(int bot);
  // These have met in a block, of this number.
  void Meet(int64_t number, const rating::Pairing& pairing);
  // What these did in a block is known no more.
  void Forget(const rating::Pairing& pairing);
  // Sees who is there and lifts those that came, and fills the lists of who may begin a block.
  void SeeWho(const std::vector<bool>& free);
  // Puts one that is there into its lists.
  void Sort(int number, bool free);
  // Whether to wait, before the first blocks, for bots that may connect in a moment. REQUIRES:
  // SeeWho has looked.
  bool IsToGather(Instant now);
  // Notes how long the blocks took that have ended since the last Next.
  void NoteEnds(Instant now);

  // Of the score of a match of the two, from 0 to 1, as their ratings say.
  static double VarianceOfScore(const Bot& a, const Bot& b);
  // How much a block of the two is expected to take away of the variance of their ratings.
  static double Worth(const Bot& a, const Bot& b);
  // The bot of `from` whose rating is known least, of those that are not at the goal if any are
  // not.
  int Unknown(const std::vector<int>& from) const;
  // Fills the group with those of `from` that are worth most beside its members.
  void Fill(const std::vector<int>& from, Group* group);
  // Puts a group in the order in which its bots have sat least after each other.
  void Seat(rating::Pairing* pairing) const;
  // Whether to wait, instead of playing this group of bots that are free, for a better one.
  bool IsToWait(const Group& group, Instant now);
  // When a bot that may not begin a block now will be free; InfiniteFuture: not known.
  Instant FreeExpected(int number, Instant now) const;

  void Begin(const rating::Pairing& pairing);
  // Returns its bots, if it was open.
  absl::optional<rating::Pairing> End(int64_t number);

  const size_t seats_;
  const int goal_width_;     // in Elo; 0: there is none
  const bool seats_evenly_;  // of more than two seats
  std::vector<Bot> bots_;
  ScoreSheet sheet_;
  OpenBlocks open_;
  Meetings met_;
  // Of more than two seats, those in met_, by number; those that came to nothing are missing.
  std::map<int64_t, rating::Pairing> remembered_;
  IdleBudget budget_;
  Pace pace_;
  // The lowest level of a bot that is there and not at the goal; it never falls.
  int64_t floor_ = 0;
  bool gathered_ = false;  // bots need not be waited for any more
  absl::optional<Instant> gathers_until_;
  Instant now_;  // of the last Next
  Instant asks_again_ = Instant::InfiniteFuture();
  std::vector<std::pair<int64_t, rating::Pairing>> ended_;  // since the last Next, by number

  // What SeeWho saw, kept for its memory.
  bool all_at_goal_ = false;  // of those that are there, if any are
  bool paced_ = false;        // some are free, and wait for the next step of the pace
  std::vector<int> lowest_;   // free, at the floor
  int64_t busy_lowest_ = 0;   // bots that play, or wait for the pace, at the floor
  std::vector<int> open_to_;  // free, below floor + lead
  std::vector<int> capped_;   // free, at floor + lead
  std::vector<int> busy_;     // playing, or waiting for the pace, below floor + lead
  // Of Fill, by bot: how often one has met it. All zero between its calls.
  std::vector<int32_t> times_;
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_LADDER_H_
