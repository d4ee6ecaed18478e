// Measures the matches of a duel by their records: how long each seat thought, which faults it was
// forgiven or lost by, and how many other turns its bot had to think about then.
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

// The times of some moves; passes, which take none, are not among them.
struct MoveTimes {
  int64_t moves = 0;
  absl::Duration total;
  absl::Duration worst;

  void Add(absl::Duration used);
  void Add(const MoveTimes& others);
  // Zero without moves.
  absl::Duration mean() const { return moves == 0 ? absl::ZeroDuration() : total / moves; }
};

// The faults of a seat, or of a bot, that did not take it out.
struct ForgivenFaults {
  // Turns that the referee played in the bot's place, by what kept the bot from it.
  int64_t substituted_timeouts = 0;
  int64_t substituted_illegal = 0;
  int64_t retried = 0;  // illegal moves after which the bot was let try again

  void Add(const ForgivenFaults& others);
};

// What a seat did wrong in a match: what took it out, or else the first illegal move that it was
// forgiven.
struct SeatFault {
  match::Cause cause = match::Cause::kIllegal;
  uint32_t turn = 0;     // that was due
  std::string detail;    // one sentence for people, with the figures that decided it
  bool forfeits = true;  // it took the seat out
  // It took the seat out before that was asked for a move: it was not ready in time, or resigned.
  bool unready = false;
  // Of a time loss: how many turns of other matches the bot had to think about then.
  int other_turns = 0;
  // The last lines that the bot had written by the end of the match, or of a time loss a moment
  // later, as plain text; only of a first fault of its kind.
  std::vector<std::string> written = {};
};

struct MatchFigures {
  std::vector<MoveTimes> times;                        // by seat
  std::vector<ForgivenFaults> forgiven;                // by seat
  std::vector<absl::optional<SeatFault>> faults = {};  // by seat
};

// The figures of a match by its records, without what the bots wrote, and had beside it.
MatchFigures FiguresOf(const match::Setup& setup, absl::Span<const match::Record> records);

// Thread-safe.
class MatchMeter {
 public:
  // Takes a record of a match, in order. `match` is as it is after the step that made the record.
  void Note(const match::Match& match, const match::Record& record);
  // The figures of a match that is over, once, without what the bots wrote; none if it had no
  // records. Nobody is asked in the match any more.
  MatchFigures Take(const MatchId& id);
  // Whether the bot is in a match of which there are records, and which was not forgotten.
  bool Plays(const std::string& bot) const;
  void Forget(const MatchId& id);

 private:
  struct Measured {
    std::vector<std::string> bots;  // by seat
    MatchFigures figures;
    bool begun = false;  // a seat was asked for a turn, or had to pass
    std::string asked;   // the bot that is asked for a turn; empty: none is
  };

  mutable Mutex mutex_;
  absl::flat_hash_map<MatchId, Measured> matches_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_MATCH_METER_H_
