// The host at one moment, for whoever plans many matches: taken in one piece, so that its parts
// agree, and at the cost of one. Plain values.
#ifndef REFEREE_HOST_HOST_VIEW_H_
#define REFEREE_HOST_HOST_VIEW_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "referee/base/ids.h"

namespace referee::host {

// What is asked for.
struct HostQuestion {
  std::vector<std::string> bots;  // names
  std::string game;               // that the bots are to play
  int at_once = 1;                // so many matches of it
  std::vector<MatchId> matches;
};

// A bot as far as matches of one game go.
struct BotView {
  bool connected = false;
  int free_places = 0;  // for more matches of the game; 0 unless it is connected and plays it
  // Why it cannot play so many matches of the game at once, however few it plays now, for people:
  // "takes 1 match at once". Empty if it can, and unless it is connected.
  std::string unable;
};

struct HostView {
  int running = 0;            // matches
  int max_running = 0;        // that may run at once
  std::vector<BotView> bots;  // as in the question
  // Of the matches asked for, those that are known and were not started: they wait for their bots,
  // or ended while they did.
  absl::flat_hash_set<MatchId> waiting;
};

}  // namespace referee::host

#endif  // REFEREE_HOST_HOST_VIEW_H_
