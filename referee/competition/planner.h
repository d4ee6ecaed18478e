// Decides what one competition does next: which blocks begin, are played again, dropped or counted,
// who is taken out, and when to look again. Pure: it is told what the store has, what the host
// says and how matches ended, and tells what is to be written and asked for. CompetitionRunner
// (runner.h) carries that out; nothing here does I/O, reads a clock or draws a random number.
//
//   Planner planner(id);
//   planner.GoOnUnder(lease);                      // before each step: a new term makes it stale()
//   planner.Load(...);                             // what the store has; again whenever stale()
//   planner.MatchEnded(match, end);                // at any time between steps
//   planner.BeginStep(situation);                  // the host and the time, as they are now
//   ... cancel planner.Cancellations() ...
//   const Transaction transaction = planner.Plan();
//   ... write transaction.changes ...              // refused: planner.Reread()
//   planner.Commit(transaction);                   // done: they have happened
//   for (const int64_t number : planner.BlocksToMake()) { ... planner.Made(number, ...) ... }
//   for (const Removal& removal : planner.Removals()) { ... planner.Removed(removal) ... }
//   for (const int bot : planner.suspended().answered()) { ... planner.Returned(bot) ... }
//   ... ping planner.suspended().to_ping() ...
//   ... wait until planner.NextStep() ...
//
// Nothing is lost when a step breaks off anywhere: what has happened is in the store, in the host
// or in the archive, and Load finds it there.
//
// It puts parts together, of which each decides one question by competition_now.h, which says also
// which match belongs to which block:
//   block_end.h      what becomes of a block
//   count.h          what blocks count
//   next_blocks.h    which blocks begin, and where
//   absences.h       how long blocks wait for bots, which are set aside, and which return
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

// What the store has of a competition.
struct StoredCompetition {
  store::Competition row;  // spec.entrants are not looked at
  std::vector<store::Entrant> entrants;
  // As it is after the blocks below row.next_block; null if the competition is NEW or FINISHED, or
  // lives elsewhere.
  std::unique_ptr<schedule::Schedule> schedule;
  std::vector<store::Block> blocks;        // those that are not counted; elsewhere, the open ones
  absl::optional<rating::Sprt> sprt = {};  // of a test, after those that are
};

// Thread-compatible.
class Planner {
 public:
  explicit Planner(store::CompetitionId id) { now_.row.id = std::move(id); }

  // --- What there is ---

  // What it begins and changes from here on is under this lease. Under another one than before it
  // is stale, and what goes on of the former one is lost.
  void GoOnUnder(const store::Lease& lease);
  const store::Lease& lease() const { return lease_; }
  // Where it lives from here on; at first, here. When it comes here, or this daemon begins to help,
  // it is stale.
  void LivesAt(const Home& home);
  // Takes over who is in, if the store's rows say that nothing else has changed since the last
  // Load. Returns false when all is to be loaded: then there is no schedule until it is.
  bool TakeOver(const store::Competition& row, const std::vector<store::Entrant>& entrants);
  // Takes over everything. Returns matches of blocks that another referee has taken over, or that
  // were begun under a lease that has ended.
  std::vector<Cancellation> Load(StoredCompetition stored);
  // Takes over a block of another daemon as the store has it now.
  void TakeIn(store::Block block);
  // The blocks of the competition that are open now, from the store: takes over those that the home
  // has begun for this daemon since. It is stale when one of them has a bot that it does not know.
  void TakeGiven(std::vector<store::Block> open);
  // Somebody has changed the competition in the store: it is stale until the next Load.
  void Reread() { stale_ = true; }
  bool stale() const { return stale_; }
  // Whether it was loaded once; if not, nothing below may be called.
  bool loaded() const { return loaded_; }
  // Nothing is to be done any more: it is FINISHED, or not RUNNING yet, or lives elsewhere, without
  // helpers, and all that was begun here is over.
  bool idle() const;
  const CompetitionNow& now() const { return now_; }
  // The blocks that this daemon plays.
  const OpenBlocks& open() const { return open_; }
  const SuspendedBots& suspended() const { return suspended_; }
  // Null unless it goes on here.
  const schedule::Schedule* schedule() const { return schedule_.get(); }

  // A match has ended, or its replay, which was to be shared, is; ignored if it is not one of this
  // competition's, or both are known.
  void MatchEnded(const MatchId& match, MatchEnd end) { open_.MatchEnded(match, std::move(end)); }
  // An organiser gives an open block up: the next steps cancel its matches for this reason, and the
  // block becomes VOID, but counts if all of them have results by then. REQUIRES: CheckMayGiveUp
  // (block_end.h) is OK.
  void GiveUp(int64_t number, std::string reason, std::string by) {
    open_.GiveUp(number, std::move(reason), std::move(by));
  }

  // --- A step, in this order ---

  // What a step needs to know of the host.
  host::HostQuestion question() const;
  // REQUIRES: not stale, not idle.
  void BeginStep(Situation situation);
  std::vector<Cancellation> Cancellations() const;
  // At most limits::kMaxBlocksPerStep blocks begin. To be planned anew after a Load if the store
  // refuses it.
  Transaction Plan();
  void Commit(const Transaction& transaction);
  // Blocks whose matches are to be asked of the host now, in this order.
  std::vector<int64_t> BlocksToMake() { return open_.ToMake(&now_); }
  // Its matches have been made, by rotation; perhaps by an earlier process, and ended meanwhile.
  void Made(int64_t number, const std::vector<MatchId>& matches, std::string block_id) {
    open_.Made(number, matches, std::move(block_id), now_.situation.now);
  }
  // A bot takes fewer matches at once than the block has, or the host holds matches back: it waits
  // for that to change.
  void CannotMake(int64_t number) { open_.CannotMake(number); }
  // The store has taken open().Names().
  void Named() { open_.Named(); }
  // Bots that were away for too long while something waited for them, those of blocks for which
  // none of them was ready, and those that were late in attempts that are void for that, again and
  // again.
  std::vector<Removal> Removals();
  void Removed(const Removal& removal);
  // A suspended bot that has answered was brought back.
  void Returned(int bot);
  // What keeps bots that are connected from playing here, after all that the step has done.
  std::vector<BotNotice> Notices() const;
  // All is played and counted: it is to be FINISHED.
  bool done() const;
  // As of the last step: it would begin more blocks, and takes the next places that become free.
  bool takes_next_places() const { return next_.takes_next_places(); }
  void Finished();

  // --- For others ---

  // When the next step is wanted at the latest.
  Instant NextStep() const;
  // As of the last step.
  Progress progress();
  // What people should know, a line each, since the last call.
  std::vector<std::string> TakeLog() { return std::exchange(log_, {}); }

 private:
  // Adds what becomes of open blocks.
  void PlanEnds(Transaction* plan);
  void CommitChange(const store::Change& change);
  void CommitCount(const store::CountBlocks& count);

  CompetitionNow now_;
  store::Lease lease_;
  bool lease_ended_ = false;  // the one under which open_ was begun
  bool stale_ = true;
  bool loaded_ = false;
  std::unique_ptr<schedule::Schedule> schedule_;
  absl::optional<rating::Sprt> sprt_;  // of a test, after what is counted
  OpenBlocks open_;
  std::map<int64_t, store::Block> uncounted_;  // over
  NextBlocks next_;
  Absences absences_;
  SuspendedBots suspended_;
  LateBots late_;
  RecentCount lately_;
  bool counts_on_ = false;  // there is more to count, or to do once it is, than the last step did
  std::vector<std::string> log_;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_PLANNER_H_
