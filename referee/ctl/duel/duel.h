// A duel: a referee inside this program, bots as processes, a number of matches between them with
// the seats rotated.
#ifndef REFEREE_CTL_DUEL_DUEL_H_
#define REFEREE_CTL_DUEL_DUEL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/base/progress.h"
#include "referee/ctl/duel/measuring_recorder.h"
#include "referee/games/game.h"
#include "referee/launch/bot_command.h"
#include "referee/launch/isolation.h"
#include "referee/match/record.h"
#include "referee/match/time_control.h"
#include "referee/rating/sprt.h"

namespace referee::ctl {

// A bot that is not ready in so many matches in a row, or resigns in them before it is asked for a
// move, ends the duel.
inline constexpr int kUnreadyLimit = 3;
// So many of the last lines that a bot wrote are shown with its first fault of a kind.
inline constexpr int kShownLines = 10;

// How the bots of a duel are run.
struct Launching {
  bool isolate = false;
  std::vector<std::string> readable;  // by isolated bots: absolute paths
  uint64_t memory_bytes = launch::Isolation::kDefaultMemory;
  std::vector<std::vector<int>> cpus;  // by bot; empty: all bots may run anywhere
  bool any_process = false;            // may speak for a bot if it has the bot's token
};

struct DuelPlan {
  std::shared_ptr<const games::Game> game;
  // Block b starts from one of these (schedule::PositionOf); empty: all start as `game` does.
  std::vector<std::string> positions;
  std::vector<launch::BotCommand> bots;  // as many as the game has seats
  Launching launching;
  int matches = 10;
  int concurrency = 1;
  // Pinned. Block b, from 0, has the dice of DiceOfMatch (blocks.h): matches b n to b n + n - 1, of
  // n bots, have the same dice and the seats rotated.
  match::DiceSource dice = {0, {}};
  // For two bots: stops as soon as the test is decided; `matches` is then the maximum. Blocks enter
  // the test in the order of their numbers, whichever ends first.
  absl::optional<rating::SprtTerms> sprt;
  match::TimeControl time_control;
  match::Policies policies;
  std::string replay_dir;  // empty: replays are not kept
  std::string bot_logs;    // a directory for what bots print; empty: it is not kept
  absl::Duration start_timeout = absl::Seconds(10);
  // A bot that ends is started again, once the matches that it was in have ended: it loses them.
  bool recover = false;
  // Bots get as many matches as they play at once, not only as many as they think about.
  bool oversubscribe = false;
  // A file that keeps what was played (duel_state.h), and from which the duel goes on; empty: none.
  std::string state_path;
};

// What a bot did in one match.
struct DuelSeat {
  int bot = 0;    // its place in DuelPlan::bots
  int score = 0;  // of a finished match
  int rank = 0;   // of a finished match, from 1
  MoveTimes times;
  ForgivenFaults forgiven;
  absl::optional<match::Cause> forfeit;
  absl::optional<SeatFault> fault = {};
};

struct DuelMatch {
  int index = 0;  // from 0
  MatchId id;
  match::Ending ending = match::Ending::kFinished;
  std::string reason;
  std::vector<DuelSeat> seats;
  std::string replay_path;  // empty if it was not kept
};

struct DuelReport {
  // That began and ended, by index; of a duel that was stopped some may be missing, also before
  // others: see ComparableMatches (blocks.h).
  std::vector<DuelMatch> matches;
  int played_again = 0;  // matches that this machine's own stalls made void
  int resumed = 0;       // matches that were played before, by the state file
  // How often each bot was started again, and how the last of its processes before had ended.
  struct Recovery {
    int times = 0;
    std::string ending;
  };
  std::vector<Recovery> recoveries;   // by bot; none of a duel that was played before
  absl::optional<rating::Sprt> sprt;  // where the test stands, if there was one
  // Matches of later blocks that were over when the test was decided; they are not among `matches`.
  int surplus = 0;
  // Attempts of processes to speak for bots that are not theirs, a line for each kind.
  std::vector<std::string> refusals;
  // OK if all were played; else the reason why the duel stopped, for people.
  absl::Status problem;
};

// Plays the duel. When it returns, no bot runs any more and nothing is left on the disk but what
// the plan says. The duel stops early on SIGINT, SIGTERM or SIGHUP, when a bot cannot be started,
// ends early or never connects, or got into none of kUnreadyLimit matches in a row, and when a
// replay or the state cannot be kept; after the end of a bot, running matches may still end by
// their clocks.
DuelReport RunDuel(const DuelPlan& plan, Progress* progress);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_DUEL_H_
