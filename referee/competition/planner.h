// Decides the next actions of one competition: the pure core of the scheduler.
//
// It decides which blocks begin, repeat, drop or count, which bots are removed, and when the next
// step is due. Inputs are the state of the store, the host's view and the ends of matches; outputs
// are changes to write and requests to make. CompetitionRunner (runner.h) carries them out. The
// planner does no I/O, reads no clock and draws no random number.
//
//   Planner planner(id);
//   planner.GoOnUnder(lease);                      // before each step: a new term makes it stale()
//   planner.Load(...);                             // the store's state; again whenever stale()
//   planner.MatchEnded(match, end);                // at any time between steps
//   planner.BeginStep(situation);                  // the host and the time, as they are now
//   ... cancel planner.Cancellations() ...
//   const Transaction transaction = planner.Plan();
//   ... write transaction.changes ...              // refused: planner.Reread()
//   planner.Commit(transaction);                   // accepted: the changes have happened
//   for (const int64_t number : planner.BlocksToMake()) { ... planner.Made(number, ...) ... }
//   for (const Removal& removal : planner.Removals()) { ... planner.Removed(removal) ... }
//   for (const int bot : planner.suspended().answered()) { ... planner.Returned(bot) ... }
//   ... ping planner.suspended().to_ping() ...
//   ... wait until planner.NextStep() ...
//
// A step may stop anywhere without loss: the store, the host and the archive have what happened,
// and Load reads it from there.
//
// The planner combines parts that each decide one question from a CompetitionNow
// (competition_now.h, which also maps matches to blocks):
//   block_end.h      how a block ends
//   count.h          which blocks count
//   next_blocks.h    which blocks begin, and where
//   absences.h       how long blocks wait for bots, which bots are suspended, and which return
//   status.h         what people read
#ifndef REFEREE_COMPETITION_PLANNER_H_
#define REFEREE_COMPETITION_PLANNER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/competition/absences.h"
#include "referee/competition/competition_now.h"
#include "referee/competition/next_blocks.h"
#include "referee/competition/status.h"
#include "referee/host/host_view.h"
#include "referee/rating/sprt.h"
#include "referee/schedule/schedule.h"
#include "referee/store/store.h"

namespace referee::competition {

// The state of a competition in the store.
struct StoredCompetition {
  store::Competition row;  // spec.entrants is not read
  std::vector<store::Entrant> entrants;
  // The schedule after the blocks below row.next_block. Null if the competition is NEW or FINISHED,
  // or another referee owns it.
  std::unique_ptr<schedule::Schedule> schedule;
  // the uncounted ones; of another owner's competition, the open ones
  std::vector<store::Block> blocks;
  absl::optional<rating::Sprt> sprt = {};  // of a test, after the counted blocks
};

// Thread-compatible.
class Planner {
 public:
  explicit Planner(store::CompetitionId id) { now_.row.id = std::move(id); }

  // --- The state of the competition ---

  // Sets the lease for all further changes. A new term makes the planner stale() and discards the
  // blocks begun under the old one.
  void GoOnUnder(const store::Lease& lease);
  const store::Lease& lease() const { return lease_; }
  // Sets the owner; the default is this referee. The planner becomes stale when this referee
  // becomes the owner or a helper.
  void LivesAt(const Home& home);
  // Updates the row and the entrants from the store, if that suffices since the last Load. Returns
  // false if a full Load is needed; until then there is no schedule.
  bool TakeOver(const store::Competition& row, const std::vector<store::Entrant>& entrants);
  // Replaces the whole state. Returns matches to cancel: of blocks that another referee has taken
  // over, or that were begun under a lease that has ended.
  std::vector<Cancellation> Load(StoredCompetition stored);
  // Updates a block of another referee from the store.
  void TakeIn(store::Block block);
  // Adds the blocks that the owner has begun for this referee, from the open blocks in the store.
  // The planner becomes stale if one of them has an unknown bot, or matches already.
  void TakeGiven(std::vector<store::Block> open);
  // Marks the planner stale until the next Load: the store has changes by another caller.
  void Reread() { stale_ = true; }
  bool stale() const { return stale_; }
  // Whether Load was called. If not, nothing below may be called.
  bool loaded() const { return loaded_; }
  // Whether nothing is left to do here. The competition is NEW or FINISHED; or it has another owner
  // and no helpers, and no block begun here is open.
  bool idle() const;
  const CompetitionNow& now() const { return now_; }
  // The blocks that this referee plays.
  const OpenBlocks& open() const { return open_; }
  const SuspendedBots& suspended() const { return suspended_; }
  // Null unless this referee owns the running competition.
  const schedule::Schedule* schedule() const { return schedule_.get(); }

