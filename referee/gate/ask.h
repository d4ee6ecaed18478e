// The lists and tables of a referee, as JSON.
#ifndef REFEREE_GATE_ASK_H_
#define REFEREE_GATE_ASK_H_

#include "referee/gate/route.h"
#include "referee/gate/upstream.h"

namespace referee::gate {

// Whether Ask knows what is asked for.
bool IsAsked(Resource resource);
// Asks the referee; `then` is called once. REQUIRES: IsAsked(route.resource).
void Ask(Upstream* upstream, const Route& route, Upstream::ThenText then);

}  // namespace referee::gate

#endif  // REFEREE_GATE_ASK_H_
