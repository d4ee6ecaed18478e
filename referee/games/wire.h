// Conversion of a game's values to and from protobuf.
//
// A game with its own generated types implements Wire in <game>/convert.cc, the only file that
// knows both these types and its rules. All other games use the general conversion.
#ifndef REFEREE_GAMES_WIRE_H_
#define REFEREE_GAMES_WIRE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "proto/referee/v1/game.pb.h"
#include "referee/games/game.h"

namespace referee::games {

// Stateless, thread-safe.
class Wire {
 public:
  virtual ~Wire() = default;

  // Writes all options of the game. A file is written as its bytes.
  virtual void OptionsToWire(const Game& game, ::referee::v1::GameOptions* out) const = 0;
  // Reads the options that are set. Options that are not set are missing from the result.
  virtual absl::StatusOr<std::vector<Option>> OptionsFromWire(
      const ::referee::v1::GameOptions& options) const = 0;

  // Overwrites `out`, and reuses its memory. REQUIRES: state.phase() != kChance.
  virtual void PositionToWire(const State& state, ::referee::v1::Position* out) const = 0;

  // Overwrites `out`, and reuses its memory. The pass is an empty message.
  virtual void MoveToWire(const Game& game, Move move, ::referee::v1::Move* out) const = 0;
  // Reads a move for State::Resolve. Returns InvalidArgument with the field.
  virtual absl::StatusOr<Move> MoveFromWire(const Game& game,
                                            const ::referee::v1::Move& move) const = 0;
};

// The general conversion: options by name and value, positions as position strings, moves in
// notation. Lives for ever.
const Wire& GeneralWire();

// The conversion of a game: its own, or the general one.
const Wire& WireOf(const Game& game);

}  // namespace referee::games

#endif  // REFEREE_GAMES_WIRE_H_
