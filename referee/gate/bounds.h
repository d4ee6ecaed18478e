// The limits of a gate: what its clients may cost, and how often watchers get events. Plain values.
#ifndef REFEREE_GATE_BOUNDS_H_
#define REFEREE_GATE_BOUNDS_H_

#include <cstddef>

#include "absl/time/time.h"

namespace referee::gate {

struct Bounds {
  // --- Connections ---
  size_t connections = 20'000;
  size_t connections_per_address = 0;  // IPv6: of a /64; 0: a quarter of all
  // A request: the size of its line and headers together, and the time for them to arrive.
  size_t header_bytes = 8 * 1024;
  absl::Duration header_time = absl::Seconds(10);
  // How long a connection may stay open between two requests.
  absl::Duration idle_time = absl::Seconds(60);
  // How long written data may wait for its reader.
  absl::Duration write_time = absl::Seconds(30);
  // Size of the system's send buffer of a connection; the system doubles it.
  size_t socket_bytes = 32 * 1024;
  // A stream without an event for this time gets a comment.
  absl::Duration heartbeat = absl::Seconds(15);

  // Matches and competitions watched at once. A referee allows an address or an account 64 watches,
  // and an organiser all that it has.
  size_t feeds = 64;
  // How long a match is watched after its last watcher has left.
  absl::Duration linger = absl::Seconds(10);
  // How long a feed may take to open, and a call may take to be answered.
  absl::Duration patience = absl::Seconds(10);

  // Calls to the referee: at once, and a second.
  size_t calls = 16;
  double calls_per_second = 20;
  double calls_burst = 60;
  // Each address's share of calls that were not answered before: at once, and a second. These rates
  // are for things that do not exist; for existing things they are four times as high.
  double visitor_burst = 20;
  double visitor_calls_per_second = 2;
  size_t visitors = 65'536;  // addresses with a budget of their own
  // Remembered keys of answers about existing things: see call_budget.h.
  size_t known_keys = 4096;
  // How long a changeable answer is cached.
  absl::Duration fresh = absl::Seconds(1);
  // Cached answers: lists, replays and what is made of them.
  size_t cache_bytes = 64 * 1024 * 1024;
  // Larger or longer replays are not shown.
  size_t replay_bytes = 4 * 1024 * 1024;
  size_t replay_turns = 10'000;
};

// Events of a match: at most one every kEventInterval. An event has as many of the waiting frames
// as would clear them within kCatchUpTime, at most kMaxFramesPerEvent.
inline constexpr absl::Duration kEventInterval = absl::Milliseconds(200);
inline constexpr absl::Duration kCatchUpTime = absl::Seconds(2);
inline constexpr size_t kMaxFramesPerEvent = 64;

}  // namespace referee::gate

#endif  // REFEREE_GATE_BOUNDS_H_
