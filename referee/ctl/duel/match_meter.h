// Measures the matches of a duel from their records: thinking times and faults of each seat.
//
// For a time loss, it also counts the other turns that the bot had to think about.
#ifndef REFEREE_CTL_DUEL_MATCH_METER_H_
#define REFEREE_CTL_DUEL_MATCH_METER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/match/match.h"
#include "referee/match/record.h"

namespace referee::ctl {

// The durations of moves. Passes take no time and are not included.
struct MoveTimes {
  int64_t moves = 0;
  absl::Duration total;
  absl::Duration worst;

  void Add(absl::Duration used);
  void Add(const MoveTimes& others);
  // Zero without moves.
  absl::Duration mean() const { return moves == 0 ? absl::ZeroDuration() : total / moves; }
};

// The faults of a seat, or of a bot, that did not forfeit.
struct ForgivenFaults {
  // Turns that the referee played for the bot, by the fault that caused it.
  int64_t substituted_timeouts = 0;
  int64_t substituted_illegal = 0;
  int64_t retried = 0;  // illegal moves after which the bot could try again

  void Add(const ForgivenFaults& others);
};

// A fault of a seat in a match: the one that forfeited, else its first forgiven illegal move.
struct SeatFault {
  match::Cause cause = match::Cause::kIllegal;
  uint32_t turn = 0;     // the turn that was due
  std::string detail;    // one sentence for people, with the decisive figures
  bool forfeits = true;  // the seat forfeited
  // The seat forfeited before its first turn: the bot was not ready in time, or resigned.
  bool unready = false;
  // For a time loss: the number of turns in other matches that the bot had to think about.
  int other_turns = 0;
  // The last lines of the bot's output at the end of the match, or a moment after a time loss, as
  // plain text. Only for the first fault of each kind.
  std::vector<std::string> written = {};
};

struct MatchFigures {
  std::vector<MoveTimes> times;                        // by seat
  std::vector<ForgivenFaults> forgiven;                // by seat
  std::vector<absl::optional<SeatFault>> faults = {};  // by seat
};

// The figures of a match from its records, without output of the bots and without other_turns.
MatchFigures FiguresOf(const match::Setup& setup, absl::Span<const match::Record> records);

// Thread-safe.
class MatchMeter {
 public:
  // Adds the next record of a match. `match` is in its state after the step that made the record.
  void Note(const match::Match& match, const match::Record& record);
  // Removes and returns the figures of an ended match, without output of the bots; empty if it has
  // no records. The match no longer counts as asking its bots.
  MatchFigures Take(const MatchId& id);
  // Whether the bot is in a match that has records and was not forgotten.
  bool Plays(const std::string& bot) const;
  void Forget(const MatchId& id);

 private:
  struct Measured {
    std::vector<std::string> bots;  // by seat
    MatchFigures figures;
    bool begun = false;  // a seat had a turn request or a pass
    std::string asked;   // the bot with an open turn request; empty: none
  };

  mutable Mutex mutex_;
  absl::flat_hash_map<MatchId, Measured> matches_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_MATCH_METER_H_
