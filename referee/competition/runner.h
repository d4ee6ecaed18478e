// Runs one competition, in turns: its schedule, its blocks from when they begin until they are
// over, and the counting of their results in order. The store is the truth: whenever it refuses a
// change because somebody else has made one, all of this is read again.
//
// A turn takes up which matches have ended, counts what can be counted and begins the next blocks,
// in one transaction; then it asks the host for the matches of what has begun. Nothing is lost when
// that fails or the process dies in between: what has happened is found in the host or in the
// archive, and blocks that are stored as begun are asked for again, by the same name.
//
// Code: runner.cc has the turn, plan.cc what a transaction is to do,
// reading.cc the way from the store, waits.cc what is waited for.
#ifndef REFEREE_COMPETITION_RUNNER_H_
#define REFEREE_COMPETITION_RUNNER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/competition/count.h"
#include "referee/competition/open_block.h"
#include "referee/competition/recent_count.h"
#include "referee/competition/terms.h"
#include "referee/host/host.h"
#include "referee/replay/replay.h"
#include "referee/schedule/schedule.h"
#include "referee/store/store.h"

namespace referee::competition {

// Thread-compatible.
class CompetitionRunner {
 public:
  struct Environment {
    const Clock* clock;
    host::Host* host;
    store::Store* store;
    std::string owner;
    // See CompetitionsOptions.
    std::function<absl::StatusOr<replay::Replay>(const MatchId&)> find_replay;
    std::function<void(absl::string_view)> log;
    // Brings how a match ended to Take, in a turn to come. Called on any thread.
    std::function<void(const MatchId&, MatchEnd)> post;
  };

  // `environment` must outlive it. Reads the competition in its first turn.
  CompetitionRunner(store::CompetitionId id, const Environment* environment);

  const store::CompetitionId& id() const { return id_; }

  // A match has ended; ignored if it is not one of this competition's.
  void Take(const MatchId& match, const MatchEnd& end);
  // Somebody has changed the competition in the store.
  void Reread() { stale_ = true; }
  // Does all that can be done now, begins at most limits::kMaxBlocksPerTurn blocks, and those only
  // if it `may_begin` any. Returns when the next turn is wanted at the latest.
  Instant Turn(bool may_begin);
  // Nothing is to be done any more: it is FINISHED, or not RUNNING yet.
  bool idle() const;

  // What the store does not know of the competition.
  struct Progress {
    int blocks_running = 0;
    absl::optional<int64_t> blocks_left;
    int blocks_lately = 0;
    std::string waits_for;

    friend bool operator!=(const Progress& a, const Progress& b) {
      return a.blocks_running != b.blocks_running || a.blocks_left != b.blocks_left ||
             a.blocks_lately != b.blocks_lately || a.waits_for != b.waits_for;
    }
  };
  Progress progress();
  // Rises whenever something has changed in the store, as far as is known here.
  int64_t steps() const { return steps_; }
  // The schedule's table; empty while it was not read.
  std::vector<schedule::TableRow> Table() const;

 private:
  // What one transaction is to do, and what follows from it here.
  struct Plan {
    std::vector<store::Change> changes;
    std::vector<int64_t> finished;  // by number
    std::vector<int64_t> retried;
    std::vector<int64_t> dropped;
    std::vector<rating::Pairing> begun;
    absl::optional<store::CountBlocks> count;
    bool sets_aside = false;
  };

  // How many blocks may begin, and whose.
  struct Room {
    int blocks = 0;
    int share = 0;            // blocks that one bot may hold at once
    std::vector<int> places;  // free ones, by entrant
    std::vector<int> held;    // blocks, by entrant
    std::vector<bool> free;   // by entrant
  };

  // Writes what has happened and what is to happen. Returns false when that was refused.
  bool Write();
  void Commit(const Plan& plan);
  void CommitCount(const store::CountBlocks& count);
  void CommitBegin(const rating::Pairing& pairing);
  void Close(int64_t number);
  void Refused(const absl::Status& why);
  void Fail(const absl::Status& why);
  void Recover();

