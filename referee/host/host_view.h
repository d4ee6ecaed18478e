// A snapshot of the host's bots and matches, for callers that plan many matches. It is taken in one
// call, so that its parts agree. Plain values.
#ifndef REFEREE_HOST_HOST_VIEW_H_
#define REFEREE_HOST_HOST_VIEW_H_

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"

namespace referee::host {

// What is asked for.
struct HostQuestion {
  std::vector<std::string> bots;  // names
  std::string game;               // that the bots are to play
  int at_once = 1;                // how many matches of it
  std::vector<MatchId> matches;
};

// A bot, as regards matches of one game.
struct BotView {
  bool connected = false;
  // For more matches of the game, of those that come `at_once` together, beside what is kept for
  // matches that have waited for long; 0 unless it is connected and plays it. See Bot::free_slots.
  // With HostOptions::blocks_apart a slot stands for `at_once` matches: one is enough for a block.
  int free_slots = 0;
  // Why it can never play `at_once` matches of the game at once, for people, such as "takes 1 match
  // at once". Empty if it can, or if it is not connected.
  std::string unable;
  // It takes no matches now, and plays none here.
  bool takes_none = false;
  // Some of its slots are taken by matches of other referees: it may be free at no time at which it
  // is looked at, and comes by turns to who waits for it.
  bool plays_elsewhere = false;
  absl::optional<Instant> answered = {};  // a ping, as in Link
};

struct HostView {
  int running = 0;            // matches; with HostOptions::blocks_apart those that wait, too
  int max_running = 0;        // that may run at once, or are made
  std::string load;           // why these are fewer than usual, for people; empty: they are not
  std::string held_back;      // why no match of the game begins; empty: they do
  std::vector<BotView> bots;  // as in the question
  // Of the matches asked for, the known ones that never started: they wait for their bots, or ended
  // while they waited. Empty with HostOptions::blocks_apart.
  absl::flat_hash_set<MatchId> waiting;
  absl::flat_hash_set<MatchId> unknown;  // of the matches asked for; likewise

  // How many blocks of so many matches each may begin now. While nothing runs one may begin,
  // however few matches may run: else no block would ever begin.
  int RoomForBlocks(int matches) const {
    if (running == 0) return std::max(1, max_running / matches);
    return std::max(0, (max_running - running) / matches);
  }
};

// How many there are now.
struct HostCounts {
  struct Matches {
    int running = 0;
    int waiting = 0;  // for their bots, or for room
  };
  std::map<std::string, Matches> matches;  // by game
  int bots = 0;                            // that are connected
  // The latest match could not be recorded, or its replay not archived.
  bool storage_failed = false;
  std::string held_back;  // as in HostView
};

}  // namespace referee::host

#endif  // REFEREE_HOST_HOST_VIEW_H_
