// Collects the ended matches of a duel, and the bots' output at their faults.
#ifndef REFEREE_CTL_DUEL_FINISHED_MATCHES_H_
#define REFEREE_CTL_DUEL_FINISHED_MATCHES_H_

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/competition/competitions.h"
#include "referee/ctl/duel/duel.h"
#include "referee/ctl/duel/duel_bots.h"
#include "referee/ctl/duel/embedded_referee.h"
#include "referee/ctl/duel/match_meter.h"
#include "referee/match/verdict.h"

namespace referee::ctl {

// The data about a match that the store does not have.
struct MatchNotes {
  MatchFigures figures;
  match::Verdict verdict;
  std::string request_id = {};  // of its block; empty: played before the duel resumed
  int rotation = 0;             // in the block
};
using NotesById = absl::flat_hash_map<MatchId, MatchNotes>;

// The index of the bot with this name in DuelPlan::bots.
size_t PlaceOf(const DuelPlan& plan, const std::string& bot);

// Thread-compatible.
class FinishedMatches {
 public:
  // Both must outlive this object.
  FinishedMatches(const DuelPlan* plan, const DuelBots* bots);

  // Adds a finished match. The first fault of each kind gets the last output lines of its bot. A
  // bot that lost on time may write a moment longer, so its match stays pending until then.
  void Take(FinishedMatch finished, Instant now);
  // Completes pending matches whose wait ends by `until`.
  void KeepUnread(Instant until);
  bool any_unread() const { return !unread_.empty(); }
  // Notes of all matches that are not pending.
  const NotesById& notes() const { return notes_; }

  // Returns Unavailable that names a bot that was unready in kUnreadyLimit matches in a row.
  absl::Status UnreadyBot() const;

 private:
  void NoteReadiness(const FinishedMatch& finished);
  // Adds output of the bots. `late`: only where more output was expected. Returns whether more may
  // follow.
  bool AddWritten(FinishedMatch* finished, bool late);
  bool IsFirstOfItsKind(const MatchId& match, size_t bot, const SeatFault& fault);
  void Keep(FinishedMatch finished);

  const DuelPlan& plan_;
  const DuelBots& bots_;
  std::vector<int> unready_;  // unready matches in a row, by bot
  // What each bot did in its last unready match, for people.
  std::vector<std::string> did_instead_;
  // The first match, by id, in which a bot had a fault of a kind. A kind is a cause, and whether
  // the fault forfeited the match.
  std::map<std::tuple<size_t, match::Cause, bool>, MatchId> first_faults_;
  NotesById notes_;
  struct Unread {
    FinishedMatch match;
    Instant due;  // when its bots have finished writing
  };
  std::deque<Unread> unread_;
};

// Reads the counted results of the duel from its competition into the report: matches, the state of
// a test, and standings. For matches without notes, which were played before the duel resumed,
// reads the replays. Returns the error of the store or of a replay.
absl::Status ReadResults(const DuelPlan& plan, const competition::Competitions& competitions,
                         const NotesById& notes, DuelReport* report);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_FINISHED_MATCHES_H_
