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
//   for (const int bot : planner.Returning()) { ... planner.Returned(bot) ... }
//   ... ping planner.BotsToPing() ...
//   ... wait until planner.NextStep() ...
//
// Nothing is lost when a step breaks off anywhere: what has happened is in the store, in the host
// or in the archive, and Load finds it there.
//
// Code: planner.cc has what it knows, plan.cc a step's transaction, waits.cc what is waited for,
// returns.cc how suspended bots come back, help.cc what daemons play for the home of another.
#ifndef REFEREE_COMPETITION_PLANNER_H_
#define REFEREE_COMPETITION_PLANNER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/competition/count.h"
#include "referee/competition/open_block.h"
#include "referee/competition/recent_count.h"
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

// What is so while a step is taken.
struct Situation {
  Instant now;
  absl::Time wall_now;
  host::HostView host;    // the answer to Planner::question
  bool may_begin = true;  // blocks; false: what has begun is played to its end
  // A competition of higher priority takes the places that become free next: none begins.
  bool yields = false;
  std::vector<store::Help> help = {};  // what its helpers offer; at its home
};

// Where a competition lives. Only its home begins blocks and counts them, and judges who is away. A
// daemon that helps it plays those that the home begins for it, and hands back what cannot be
// played there; any other ends what it has begun, and hands over what is not being played.
struct Home {
  bool here = true;
  std::string owner = {};    // of another daemon; empty: it is here, or nobody knows where
  std::string address = {};  // of that one; empty: the same, or it has not said so
  bool helps = false;        // this daemon does, and the home is another

  friend bool operator==(const Home& a, const Home& b) {
    return a.here == b.here && a.owner == b.owner && a.address == b.address && a.helps == b.helps;
  }
  friend bool operator!=(const Home& a, const Home& b) { return !(a == b); }
};

// A match that is to be cancelled, if it is not over.
struct Cancellation {
  MatchId match;
  std::string reason;
  std::string by = {};  // the account that has it so; empty: the referee itself
};

// A bot that is to be taken out.
struct Removal {
  int bot = 0;
  store::Presence out = store::Presence::kWithdrawn;
  std::string reason;
  absl::optional<store::Suspension> suspension = {};  // it comes back by itself
};

// What the author of a bot that is connected should know.
struct BotNotice {
  std::string bot;  // its name
  std::string text;
};

// What is to happen in the store at once, and what follows from it here.
struct Transaction {
  std::vector<store::Change> changes;

  std::vector<int64_t> finished;  // by number
  std::vector<int64_t> retried;
  struct Dropped {
    int64_t number = 0;
    store::BlockState state = store::BlockState::kDropped;  // or kVoid
    std::string reason;
  };
  std::vector<Dropped> dropped;
  std::vector<int64_t> handed_over;
  struct Begun {
    rating::Pairing pairing;
    std::string to;  // as in BeginBlock

    friend bool operator==(const Begun& a, const Begun& b) {
      return a.pairing == b.pairing && a.to == b.to;
    }
  };
  std::vector<Begun> begun;
  absl::optional<store::CountBlocks> count;
  absl::optional<rating::Sprt> sprt;  // after the count
  bool sets_aside = false;
};

// Thread-compatible.
class Planner {
 public:
  explicit Planner(store::CompetitionId id) : id_(std::move(id)) {}

  // --- What there is ---

