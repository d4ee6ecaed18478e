// A consistent snapshot of the host's bots and matches, for callers that plan many matches.
//
// Plain values. One call takes the whole snapshot.
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

// What the snapshot should cover.
struct HostQuestion {
  std::vector<std::string> bots;  // names
  std::string game;               // that the bots should play
  int at_once = 1;                // how many matches of it
  std::vector<MatchId> matches;
};

// The state of a bot, for matches of one game.
struct BotView {
  bool connected = false;
  // How many more matches of the game the bot can take, of matches that come `at_once` together.
  // Slots that are kept for matches which have waited long do not count. 0 if the bot is not
  // connected or does not play the game. See Bot::free_slots. With HostOptions::blocks_apart, a
  // slot counts as `at_once` slots, since one is enough for a block.
  int free_slots = 0;
  // Why the bot can never play `at_once` matches of the game at once, for people, such as "takes 1
  // match at once". Empty if it can, or if it is not connected.
  std::string unable;
  // The bot takes no matches now, and plays none here.
  bool takes_none = false;
  // Matches of other referees take some of the bot's slots. It may then be busy whenever this host
  // checks, and is granted in turn to the matches that wait for it.
  bool plays_elsewhere = false;
  absl::optional<Instant> answered = {};  // when it last answered a ping; see Link::answered
};

struct HostView {
  int running = 0;            // matches; with HostOptions::blocks_apart including waiting ones
  int max_running = 0;        // limit of `running`
  std::string load;           // why the limit is lower than usual, for people; else empty
  std::string held_back;      // why no match of the game begins; empty if they begin
  std::vector<BotView> bots;  // in the order of HostQuestion::bots
  // The known matches among HostQuestion::matches that never began: they wait for their bots, or
  // ended while they waited. Empty with HostOptions::blocks_apart.
  absl::flat_hash_set<MatchId> waiting;
  // The matches of HostQuestion::matches that are not known. Empty with HostOptions::blocks_apart.
  absl::flat_hash_set<MatchId> unknown;

  // How many blocks of so many matches each may begin now. While nothing runs, one block may always
  // begin, however few matches may run: else no block would ever begin.
  int RoomForBlocks(int matches) const {
    if (running == 0) return std::max(1, max_running / matches);
    return std::max(0, (max_running - running) / matches);
  }
};

// Counts of bots and matches.
struct HostCounts {
  struct Matches {
    int running = 0;
    int waiting = 0;  // for their bots, or for the limit of running matches
  };
  std::map<std::string, Matches> matches;  // by game
  int bots = 0;                            // connected bots
  // The latest match could not be recorded, or its replay could not be archived.
  bool storage_failed = false;
  std::string held_back;  // as in HostView
};

}  // namespace referee::host

#endif  // REFEREE_HOST_HOST_VIEW_H_
