// Formats referees that share a store, and their leases, as text and as JSON. Pure.
#ifndef REFEREE_CTL_FLEET_TEXT_H_
#define REFEREE_CTL_FLEET_TEXT_H_

#include <string>

#include "absl/types/span.h"
#include "referee/ctl/terminal/print.h"
#include "referee/store/store.h"

namespace referee::ctl {

// Whether the referee has open blocks but no valid lease: they wait for another referee.
bool IsToBeClaimed(const store::LeaseHolder& holder);

// Keeps the given order; a table ends with a line of totals.
std::string LeaseHoldersText(absl::Span<const store::LeaseHolder> holders, Form form);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_FLEET_TEXT_H_
