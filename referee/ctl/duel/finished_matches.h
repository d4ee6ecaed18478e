// What bots did, and what they had written, in the matches of a duel that are over.
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

// What the store does not have of a match.
struct MatchNotes {
  MatchFigures figures;
  match::Verdict verdict;
  std::string request_id = {};  // of its block; empty: it was played before
  int rotation = 0;             // in it
};
using NotesById = absl::flat_hash_map<MatchId, MatchNotes>;

// The place of the bot of this name in DuelPlan::bots.
size_t PlaceOf(const DuelPlan& plan, const std::string& bot);

// Thread-compatible.
class FinishedMatches {
 public:
  // Both must outlive this.
  FinishedMatches(const DuelPlan* plan, const DuelBots* bots);

  // Adds the last lines of its bots to the faults of a match, where a fault is the first of its
  // kind. A bot whose time was up may write a moment longer: its match is unread until then.
  void Take(FinishedMatch finished, Instant now);
  // Adds what the bots of unread matches have written since, if their time was up by `until`.
  void KeepUnread(Instant until);
  bool any_unread() const { return !unread_.empty(); }
  // Of all matches but those that are unread.
  const NotesById& notes() const { return notes_; }

  // Returns Unavailable that names a bot that was ready in none of kUnreadyLimit matches in a row.
  absl::Status UnreadyBot() const;

 private:
  void NoteReadiness(const FinishedMatch& finished);
  // `late`: only where more may have come since. Returns whether more may come.
  bool AddWritten(FinishedMatch* finished, bool late);
  bool IsFirstOfItsKind(const MatchId& match, size_t bot, const SeatFault& fault);
  void Keep(FinishedMatch finished);

  const DuelPlan& plan_;
  const DuelBots& bots_;
  std::vector<int> unready_;  // matches in a row, by bot
  // What each bot did in the last of those, for people.
  std::vector<std::string> did_instead_;
  // The first match, by id, in which a bot had a fault of a kind: its cause, and whether the match
  // was forfeited.
  std::map<std::tuple<size_t, match::Cause, bool>, MatchId> first_faults_;
  NotesById notes_;
  struct Unread {
    FinishedMatch match;
    Instant due;  // when its bots have written what they will
  };
  std::deque<Unread> unread_;
};

// Reads what counts of the duel, from its competition, into the report: its matches, where a test
// stands, and the table. Matches that have no notes were played before: their replays are read.
// Returns the error of the store, or of a replay.
absl::Status ReadResults(const DuelPlan& plan, const competition::Competitions& competitions,
                         const NotesById& notes, DuelReport* report);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_FINISHED_MATCHES_H_
