// Requests the turns of a recorded match again, and compares the answers with the moves played.
//
// Thread-compatible.
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

// The turns to request, and their limit.
struct RerunTerms {
  absl::optional<Seat> seat;             // the turns of this seat; unset: those of `bot`
  std::string bot;                       // the bot's name in the match
  absl::optional<uint32_t> turn;         // only this one
  absl::optional<absl::Duration> limit;  // per move; unset: what the clocks allowed in the match
};

// A played turn, to be requested again.
struct RecordedTurn {
  std::string match_id;  // as recorded
  AskedTurn asked;       // recorded position, dice, clock and commitment; a new id
  games::Move played;
  std::string played_text;  // in the notation of the game
};

// The turns of `replay` that `terms` select, in order, without passes and without moves that the
// referee substituted. Returns an error if no bot has the seat or name, if it has no such turn, or
// if the records cannot be replayed.
absl::StatusOr<std::vector<RecordedTurn>> RecordedTurns(const replay::Replay& replay,
                                                        const RerunTerms& terms);

// The answers to one turn.
struct Rerun {
  RecordedTurn turn;
  std::vector<TurnAnswer> answers;  // one for each request

  // The number of answers that are missing or lead to another position than the move played.
  int otherwise() const;
};

// Requests each turn `repeat` times, as many at once as the bot's parallel turns. Returns an error
// if the bot does not connect, or disconnects for good.
absl::StatusOr<std::vector<Rerun>> RunAgain(std::vector<RecordedTurn> turns, int repeat,
                                            TriedBot* bot);

// Whether two moves lead to the same position, whatever dice come next.
bool LeadToTheSame(const games::State& state, games::Move a, games::Move b);

}  // namespace referee::conformance

#endif  // REFEREE_CONFORMANCE_RERUN_H_
