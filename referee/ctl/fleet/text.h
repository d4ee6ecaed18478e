// Referees that share a store, and their leases, as text for people and as JSON. Pure.
#ifndef REFEREE_CTL_FLEET_TEXT_H_
#define REFEREE_CTL_FLEET_TEXT_H_

#include <string>

#include "absl/types/span.h"
#include "referee/ctl/terminal/print.h"
#include "referee/store/store.h"

namespace referee::ctl {

// Whether it has open blocks under no lease that lasts: nobody plays them until they are claimed.
bool IsToBeClaimed(const store::LeaseHolder& holder);

// In their order; a table ends with a line of totals.
std::string LeaseHoldersText(absl::Span<const store::LeaseHolder> holders, Form form);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_FLEET_TEXT_H_