  // Call when a match has ended, and again when its replay has been uploaded. Ignores matches of
  // other competitions and repeated calls.
  void MatchEnded(const MatchId& match, MatchEnd end) { open_.MatchEnded(match, std::move(end)); }
  // Gives up an open block for an organiser. The next steps cancel its matches, and the block
  // becomes VOID. If all its matches have results by then, it counts. REQUIRES: CheckMayGiveUp
  // (block_end.h) is OK.
  void GiveUp(int64_t number, std::string reason, std::string by) {
    open_.GiveUp(number, std::move(reason), std::move(by));
  }

  // --- A step, in this order ---

  // What a step needs to know from the host.
  host::HostQuestion question() const;
  // REQUIRES: not stale, not idle.
  void BeginStep(Situation situation);
  std::vector<Cancellation> Cancellations() const;
  // Returns the changes of this step, which begin at most limits::kMaxBlocksPerStep blocks. If the
  // store refuses them, call Load and plan anew.
  Transaction Plan();
  void Commit(const Transaction& transaction);
  // Blocks whose matches to request from the host now, in this order.
  std::vector<int64_t> BlocksToMake() { return open_.ToMake(&now_); }
  // Call when the matches of a block exist, by rotation. An earlier process may have made them, and
  // they may have ended.
  void Made(int64_t number, const std::vector<MatchId>& matches, std::string block_id) {
    open_.Made(number, matches, std::move(block_id), now_.situation.now);
  }
  // Call when the matches cannot be made now, since a bot takes fewer matches at once than the
  // block has or the host holds matches back. The block waits for that to change.
  void CannotMake(int64_t number) { open_.CannotMake(number); }
  // Call when the store has accepted open().Names().
  void Named() { open_.Named(); }
  // Returns the bots to remove: absent for too long, in a block for which no bot was ready, or late
  // so often that attempts were void.
  std::vector<Removal> Removals();
  void Removed(const Removal& removal);
  // Call when a suspended bot that has answered was readmitted.
  void Returned(int bot);
  // Returns what keeps connected bots from playing here, as of the end of the step.
  std::vector<BotNotice> Notices() const;
  // Whether all is played and counted, so that the competition is to be FINISHED.
  bool done() const;
  // Whether the competition could begin more blocks and takes the next free slots, as of the last
  // step.
  bool takes_next_places() const { return next_.takes_next_places(); }
  void Finished();

  // --- For others ---

  // When the next step is due at the latest.
  Instant NextStep() const;
  // The progress as of the last step.
  Progress progress();
  // Returns log lines for people since the last call.
  std::vector<std::string> TakeLog() { return std::exchange(log_, {}); }

 private:
  // Adds the ends of open blocks to the plan.
  void PlanEnds(Transaction* plan);
  void CommitChange(const store::Change& change);
  void CommitCount(const store::CountBlocks& count);

  CompetitionNow now_;
  store::Lease lease_;
  bool lease_ended_ = false;  // the lease under which open_ began has ended
  bool stale_ = true;
  bool loaded_ = false;
  std::unique_ptr<schedule::Schedule> schedule_;
  absl::optional<rating::Sprt> sprt_;  // of a test, after the counted blocks
  OpenBlocks open_;
  std::map<int64_t, store::Block> uncounted_;  // over; by number
  NextBlocks next_;
  Absences absences_;
  SuspendedBots suspended_;
  LateBots late_;
  RecentCount lately_;
  // the last step left blocks to count, or work that follows from counting
  bool counts_on_ = false;
  std::vector<std::string> log_;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_PLANNER_H_
