// The suspension of a bot in a competition. Plain values.
#ifndef REFEREE_STORE_SUSPENSION_H_
#define REFEREE_STORE_SUSPENSION_H_

#include "absl/time/time.h"

namespace referee::store {

// How long a bot is out that did not answer, and that its competition brings back by itself.
struct Suspension {
  absl::Time until;  // it does not come back before
  absl::Duration length;

  friend bool operator==(const Suspension& a, const Suspension& b) {
    return a.until == b.until && a.length == b.length;
  }
};

}  // namespace referee::store

#endif  // REFEREE_STORE_SUSPENSION_H_
