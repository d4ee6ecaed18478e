#include "referee/node/former_lease.h"

#include <algorithm>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "referee/base/errors.h"

namespace referee::node {
namespace {

constexpr absl::Duration kLook = absl::Seconds(1);

absl::Status StillRuns(const std::string& owner) {
  return absl::FailedPreconditionError(absl::StrCat(
      "referee ", Quoted(owner),
      ", which used this data directory before, still runs: it renews its "
      "lease. It has the same disk, or a copy of it, on another machine: stop it, or give this "
      "referee a data directory of its own"));
}

}  // namespace

absl::Status AwaitLeaseEnd(store::Store* store, absl::Span<const std::string> owners,
                           const std::function<void(absl::Duration)>& wait) {
  absl::Duration before = absl::InfiniteDuration();
  for (;;) {
    const absl::StatusOr<std::vector<store::LeaseHolder>> holders = store->ListLeaseHolders();
    if (!holders.ok()) return holders.status();
    const store::LeaseHolder* last = nullptr;
    for (const store::LeaseHolder& holder : *holders) {
      if (!holder.remaining || std::count(owners.begin(), owners.end(), holder.owner) == 0)
        continue;
      if (last == nullptr || *holder.remaining > *last->remaining) last = &holder;
    }
    if (last == nullptr || *last->remaining <= absl::ZeroDuration()) return absl::OkStatus();
    if (*last->remaining > before) return StillRuns(last->owner);
    before = *last->remaining;
    wait(std::min(before, kLook));
  }
}

}  // namespace referee::node
