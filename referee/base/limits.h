// Every limit of the referee in one place: what comes from outside is bounded by one of these.
#ifndef REFEREE_BASE_LIMITS_H_
#define REFEREE_BASE_LIMITS_H_

#include <cstddef>
#include <cstdint>

#include "absl/time/time.h"

namespace referee::limits {

// Games.
inline constexpr int kMaxSeats = 6;
inline constexpr size_t kMaxOptionBytes = 64 * 1024;  // an option's value, a board file included
inline constexpr size_t kMaxOptions = 64;             // options of one match
inline constexpr size_t kMaxPositionBytes = 16 * 1024;
inline constexpr size_t kMaxMoveBytes = 256;  // a move's notation

// Names.
inline constexpr size_t kMaxNameBytes = 64;  // of a bot, a game, an option
inline constexpr size_t kMaxTokenBytes = 256;
inline constexpr size_t kMaxRequestIdBytes = 64;
inline constexpr size_t kMaxReasonBytes = 256;  // of a cancellation
inline constexpr size_t kMaxNonceBytes = 32;

// Time.
inline constexpr absl::Duration kMinPerMove = absl::Milliseconds(1);
inline constexpr absl::Duration kMaxPerMove = absl::Hours(24);
inline constexpr absl::Duration kMaxBank = absl::Hours(24 * 7);
inline constexpr absl::Duration kReadyLimit =
    absl::Seconds(10);  // from MatchStart to Ready; default
inline constexpr absl::Duration kMaxReadyLimit = absl::Hours(1);
inline constexpr absl::Duration kMaxMatchTime = absl::Hours(24 * 30);
inline constexpr absl::Duration kMaxLinkGrace = absl::Hours(24);
inline constexpr absl::Duration kMinLagPerMove = absl::Microseconds(1);
inline constexpr absl::Duration kMaxLagPerMove = absl::Seconds(10);
inline constexpr absl::Duration kMaxLagPerMatch = absl::Hours(24);
inline constexpr int kDefaultLagMoves = 100;  // lag a match, in lags a move
inline constexpr int kMaxStrikes = 1'000'000;
inline constexpr int kMaxTries = 100;
inline constexpr absl::Duration kHandoverLimit =
    absl::Seconds(5);  // a turn waits in a stream's queue

// Streams of bots.
inline constexpr size_t kMaxReceivedBytes = 256 * 1024;  // a message from a bot
inline constexpr int kMaxItemsReceived = 4096;           // items in a message from a bot
inline constexpr size_t kMaxQueuedItems = 16 * 1024;     // items waiting for a slow reader
inline constexpr absl::Duration kHelloLimit = absl::Seconds(10);
inline constexpr int kMaxMatchesPerBot = 1024;  // at once
inline constexpr int kMaxGamesInHello = 64;
inline constexpr int kMaxProtocolErrors = 64;  // answered on one stream before it is cut

// Matches.
inline constexpr int kMaxOpenMatches = 100'000;      // waiting or running
inline constexpr int kMaxRememberedMatches = 1'000;  // finished, kept for GetMatch and ListMatches
inline constexpr size_t kMaxStalls = 4096;           // of the referee itself, remembered
inline constexpr absl::Duration kSeatLimit = absl::Minutes(10);  // a match waits for its bots
inline constexpr int kMaxObservers = 1024;                       // watchers, all matches together
inline constexpr size_t kMaxQueuedObservations = 4096;           // waiting for a slow observer
inline constexpr int kDefaultPageSize = 50;
inline constexpr int kMaxPageSize = 1000;

// Replays.
inline constexpr size_t kMaxReplayBytes = 64 * 1024 * 1024;  // a file, decompressed
inline constexpr size_t kReplayChunkBytes = 64 * 1024;       // a chunk of GetReplay

}  // namespace referee::limits

#endif  // REFEREE_BASE_LIMITS_H_
