#include "referee/service/accept/descriptors.h"

#include <sys/resource.h>

#include <algorithm>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"

namespace referee::service {
namespace {

constexpr size_t kPerConnection = 2;  // the transport's, and the duplicate

}  // namespace

size_t DescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  return limit.rlim_cur == RLIM_INFINITY ? std::numeric_limits<size_t>::max() : limit.rlim_cur;
}

absl::StatusOr<ConnectionLimits> LimitConnections(size_t all, size_t per_address,
                                                  size_t descriptors) {
  const size_t free =
      std::max(descriptors, limits::kReservedDescriptors) - limits::kReservedDescriptors;
  const size_t fit = free / kPerConnection;
  const size_t wanted = std::max<size_t>(all, 1);
  if (wanted > fit) {
    return absl::FailedPreconditionError(absl::StrCat(
        wanted, " connections need ", kPerConnection * wanted + limits::kReservedDescriptors,
        " file descriptors, and there are ", descriptors,
        "; raise the limit (ulimit -n, LimitNOFILE=), or lower --max-connections"));
  }
  ConnectionLimits limited;
  limited.all = all > 0 ? all : std::min(fit, limits::kMaxConnections);
  limited.per_address =
      per_address > 0 ? per_address : std::max<size_t>(limited.all / limits::kAddressesToFill, 1);
  limited.unknown = std::min(limits::kMaxUnknownConnections, std::max<size_t>(limited.all / 2, 1));
  return limited;
}

}  // namespace referee::service
