// Waits for the end of the leases that a referee had before, where nothing else shows that it has
// ended: its machine was started anew, or its disk is on another machine now.
#ifndef REFEREE_NODE_FORMER_LEASE_H_
#define REFEREE_NODE_FORMER_LEASE_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "referee/store/store.h"

namespace referee::node {

// Calls `wait`, which returns that much later, until none of these owners has a lease that lasts.
// Returns FailedPrecondition that names an owner when it renews its lease meanwhile: it still runs.
// Returns the store's error.
absl::Status AwaitLeaseEnd(store::Store* store, absl::Span<const std::string> owners,
                           const std::function<void(absl::Duration)>& wait);

}  // namespace referee::node

#endif  // REFEREE_NODE_FORMER_LEASE_H_