  // What it begins and changes from here on is under this lease. Under another one than before it
  // is stale, and what goes on of the former one is lost.
  void GoOnUnder(const store::Lease& lease);
  const store::Lease& lease() const { return lease_; }
  // Where it lives from here on; at first, here. When it comes here, or this daemon begins to help,
  // it is stale.
  void LivesAt(const Home& home);
  const Home& home() const { return home_; }
  // Takes over who is in, if the store's rows say that nothing else has changed since the last
  // Load. Returns false when all is to be loaded: then there is no schedule until it is.
  bool TakeOver(const store::Competition& row, const std::vector<store::Entrant>& entrants);
  // Takes over everything. Returns matches of blocks that another referee has taken over, or that
  // were begun under a lease that has ended.
  std::vector<Cancellation> Load(StoredCompetition stored);
  // Blocks that are open, and of other daemons, as far as it knows.
  struct Foreign {
    rating::Pairing pairing;
    std::string owner;
  };
  const std::map<int64_t, Foreign>& foreign() const { return foreign_; }
  // Takes over one of these as the store has it now.
  void TakeIn(store::Block block);
  // The blocks of the competition that are open now, from the store: takes over those that the home
  // has begun for this daemon since. It is stale when one of them has a bot that it does not know.
  void TakeGiven(std::vector<store::Block> open);
  // What this daemon can play for the competition, as of the last step: nothing unless it helps.
  store::Help Offer() const;
  // Somebody has changed the competition in the store: it is stale until the next Load.
  void Reread() { stale_ = true; }
  bool stale() const { return stale_; }
  // Whether it was loaded once; if not, nothing below may be called.
  bool loaded() const { return loaded_; }
  // Nothing is to be done any more: it is FINISHED, or not RUNNING yet, or lives elsewhere, without
  // helpers, and all that was begun here is over.
  bool idle() const;
  const store::Competition& row() const { return row_; }  // with spec.entrants
  const std::vector<store::Entrant>& entrants() const { return entrants_; }

  // A match has ended, or its replay, which was to be shared, is; ignored if it is not one of this
  // competition's, or both are known.
  void MatchEnded(const MatchId& match, MatchEnd end);
  // The matches of blocks that were begun here and are not over, without those whose end is known.
  std::vector<MatchId> UnendedMatches() const;
  // Matches of blocks that are over, of which the replays are to be shared still.
  std::vector<MatchId> UnsharedMatches() const;
  // Those of one block that are not over, if an earlier process may have made them; else none.
  std::vector<MatchId> UnendedMatchesFromBefore(int64_t number) const;

  // Gives an open block up, by an organiser's word: its matches are cancelled for this reason, and
  // it becomes VOID, in the next step and those after it; but counts if all of them have results by
  // then. Call CheckMayGiveUp first, which returns FailedPrecondition when it is not open, another
  // referee's, or waits for nothing but that its replays are shared. REQUIRES: loaded.
  absl::Status CheckMayGiveUp(int64_t number) const;
  void GiveUp(int64_t number, std::string reason, std::string by);
  // Those of a block's matches whose end is not known. REQUIRES: it was begun here and is not over.
  std::vector<MatchId> UnendedMatchesOf(int64_t number) const;

  // --- A step, in this order ---

  // What a step needs to know of the host.
  host::HostQuestion question() const;
  // REQUIRES: not stale, not idle.
  void BeginStep(Situation situation);
  // Matches that wait in the host for a bot that is gone, or for too long at a helper; all of a
  // block that is given up, and all of a test that is decided.
  std::vector<Cancellation> Cancellations() const;
  // At most limits::kMaxBlocksPerStep blocks begin. To be planned anew after a Load if the store
  // refuses it.
  Transaction Plan();
  void Commit(const Transaction& transaction);
  // Blocks whose matches are to be asked of the host now, in this order.
  std::vector<int64_t> BlocksToMake();
  // REQUIRES: it was begun here and is not over.
  const store::Block& block(int64_t number) const { return open_.at(number).block; }
  // Its matches have been made, by rotation; perhaps by an earlier process, and ended meanwhile.
  void Made(int64_t number, const std::vector<MatchId>& matches, std::string block_id);
  // A bot takes fewer matches at once than the block has, or the host holds matches back: it waits
  // for that to change.
  void CannotMake(int64_t number) { open_.at(number).takes_slots = true; }
  // Whether the host began no match as the step began.
  bool held_back() const { return !situation_.host.held_back.empty(); }
  // Tells the store the matches of blocks that have been made. Named: it was told.
  std::vector<store::Change> Names() const;
  void Named();
  // Bots that were away for too long while something waited for them, those of blocks for which
  // none of them was ready, and those that were late in attempts that are void for that, again and
  // again.
  std::vector<Removal> Removals();
  void Removed(const Removal& removal);
  // Bots, by name, that are to be pinged: their suspensions are over, and they come back when they
  // have answered.
  std::vector<std::string> BotsToPing() const;
  // Bots that have answered: they are to be brought back.
  std::vector<int> Returning() const;
  void Returned(int bot);
  // What keeps bots that are connected from playing here, after all that the step has done.
  std::vector<BotNotice> Notices() const;
  // All is played and counted: it is to be FINISHED.
  bool done() const;
  // As of the last step: it would begin more blocks, and takes the next places that become free.
  bool takes_next_places() const { return begins_go_on_ || lacks_places_; }
  void Finished();

