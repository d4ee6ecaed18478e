// Limits of a shared replay store.
#ifndef REFEREE_SHELF_LIMITS_H_
#define REFEREE_SHELF_LIMITS_H_

#include <cstddef>

#include "absl/time/time.h"

namespace referee::limits {

inline constexpr size_t kMaxShelfAddressBytes = 1024;
inline constexpr size_t kMaxCredentialsFileBytes = 64 * 1024;

// One request to a server, from connecting to the last byte of the answer.
inline constexpr absl::Duration kShelfConnectLimit = absl::Seconds(5);
inline constexpr absl::Duration kShelfRequestLimit = absl::Seconds(30);
// One call of a replay store: no request begins later. Failed requests are repeated, with doubling
// pauses.
inline constexpr absl::Duration kShelfCallLimit = absl::Minutes(1);
inline constexpr absl::Duration kFirstShelfRetry = absl::Milliseconds(100);
inline constexpr absl::Duration kLastShelfRetry = absl::Seconds(5);
// Pauses of a daemon before it repeats a failed upload; they double each time.
inline constexpr absl::Duration kFirstShelfPause = absl::Seconds(1);
inline constexpr absl::Duration kLastShelfPause = absl::Minutes(1);
// Answers of a server other than replays.
inline constexpr size_t kMaxListingBytes = 4 * 1024 * 1024;
// Parallel uploads and lookups of a daemon; idle connections kept for reuse.
inline constexpr int kShelfTries = 8;
inline constexpr size_t kIdleShelfConnections = kShelfTries;

}  // namespace referee::limits

#endif  // REFEREE_SHELF_LIMITS_H_
