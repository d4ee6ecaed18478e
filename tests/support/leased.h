// Applies changes to a store under a lease that it takes itself.
#ifndef REFEREE_TESTS_SUPPORT_LEASED_H_
#define REFEREE_TESTS_SUPPORT_LEASED_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "referee/store/store.h"

namespace referee::testing {

// Renews the lease of `owner`, takes the competitions of the changes over if no other referee owns
// them, and applies the changes.
inline absl::Status ApplyAs(store::Store* store, const std::string& owner,
                            absl::Span<const store::Change> changes) {
  const absl::StatusOr<int64_t> term = store->RenewLease(owner, absl::Hours(1));
  if (!term.ok()) return term.status();
  std::vector<store::CompetitionId> competitions;
  for (const store::Change& change : changes) {
    std::visit([&](const auto& one) { competitions.push_back(one.competition); }, change);
  }
  const auto taken = store->TakeHomes({owner, *term}, competitions);
  return taken.ok() ? store->Apply({owner, *term}, changes) : taken.status();
}

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_LEASED_H_
