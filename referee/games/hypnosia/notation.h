// Places, steps and moves of Hypnosia: as values, as numbers and as text.
//
// A move is a number of 60 bits: 30 for each step, the first step in the upper half. 0 is the pass.
// The bits of a step mirror its notation, character by character. So the order of the numbers is
// the ASCII order of the notation, and legal moves are sorted as integers:
//
//   die 3 | from: letter 4, digit 4, digit or '*' or '>' 4, '*' or '>' 1
//         | to:   letter 4, digit 4, end or digit or 'x' 4, captures 2
//
// Reading and writing moves needs no board. Pure functions; thread-safe.
#ifndef REFEREE_GAMES_HYPNOSIA_NOTATION_H_
#define REFEREE_GAMES_HYPNOSIA_NOTATION_H_

#include <array>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/games/game.h"

namespace referee::games::hypnosia {

inline constexpr int kMaxRings = 8;
inline constexpr int kMaxRingSize = 99;
inline constexpr int kLanes = 6;
inline constexpr int kLaneSpaces = 4;
inline constexpr int kDieSides = 6;
inline constexpr int kDice = 2;

// A place for a pawn: a ring space, a space of the mover's own lane, the centre; or not stated.
class Place {
 public:
  constexpr Place() = default;
  // Rings and their spaces count from 0. Lane spaces count from 1, next to the ring.
  static constexpr Place Ring(int ring, int index) { return Place(1 + ring, index); }
  static constexpr Place Lane(int index) { return Place(kLane, index); }
  static constexpr Place Centre() { return Place(kCentre, 0); }

  constexpr bool stated() const { return area_ != 0; }
  constexpr bool is_ring() const { return area_ >= 1 && area_ <= kMaxRings; }
  constexpr bool is_lane() const { return area_ == kLane; }
  constexpr bool is_centre() const { return area_ == kCentre; }
  // REQUIRES: is_ring().
  constexpr int ring() const { return area_ - 1; }
  constexpr int index() const { return index_; }

  friend constexpr bool operator==(Place a, Place b) {
    return a.area_ == b.area_ && a.index_ == b.index_;
  }
  friend constexpr bool operator!=(Place a, Place b) { return !(a == b); }

 private:
  friend uint32_t EncodeFrom(Place from, bool stack);
  friend uint32_t EncodeTo(Place to, int captured);
  friend struct Step DecodeStep(uint32_t code);

  // Ordered by their letters: A to H, L, X.
  static constexpr int kLane = kMaxRings + 1;
  static constexpr int kCentre = kMaxRings + 2;

  constexpr Place(int area, int index)
      : area_(static_cast<uint8_t>(area)), index_(static_cast<uint8_t>(index)) {}

  uint8_t area_ = 0;
  uint8_t index_ = 0;
};

// The use of one die.
struct Step {
  int die = 0;
  Place from;
  bool stack = false;  // a stack moves as one
  Place to;            // may be not stated in a claim
  int captured = 0;    // pawns, 0 to 2
  friend bool operator==(const Step& a, const Step& b) {
    return a.die == b.die && a.from == b.from && a.stack == b.stack && a.to == b.to &&
           a.captured == b.captured;
  }
};

inline constexpr int kFromShift = 14;
inline constexpr int kDieShift = 27;
inline constexpr int kStepBits = 30;

// The parts of a step's number, shifted to their bits.
uint32_t EncodeFrom(Place from, bool stack);
uint32_t EncodeTo(Place to, int captured);
inline uint32_t EncodeDie(int die) { return static_cast<uint32_t>(die) << kDieShift; }

inline uint32_t EncodeStep(const Step& step) {
  return EncodeDie(step.die) | EncodeFrom(step.from, step.stack) | EncodeTo(step.to, step.captured);
}
Step DecodeStep(uint32_t code);

// The steps of a move; none for the pass.
struct Steps {
  std::array<Step, kDice> step;
  int count = 0;
  // False in a claim that does not state its captures; then `captured` has no meaning.
  bool captures_stated = true;
};
Move EncodeMove(const Steps& steps);
Steps DecodeMove(Move move);
// The numbers of the two steps; 0 for a missing step.
inline uint32_t FirstStepCode(Move move) {
  return static_cast<uint32_t>(move.code() >> kStepBits) & ((1u << kStepBits) - 1);
}
inline uint32_t SecondStepCode(Move move) {
  return static_cast<uint32_t>(move.code()) & ((1u << kStepBits) - 1);
}

// Appends "A17", "L3" or "X"; nothing for a place that is not stated.
void AppendPlace(Place place, std::string* out);
// Appends the notation; "-" for the pass.
void AppendMoveText(Move move, std::string* out);
// Reads the notation. Returns InvalidArgument with the byte. Does not check that the places exist
// on a board.
absl::StatusOr<Move> ParseMoveText(absl::string_view text);

}  // namespace referee::games::hypnosia

#endif  // REFEREE_GAMES_HYPNOSIA_NOTATION_H_
