// The status of a running competition, for people: its progress, and what it waits for. Pure.
#ifndef REFEREE_COMPETITION_STATUS_H_
#define REFEREE_COMPETITION_STATUS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "referee/competition/competition_now.h"
#include "referee/competition/open_blocks.h"
#include "referee/schedule/schedule.h"

namespace referee::competition {

// What the store does not know of a competition.
struct Progress {
  int blocks_running = 0;
  absl::optional<int64_t> blocks_left;
  int blocks_lately = 0;
  int64_t blocks_uncounted = 0;  // over, and waiting for others before they count
  int64_t blocks_ended = 0;      // all matches have ended, which the store does not know yet
  std::string waits_for;
  // Rises whenever a step has changed something in the store, or found it changed; none when the
  // competition lives elsewhere.
  absl::optional<int64_t> changes;

  friend bool operator!=(const Progress& a, const Progress& b) {
    return a.blocks_running != b.blocks_running || a.blocks_left != b.blocks_left ||
           a.blocks_lately != b.blocks_lately || a.waits_for != b.waits_for ||
           a.changes != b.changes;
  }
};

// Returns why a competition does not go on; empty if it goes on, or is paused, new or finished.
std::string WaitsFor(const CompetitionNow& now, const OpenBlocks& open,
                     const schedule::Schedule& schedule);

// What a connected bot's author should know.
struct BotNotice {
  std::string bot;  // its name
  std::string text;
};

// Returns what keeps connected bots from playing. REQUIRES: this daemon is the home.
std::vector<BotNotice> NoticesFor(const CompetitionNow& now, const OpenBlocks& open,
                                  const schedule::Schedule& schedule);

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_STATUS_H_
