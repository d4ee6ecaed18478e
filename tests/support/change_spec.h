// Changes the spec of a competition in a store.
#ifndef REFEREE_TESTS_SUPPORT_CHANGE_SPEC_H_
#define REFEREE_TESTS_SUPPORT_CHANGE_SPEC_H_

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "referee/store/store.h"

namespace referee::testing {

// Returns the result of Store::UpdateSpec, or of GetCompetition if that fails.
inline absl::StatusOr<store::Competition> ChangeSpec(
    store::Store* store, const store::CompetitionId& id,
    absl::FunctionRef<void(schedule::Spec*)> change,
    const absl::optional<store::AuditEntry>& audit = absl::nullopt) {
  absl::StatusOr<store::Competition> now = store->GetCompetition(id);
  if (!now.ok()) return now;
  change(&now->spec);
  return store->UpdateSpec(id, now->version, now->spec, audit);
}

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_CHANGE_SPEC_H_