  // Asks the host for the matches of blocks that have none yet, and names them to the store.
  void MakeBlocks();
  bool MayMake(const OpenBlock& open) const;
  absl::Status Make(OpenBlock* open);
  // Blocks that wait in the host for a bot that is gone are not to be played.
  void CancelGone();
  void FinishIfDone();

  // plan.cc
  void PlanNames(Plan* plan) const;
  void PlanEnds(Plan* plan);
  void PlanEnd(OpenBlock* open, Plan* plan);
  void PlanCount(Plan* plan);
  void PlanBegins(Plan* plan);
  void PlanBegin(rating::Pairing pairing, Plan* plan) const;
  Room FindRoom() const;
  // Blocks that may be played at once, and how many of those places are taken.
  int Limit() const;
  int Playing() const;

  // reading.cc
  absl::Status Read();
  // Takes over who is in, if nothing else has changed. Returns false, and has changed nothing that
  // matters, when all is to be read.
  bool TakeOver(const store::Competition& row, const std::vector<store::Entrant>& entrants);
  void NameEntrants();
  void Open(store::Block block, std::map<int64_t, OpenBlock>* before);
  // Finds out how those matches of a block ended that are over.
  absl::Status LookUp(OpenBlock* open);
  absl::Status LookUpMatch(OpenBlock* open, size_t rotation);

  // waits.cc
  // Takes out bots that were away for too long while something waited for them.
  void WatchAbsence();
  // Sets aside the bots of blocks for which none of them was ready, again and again.
  void WatchReadiness();
  // False when the store refused.
  bool TakeOut(int bot, store::Presence out, const std::string& reason);
  // Bots that something waits for; with `only_away` those that matter to absences.
  std::set<int> WaitedFor(bool only_away) const;
  // Whether a bot cannot play: it is not connected, or takes no block (WhyUnable).
  bool IsAway(int bot) const;
  std::string WhyUnable(int bot) const;
  bool TooLongAway(int bot) const;
  // A bot without which a block need not be played: it is out, or away for too long.
  absl::optional<int> FindGone(const rating::Pairing& pairing) const;
  // For how long a block waits for a bot that is away.
  absl::Duration Patience() const;
  std::string WaitsFor() const;
  std::string WhatIsMissing() const;
  std::string Names(const std::vector<int>& bots) const;
  Instant NextTurn() const;

  bool ends() const { return row_.spec.format != schedule::Format::kLadder; }
  bool IsOut(int bot) const { return entrants_[bot].presence != store::Presence::kIn; }
  int FreePlaces(int bot) const;
  void Log(absl::string_view line) const;

  struct MatchPlace {
    int64_t number;
    size_t rotation;
  };

  const store::CompetitionId id_;
  const Environment& environment_;

  bool stale_ = true;
  bool read_ = false;
  store::Competition row_;
  CompetitionTerms terms_;
  std::vector<store::Entrant> entrants_;
  std::unique_ptr<schedule::Schedule> schedule_;
  std::map<int64_t, OpenBlock> open_;
  absl::flat_hash_map<MatchId, MatchPlace> matches_;  // of open_
  std::set<int64_t> foreign_;                         // open blocks of other daemons
  std::map<int64_t, store::Block> uncounted_;         // over
  // Given by the schedule, and not in the store yet.
  std::vector<rating::Pairing> unwritten_;
  std::map<int, Instant> away_since_;  // by entrant that is waited for
  RecentCount lately_;

  int64_t steps_ = 0;
  bool may_begin_ = true;
  bool failed_ = false;      // in this turn
  bool goes_on_ = false;     // there is more to do than one turn does
  int refusals_ = 0;         // by the store, in a row
  std::string trouble_;      // why nothing can be done now; for people
  absl::Duration patience_;  // after the next trouble
  Instant not_before_;       // is the next turn
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_RUNNER_H_
