// Referees that share a store, and their leases, as text for people and as JSON. Pure.
#ifndef REFEREE_CTL_FLEET_TEXT_H_
#define REFEREE_CTL_FLEET_TEXT_H_

#include <string>

#include "absl/types/span.h"
#include "referee/store/store.h"

namespace referee::ctl {

// Whether it has open blocks under no lease that lasts: nobody plays them until they are claimed.
bool IsToBeClaimed(const store::LeaseHolder& holder);

// A line for each, in their order, under a line that names the columns; the last line has totals.
std::string LeaseHoldersText(absl::Span<const store::LeaseHolder> holders);
// An object in a line.
std::string LeaseHolderJson(const store::LeaseHolder& holder);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_FLEET_TEXT_H_
