// Fetches the lists and tables of a referee as JSON.
#ifndef REFEREE_GATE_ASK_H_
#define REFEREE_GATE_ASK_H_

#include "referee/gate/route.h"
#include "referee/gate/upstream.h"

namespace referee::gate {

// Sends the request of `route`; calls `then` once with the JSON. REQUIRES: the resource is a list
// or a table.
void Ask(Upstream* upstream, const Route& route, Upstream::ThenText then);

}  // namespace referee::gate

#endif  // REFEREE_GATE_ASK_H_
