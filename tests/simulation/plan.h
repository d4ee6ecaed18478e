// The plan of one run: bots and how they play, matches, and faults with their times, all generated
// from one seed.
//
// Bots and matches come in groups that have nothing in common but the referee. A fault has an
// address: a group, through one of its bots or matches, or the referee as a whole. So a run can be
// repeated without a group's faults, and nothing may change for the other groups.
#ifndef REFEREE_TESTS_SIMULATION_PLAN_H_
#define REFEREE_TESTS_SIMULATION_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/games/game.h"
#include "referee/match/policies.h"
#include "referee/match/time_control.h"
#include "referee/schedule/spec.h"

namespace referee::simulation {

// Times are since the start of the run. Shares are per mille of a bot's turns, or of its matches.
struct BotPlan {
  int group = 0;
  std::string name;
  int max_matches = 1;
  absl::Duration connects_at;
  absl::Duration latency;  // of its streams, one way, at least
  absl::Duration jitter;   // on top, at most
  absl::Duration thinks;   // about so long, at least
  // Its faults.
  int slow = 0;         // replies about when the time is over
  int silent = 0;       // does not reply
  int illegal = 0;      // replies with a move of another time
  int unreadable = 0;   // replies with no move at all
  int chatty = 0;       // says besides what nobody asked for: old turns, turns to come, Ready again
  int resigns = 0;      // instead of replying
  int leaves = 0;       // matches that it resigns from at some time, in any turn
  int never_ready = 0;  // matches for which it is never ready
  int resigns_at_start = 0;  // matches that it resigns before their first turn
  int late = 0;              // replies 0.1 to 5 ms after its time is over
  // Reads nothing for a while, sees elsewhere what it is asked meanwhile, and takes its time.
  int shuts = 0;
  int bad_nonces = 0;           // matches in whose nonces it deviates: NonceFault
  bool keeps_existing = false;  // asks that another stream of its own be refused
  bool repeats = false;         // says its last replies again when it comes back
  bool news_may_wait = false;   // lets news of turns wait for what it is told next
};

// How a bot deviates from the two steps of the nonces.
enum class NonceFault {
  kNone,
  kNoHash,         // is ready without the hash of a nonce
  kEarly,          // reveals its nonce before it is asked to, and then as it should
  kWrong,          // reveals a nonce that does not fit
  kWrongAndRight,  // and then the one that does
  kLate,           // reveals it about when the time is over
  kSilent,         // never reveals it
};

enum class DiskFault {
  kNone,
  kOpenFails,
  kWriteFails,
  kWriteTears,
  kArchiveFails,
};

struct MatchPlan {
  int group = 0;
  std::shared_ptr<const games::Game> game;
  std::vector<int> bots;  // by seat: indices of bots
  match::TimeControl time_control;
  match::Policies policies;
  bool pinned = false;
  absl::Duration created_at;
  bool asked_twice = false;                                // the same request again
  absl::Duration cancelled_at = absl::InfiniteDuration();  // InfiniteDuration: not
  DiskFault disk_fault = DiskFault::kNone;
  int disk_fault_at = 0;  // which write of its records, from 0 (the opening)
  bool watched = false;   // has an observer
  // Of a block: the index of its rotation 0, which the others follow in order. -1: a match alone.
  int block = -1;
  int rotation = 0;
};

// A competition of some of the bots, of any groups. A ladder is finished by its organiser.
struct CompetitionPlan {
  schedule::Spec spec;
  absl::Duration created_at;
  // Per mille of writes to the store, and of its matches.
  int store_fails = 0;
  int disk_fails = 0;
  // How often the organiser does something needless, such as pausing it or taking a bot out.
  int meddles = 0;  // per mille of looks
  // How often the organiser gives a bot of a ladder another version, or begins a season.
  int succeeds = 0;  // per mille of looks
};

struct LinkFault {
  enum class Kind {
    kCut,          // both directions at once; each end learns of it in its own time
    kHangUp,       // the bot leaves, in good order, and comes back
    kSecond,       // the bot opens another stream while it has one
    kSlowReader,   // nothing can be written to the bot for a while
    kSlowNetwork,  // everything takes longer for a while
  };
  Kind kind = Kind::kCut;
  int bot = 0;
  absl::Duration at;
  absl::Duration lasts;          // of kSlowReader and kSlowNetwork
  absl::Duration referee_after;  // of kCut: when the referee learns of it
  absl::Duration bot_after;      // of kCut: when the bot does
  absl::Duration back_after;     // from when the bot knows to when it comes back
};

// A fault that affects every group.
struct RefereeFault {
  enum class Kind {
    kKilled,        // at a time
    kKilledBefore,  // a write: before it, in the middle of it, after it and before anything follows
    kKilledWithin,
    kKilledAfter,
    kDrained,  // told to shut down
    kWallSet,  // the calendar is set forward
    kStalled,  // it does nothing for a while: reads nothing, wakes up for nothing
  };
  Kind kind = Kind::kKilled;
  absl::Duration at;
  int write = 0;           // of kKilled{Before,Within,After}: which write after `at`
  absl::Duration down;     // until it is started again
  absl::Duration wall_by;  // of kWallSet
  absl::Duration lasts;    // of kStalled
  bool leaves = false;     // of kDrained: matches go on after it, rather than end as void
};

struct Plan {
  // The indices of the matches of the block that match `index` is in, or `index` alone.
  std::vector<int> Together(int index) const;

  uint64_t seed = 0;
  int groups = 1;
  std::vector<BotPlan> bots;
  std::vector<MatchPlan> matches;
  absl::optional<CompetitionPlan> competition;
  std::vector<LinkFault> link_faults;
  std::vector<RefereeFault> referee_faults;
  int max_running = 0;
  absl::Duration sealing;       // how long the referee takes to seal a replay
  absl::Duration resume_limit;  // how long matches wait for their bots after it was killed
  // From then on nothing fails, bots stay connected, and every match must end.
  absl::Duration heals_at;
};

// The plan that follows from the seed.
Plan MakePlan(uint64_t seed);

// The same plan without the faults addressed to `group`, whose bots play well.
Plan Calmed(Plan plan, int group);

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_PLAN_H_
