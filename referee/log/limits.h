// Limits of the log.
#ifndef REFEREE_LOG_LIMITS_H_
#define REFEREE_LOG_LIMITS_H_

#include <cstddef>

#include "absl/time/time.h"

namespace referee::limits {

// Per event; longer text is cut. In a line, each byte may become six.
inline constexpr size_t kMaxLogMessageBytes = 1024;
inline constexpr size_t kMaxLogFieldBytes = 128;
// Lines queued for the reader of the log. Further lines are dropped and counted.
inline constexpr size_t kMaxLogQueueBytes = 1024 * 1024;
// How long a program that ends waits while the log accepts no bytes.
inline constexpr absl::Duration kLogPatience = absl::Seconds(1);
// Kinds of events that SparseLog tracks one by one; further kinds share one for each event name.
inline constexpr size_t kMaxSparseKeys = 1'024;

}  // namespace referee::limits

#endif  // REFEREE_LOG_LIMITS_H_
