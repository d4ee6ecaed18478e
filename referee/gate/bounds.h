// What those who look may cost a gate, and how often they are told. Plain values.
#ifndef REFEREE_GATE_BOUNDS_H_
#define REFEREE_GATE_BOUNDS_H_

#include <cstddef>

#include "absl/time/time.h"

namespace referee::gate {

struct Bounds {
  // Connections.
  size_t connections = 20'000;
  size_t connections_per_address = 0;  // IPv6: of a /64; 0: a quarter of all
  // A request: its line and headers together, and how long they may take to come.
  size_t header_bytes = 8 * 1024;
  absl::Duration header_time = absl::Seconds(10);
  // How long a connection may stay open between two requests.
  absl::Duration idle_time = absl::Seconds(60);
  // How long what is written may wait for its reader.
  absl::Duration write_time = absl::Seconds(30);
  // What the system may keep of that, of one connection; it doubles the number.
  size_t socket_bytes = 32 * 1024;
  // After so long without an event a stream gets a comment.
  absl::Duration heartbeat = absl::Seconds(15);

  // Matches and competitions that are watched at once. A referee lets an address or an account have
  // 64 watches, and an organiser as many as it has.
  size_t feeds = 64;
  // For how long a match is watched on after the last has gone.
  absl::Duration linger = absl::Seconds(10);
  // How long a feed may take to begin, and a call to be answered.
  absl::Duration patience = absl::Seconds(10);

  // Calls that go to the referee: those that are under way, and a second.
  size_t calls = 16;
  double calls_per_second = 20;
  double calls_burst = 60;
  // Of these each address may ask so many at once, and a second, that were not answered before,
  // where there is no such thing; of what there is, four times as many.
  double visitor_burst = 20;
  double visitor_calls_per_second = 2;
  size_t visitors = 65'536;  // addresses that have a budget of their own
  // Answers of which it is known that there are such things: see call_budget.h.
  size_t known_keys = 4096;
  // For how long an answer that may change is kept.
  absl::Duration fresh = absl::Seconds(1);
  // Answers that are kept: lists, replays and what is made of them.
  size_t cache_bytes = 64 * 1024 * 1024;
  // A replay that is larger, or longer, is not shown.
  size_t replay_bytes = 4 * 1024 * 1024;
  size_t replay_turns = 10'000;
};

// Events of a match: one each kEventInterval at most, of so many of the frames that wait as would
// be told within kCatchUpTime, but not more than kMaxFramesPerEvent.
inline constexpr absl::Duration kEventInterval = absl::Milliseconds(200);
inline constexpr absl::Duration kCatchUpTime = absl::Seconds(2);
inline constexpr size_t kMaxFramesPerEvent = 64;

}  // namespace referee::gate

#endif  // REFEREE_GATE_BOUNDS_H_