  // --- For others ---

  // When the next step is wanted at the latest.
  Instant NextStep() const;

  // What the store does not know of the competition.
  struct Progress {
    int blocks_running = 0;
    absl::optional<int64_t> blocks_left;
    int blocks_lately = 0;
    int64_t blocks_uncounted = 0;  // over, and waiting for others before they count
    int64_t blocks_ended = 0;      // all matches have ended, which the store does not know yet
    std::string waits_for;

    friend bool operator!=(const Progress& a, const Progress& b) {
      return a.blocks_running != b.blocks_running || a.blocks_left != b.blocks_left ||
             a.blocks_lately != b.blocks_lately || a.waits_for != b.waits_for;
    }
  };
  // As of the last step.
  Progress progress();
  // Schedule::Scores; empty unless it goes on.
  std::vector<schedule::ScoreLine> Scores() const;
  // Schedule::Pairings, the same.
  std::vector<schedule::RoundPairing> Pairings() const;
  // What people should know, a line each, since the last call.
  std::vector<std::string> TakeLog() { return std::exchange(log_, {}); }

 private:
  // A daemon on which blocks may begin.
  struct Place {
    std::string owner;       // a helper; empty: this one
    int blocks = 0;          // that may begin there
    std::vector<int> slots;  // free ones, by entrant
    std::vector<bool> free;  // by entrant: whether it may have one more block there
  };
  // How many blocks may begin, whose and where.
  struct Room {
    int blocks = 0;
    int share = 0;          // blocks that one bot may hold at once
    std::vector<int> held;  // blocks, by entrant
    std::vector<Place> places;
  };
  // How often a bot was late in attempts that are void for that.
  struct Lateness {
    std::vector<bool> attempts;  // its last ones, the latest last: whether it was
    Instant until;               // when the last that it was late in came to an end
    std::string last;            // the block of that one; for people
  };
  struct MatchPlace {
    int64_t number;
    size_t rotation;
  };

  // Tells the schedule who came in and who left. Returns false when it cannot take that.
  bool TakeOverEntrants(const std::vector<store::Entrant>& entrants);
  void NameEntrants();
  void Open(store::Block block, std::map<int64_t, OpenBlock>* before);
  void Close(int64_t number);
  static void CancelAll(const std::map<int64_t, OpenBlock>& lost,
                        std::vector<Cancellation>* cancellations);
  static void AddUnended(const OpenBlock& open, std::vector<MatchId>* matches);
  void CommitCount(const store::CountBlocks& count);
  void CommitBegin(const Transaction::Begun& begun);
  // An attempt is over.
  void NoteLateness(const OpenBlock& open);
  // Whether every bot of the block, and the host, has slots for it now.
  bool HaveSlots(const OpenBlock& open) const;

  // plan.cc
  void PlanEnds(Transaction* plan);
  void PlanEnd(OpenBlock* open, Transaction* plan);
  // A block that is stopped, or was not made: it came after the decision of its test, or was given
  // up.
  void PlanStopped(OpenBlock* open, store::BlockState state, const std::string& reason,
                   Transaction* plan);
  void PlanPlayed(OpenBlock* open, Transaction* plan);
  // A block that came to nothing here, or cannot be made here, and is for the home to go on with.
  void PlanHandOver(OpenBlock* open, Transaction* plan);
  // `failed`: the record of the latest attempt, if it was made.
  void PlanForfeit(OpenBlock* open, const Forfeit& forfeit, absl::optional<store::Attempt> failed,
                   Transaction* plan);
  void PlanFinish(OpenBlock* open, store::FinishBlock finish, Transaction* plan);
  void PlanDrop(OpenBlock* open, store::BlockState state, std::string reason,
                absl::optional<store::Attempt> failed, Transaction* plan);
  void PlanCount(Transaction* plan);
  void PlanBegins(Transaction* plan);
  // Whether a block could begin if the host had places for it.
  bool LacksPlaces(const Room& room) const;
  void PlanBegin(Transaction::Begun begun, Transaction* plan) const;
  Room FindRoom() const;
  Place RoomHere() const;
  Place RoomAt(const store::Help& help) const;
  // Who may have a block at each place, by what is held.
  void FindFree(Room* room) const;
  // The next block of the schedule, which takes its room at the place that has most; none if there
  // is none for any.
  absl::optional<Transaction::Begun> NextBegin(Room* room);
  // Blocks that may be played at once, and how many are.
  int Limit() const;
  // Blocks that may be begun from the first one on that is not counted.
  int UncountedLimit() const;
  int Playing() const;

