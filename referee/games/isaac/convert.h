// Conversion of Isaac's values to and from protobuf (proto/games/isaac/v1/isaac.proto). No
// generated type appears in this header.
#ifndef REFEREE_GAMES_ISAAC_CONVERT_H_
#define REFEREE_GAMES_ISAAC_CONVERT_H_

namespace referee::games {
class Wire;
}

namespace referee::games::isaac {

// The conversions of this game; lives for ever.
const Wire& IsaacWire();

}  // namespace referee::games::isaac

#endif  // REFEREE_GAMES_ISAAC_CONVERT_H_
