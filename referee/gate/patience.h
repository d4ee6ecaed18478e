// Retries calls that a referee refuses for now.
//
// The error says when to call again (service/access/ACCESS.md, "Limits").
#ifndef REFEREE_GATE_PATIENCE_H_
#define REFEREE_GATE_PATIENCE_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"

namespace referee::gate {

// The wait that the error asks for; nullopt if it asks for none.
absl::optional<absl::Duration> CallAgainIn(const absl::Status& refused);

// Makes a call that returns a StatusOr. Retries it while the referee refuses it for now, with waits
// of one minute in all at most. `wait` sleeps.
template <typename Call, typename Wait>
auto CallPatiently(const Call& call, const Wait& wait) -> decltype(call()) {
  absl::Duration waited;
  while (true) {
    auto answer = call();
    const absl::optional<absl::Duration> again = CallAgainIn(answer.status());
    if (!again || waited + *again > absl::Minutes(1)) return answer;
    wait(*again);
    waited += *again;
  }
}

}  // namespace referee::gate

#endif  // REFEREE_GATE_PATIENCE_H_
