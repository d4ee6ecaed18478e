// The process's limit on file descriptors, and how many connections fit below it.
#ifndef REFEREE_SERVICE_ACCEPT_DESCRIPTORS_H_
#define REFEREE_SERVICE_ACCEPT_DESCRIPTORS_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "referee/service/accept/connections.h"

namespace referee::service {

size_t DescriptorLimit();

// Limits for a process that may have `descriptors`. `all` and `per_address` are what was asked for;
// 0 stands for as many as fit, limits::kMaxConnections at most, and for a share of all. Returns
// FailedPrecondition when so many do not fit.
absl::StatusOr<ConnectionLimits> LimitConnections(size_t all, size_t per_address,
                                                  size_t descriptors);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCEPT_DESCRIPTORS_H_
