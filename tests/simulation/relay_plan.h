// The plan of a run with two referees: bots, matches, and faults with their times, from one seed.
#ifndef REFEREE_TESTS_SIMULATION_RELAY_PLAN_H_
#define REFEREE_TESTS_SIMULATION_RELAY_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "referee/games/game.h"
#include "referee/match/policies.h"
#include "referee/match/time_control.h"

namespace referee::simulation {

constexpr int kNodes = 2;

// Times are since the start of the run. Shares are per mille of a bot's turns, or of its matches.
struct RelayBotPlan {
  std::string name;
  int max_matches = 1;
  int node = 0;  // which it dials first
  absl::Duration connects_at;
  absl::Duration latency;  // of its streams, one way
  absl::Duration thinks;   // at least
  int slow = 0;            // replies about when the time is over
  int silent = 0;          // does not reply
  int resigns = 0;         // instead of replying
  int never_ready = 0;     // matches for which it is never ready
};

struct RelayMatchPlan {
  int node = 0;           // hosts it
  std::vector<int> bots;  // by seat
  std::shared_ptr<const games::Game> game;
  match::TimeControl time_control;
  match::Policies policies;
  bool pinned = false;
  absl::Duration created_at;
};

struct RelayFault {
  enum class Kind {
    kBotCut,     // the bot's stream is lost
    kBotMoves,   // the bot connects to the other node, and forgets the stream that it has
    kPeerCut,    // both ends learn soon that their stream is lost
    kPeerMuted,  // what one side says vanishes until the stream ends
    kPeerHeld,   // the same arrives late
    kPeerSlow,   // both ways take up to 200 ms
    kStalled,    // the node handles nothing for a while
    kKilled,
  };
  Kind kind = Kind::kBotCut;
  absl::Duration at;
  absl::Duration lasts;
  int bot = 0;
  int node = 0;  // of streams between nodes: the entry's
  bool to_owner = false;
  bool silent = false;      // the other end is not told; or of kKilled: the other node
  bool loses_disk = false;  // of kKilled: its matches are gone
  absl::Duration node_after;
  absl::Duration bot_after;
};

struct RelayPlan {
  uint64_t seed = 0;
  absl::Duration peer_delay;  // one way
  absl::Duration heals_at;
  std::vector<RelayBotPlan> bots;
  std::vector<RelayMatchPlan> matches;
  std::vector<RelayFault> faults;
};

RelayPlan MakeRelayPlan(uint64_t seed);

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_RELAY_PLAN_H_
