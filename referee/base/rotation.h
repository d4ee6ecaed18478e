// Seat rotation: a block has n matches of the same n bots; each bot takes each seat once.
//
// A bot's place in a block is its seat in rotation 0.
#ifndef REFEREE_BASE_ROTATION_H_
#define REFEREE_BASE_ROTATION_H_

namespace referee {

// The place in the block of the bot that has `seat` in `rotation`, in a game of `seats` seats.
constexpr int PlaceOfSeat(int seat, int rotation, int seats) { return (seat + rotation) % seats; }

constexpr int SeatOfPlace(int place, int rotation, int seats) {
  return (place - rotation + seats) % seats;
}

}  // namespace referee

#endif  // REFEREE_BASE_ROTATION_H_
