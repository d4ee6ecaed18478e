// A recorded match asked again: the turns that a bot had in it, as a script asks them, and how its
// answers compare with what was played. Thread-compatible.
#ifndef REFEREE_CONFORMANCE_RERUN_H_
#define REFEREE_CONFORMANCE_RERUN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/conformance/asked_turn.h"
#include "referee/conformance/tried_bot.h"
#include "referee/replay/replay.h"

namespace referee::conformance {

// Which turns are asked, and how.
struct RerunTerms {
  absl::optional<Seat> seat;             // whose; none: those of `bot`
  std::string bot;                       // by its name in the match
  absl::optional<uint32_t> turn;         // only this one
  absl::optional<absl::Duration> limit;  // of a move; none: what the clocks left it then
};

// A turn that was played, and is asked again.
struct RecordedTurn {
  std::string match_id;  // as recorded
  AskedTurn asked;       // position, dice, clock and commitment as they were; an id of its own
  games::Move played;
  std::string played_text;  // the notation
};

// The turns of `replay` that `terms` mean, in order. Passes, and what the referee played in a bot's
// place, are none of them. Returns what is wrong when nobody has the seat or the name, when the
// match has no such turn of it, or its records cannot be played.
absl::StatusOr<std::vector<RecordedTurn>> RecordedTurns(const replay::Replay& replay,
                                                        const RerunTerms& terms);

// What came of asking one turn.
struct Rerun {
  RecordedTurn turn;
  std::vector<TurnAnswer> answers;  // one for each time that it was asked

  // How many of the answers lead to another position than the move that was played, or are none.
  int otherwise() const;
};

// Asks the turns, `repeat` times each, as many at once as the bot thinks about. Returns an error
// when the bot does not come, or goes and does not come back.
absl::StatusOr<std::vector<Rerun>> RunAgain(std::vector<RecordedTurn> turns, int repeat,
                                            TriedBot* bot);

// Whether two moves in a position lead to the same one, whatever is rolled next.
bool LeadToTheSame(const games::State& state, games::Move a, games::Move b);

}  // namespace referee::conformance

#endif  // REFEREE_CONFORMANCE_RERUN_H_
