// Bounds of the log.
#ifndef REFEREE_LOG_LIMITS_H_
#define REFEREE_LOG_LIMITS_H_

#include <cstddef>

#include "absl/time/time.h"

namespace referee::limits {

// Of an event; what is longer is cut. In a line each byte may become six.
inline constexpr size_t kMaxLogMessageBytes = 1024;
inline constexpr size_t kMaxLogFieldBytes = 128;
// Lines that wait for whoever reads the log. Those beyond are left out, and counted.
inline constexpr size_t kMaxLogQueueBytes = 1024 * 1024;
// How long a program that ends waits for the log to take anything.
inline constexpr absl::Duration kLogPatience = absl::Seconds(1);
// Kinds of events that are told apart by what repeats; any further ones share.
inline constexpr size_t kMaxSparseKeys = 1'024;

}  // namespace referee::limits

#endif  // REFEREE_LOG_LIMITS_H_
