// Conversion of Isaac's values to and from protobuf (proto/games/isaac/v1/isaac.proto).
//
// This header contains no generated type.
#ifndef REFEREE_GAMES_ISAAC_CONVERT_H_
#define REFEREE_GAMES_ISAAC_CONVERT_H_

namespace referee::games {
class Wire;
}

namespace referee::games::isaac {

// The conversion of Isaac; lives for ever.
const Wire& IsaacWire();

}  // namespace referee::games::isaac

#endif  // REFEREE_GAMES_ISAAC_CONVERT_H_