  // returns.cc
  // Notes whose suspensions are over and who is connected, as the step begins.
  void NoteSuspended();
  // Whether the bot is set aside and comes back by itself.
  bool IsSuspended(const store::Entrant& entrant) const;
  bool HasAnswered(int bot) const;
  // When a suspended bot is to be looked at.
  Instant NextReturn() const;

  // waits.cc
  struct Absence {
    Instant since;
    Instant gone_since;  // InfiniteFuture: it is there, and takes no matches
  };
  void AddAbsent(std::vector<Removal>* removals);
  void AddUnready(std::vector<Removal>* removals) const;
  void AddLate(std::vector<Removal>* removals) const;
  // Bots that something waits for; with `only_away` those that matter to absences.
  std::set<int> WaitedFor(bool only_away) const;
  // Whether a bot cannot play: it is not connected, or takes no block.
  bool IsAway(int bot) const;
  bool TooLongAway(int bot) const;
  // The places of bots without which a block need not be played: they are out, or away for too
  // long.
  std::vector<int> GonePlaces(const rating::Pairing& pairing) const;
  // "'alice' has left"
  std::string WhyGone(int bot) const;
  // When a block stops to wait for a bot that is away.
  Instant LimitOf(const Absence& absence) const;
  // Whether it plays less at once than it could, as the host is under load.
  bool IsHeldByLoad() const;
  std::string WaitsFor() const;
  std::string WhatIsMissing() const;
  std::string Names(const std::vector<int>& bots) const;

  // The test has accepted a hypothesis: nothing more is played.
  bool decided() const { return IsDecided(sprt_); }
  bool ends() const { return row_.spec.format != schedule::Format::kLadder; }
  // Whether the bot is out, whichever of its entrants this is: what one has begun that was
  // succeeded goes on as long as the bot is in.
  bool IsOut(int bot) const { return entrants_[standing_[bot]].presence != store::Presence::kIn; }
  const host::BotView& ViewOf(int bot) const;

  const store::CompetitionId id_;

  Home home_;
  store::Lease lease_;
  bool lease_ended_ = false;  // the one under which open_ was begun
  bool stale_ = true;
  bool loaded_ = false;
  store::Competition row_;
  std::vector<store::Entrant> entrants_;
  std::vector<int> standing_;  // by entrant: the one that stands for its bot
  std::unique_ptr<schedule::Schedule> schedule_;
  absl::optional<rating::Sprt> sprt_;  // of a test, after what is counted
  std::map<int64_t, OpenBlock> open_;
  absl::flat_hash_map<MatchId, MatchPlace> matches_;  // of open_
  std::map<int64_t, Foreign> foreign_;                // open blocks of other referees
  std::map<int64_t, store::Block> uncounted_;         // over
  // Given by the schedule, and not in the store yet.
  std::vector<Transaction::Begun> unwritten_;
  std::map<int, Absence> absences_;  // by entrant that is waited for; as of the last Removals
  // By entrant whose suspension is over and that is connected: since when it is pinged.
  std::map<int, Instant> pinged_;
  RecentCount lately_;
  std::map<int, Lateness> lateness_;  // by entrant; as far as this process knows

  // Of the last step. Free slots go down as blocks are made.
  Situation situation_;
  bool goes_on_ = false;       // there is more to do than one step does
  bool begins_go_on_ = false;  // of that, blocks to begin
  bool lacks_places_ = false;  // it could begin blocks, but for places of the host
  std::vector<std::string> log_;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_PLANNER_H_
