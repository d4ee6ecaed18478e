// The rotations of a block: n matches of the same n bots, in which each bot has each seat once. A
// bot of a block goes by its place, which is its seat in rotation 0.
#ifndef REFEREE_BASE_ROTATION_H_
#define REFEREE_BASE_ROTATION_H_

namespace referee {

// The place of the bot that has `seat` in `rotation`, of `seats` seats.
constexpr int PlaceOfSeat(int seat, int rotation, int seats) { return (seat + rotation) % seats; }

}  // namespace referee

#endif  // REFEREE_BASE_ROTATION_H_
