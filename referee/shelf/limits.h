// Bounds of what a shared shelf takes, waits for and gives.
#ifndef REFEREE_SHELF_LIMITS_H_
#define REFEREE_SHELF_LIMITS_H_

#include <cstddef>

#include "absl/time/time.h"

namespace referee::limits {

inline constexpr size_t kMaxShelfAddressBytes = 1024;
inline constexpr size_t kMaxCredentialsFileBytes = 64 * 1024;

// One request to a server, from its connection to the last byte of the answer.
inline constexpr absl::Duration kShelfConnectLimit = absl::Seconds(5);
inline constexpr absl::Duration kShelfRequestLimit = absl::Seconds(30);
// One call of a shelf: no request of it begins later. What fails is tried again, after twice as
// long each time.
inline constexpr absl::Duration kShelfCallLimit = absl::Minutes(1);
inline constexpr absl::Duration kFirstShelfRetry = absl::Milliseconds(100);
inline constexpr absl::Duration kLastShelfRetry = absl::Seconds(5);
// What a daemon could not put there is tried again after a pause, and then after twice as long each
// time.
inline constexpr absl::Duration kFirstShelfPause = absl::Seconds(1);
inline constexpr absl::Duration kLastShelfPause = absl::Minutes(1);
// Answers of a server that are no replay.
inline constexpr size_t kMaxListingBytes = 4 * 1024 * 1024;
// How much a daemon puts and looks for at once; connections that are kept for the next request.
inline constexpr int kShelfTries = 8;
inline constexpr size_t kIdleShelfConnections = kShelfTries;

}  // namespace referee::limits

#endif  // REFEREE_SHELF_LIMITS_H_
