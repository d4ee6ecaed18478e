// Conversion of Hypnosia's values to and from protobuf (proto/games/hypnosia/v1/hypnosia.proto).
//
// This header contains no generated type.
#ifndef REFEREE_GAMES_HYPNOSIA_CONVERT_H_
#define REFEREE_GAMES_HYPNOSIA_CONVERT_H_

namespace referee::games {
class Wire;
}

namespace referee::games::hypnosia {

// The conversion of Hypnosia; lives for ever.
const Wire& HypnosiaWire();

}  // namespace referee::games::hypnosia

#endif  // REFEREE_GAMES_HYPNOSIA_CONVERT_H_
