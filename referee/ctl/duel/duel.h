// A duel: a referee in this program, bots as its processes, and a competition between them.
//
// The competition (competition/COMPETITION.md) has its store in a temporary folder, or in one that
// the user keeps.
#ifndef REFEREE_CTL_DUEL_DUEL_H_
#define REFEREE_CTL_DUEL_DUEL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "google/protobuf/repeated_field.h"
#include "proto/referee/v1/competition_service.pb.h"
#include "proto/referee/v1/round.pb.h"
#include "referee/base/ids.h"
#include "referee/base/progress.h"
#include "referee/ctl/duel/match_meter.h"
#include "referee/games/game.h"
#include "referee/launch/bot_command.h"
#include "referee/launch/isolation.h"
#include "referee/match/record.h"
#include "referee/match/time_control.h"
#include "referee/rating/sprt.h"
#include "referee/schedule/spec.h"

namespace referee::ctl {

// The duel ends if a bot is unready in this many matches in a row. Unready means that it was not
// ready in time, or resigned before its first move.
inline constexpr int kUnreadyLimit = 3;
// The number of last output lines shown with a bot's first fault of each kind.
inline constexpr int kShownLines = 10;

// How the processes of bots run.
struct Launching {
  bool isolate = false;
  std::vector<std::string> readable;  // for isolated bots: absolute paths
  uint64_t memory_bytes = launch::Isolation::kDefaultMemory;
  std::vector<std::vector<int>> cpus;  // for each bot; empty: all CPUs
  bool any_process = false;            // with a bot's token may act as the bot
};

struct DuelPlan {
  // Pinned and complete (competition::Settle). Its entrants are the bots.
  schedule::Spec spec;
  // As in the spec.
  std::shared_ptr<const games::Game> game;
  match::TimeControl time_control;
  match::Policies policies;
  // The total number of matches, or its upper bound. If all bots play in each match, the duel ends
  // after these, in whole blocks, whatever the spec says. A resumed duel may continue from there.
  int matches = 10;

  std::vector<launch::BotCommand> bots;
  Launching launching;
  int concurrency = 1;  // matches at the same time
  // The source of the dice of all blocks (store::PinnedSeedOf); a number stands for its
  // dice::PinnedSeed. Unset: the dice of the resumed duel, or new ones.
  absl::optional<match::DiceSource> dice;
  std::string replay_dir;  // empty: no replays
  std::string bot_logs;    // the directory for the bots' output; empty: none
  absl::Duration start_timeout = absl::Seconds(10);
  // Whether a bot that ends is restarted once its matches have ended; it loses these matches.
  bool recover = false;
  // Whether a bot gets as many matches as it can play at once, beyond its parallel turns.
  bool oversubscribe = false;
  // The folder that stores the competition and its replays, to resume the duel; empty: none.
  // Excludes `replay_dir`.
  std::string resume_dir;

  // Whether all bots play in each match.
  bool all_play() const { return bots.size() == static_cast<size_t>(spec.seats); }
  // The folder of the replays; empty: none.
  const std::string& data_dir() const { return resume_dir.empty() ? replay_dir : resume_dir; }
};

// The results of a bot in one match.
struct DuelSeat {
  int bot = 0;    // its index in DuelPlan::bots
  int score = 0;  // if the match finished
  int rank = 0;   // if the match finished, from 1
  MoveTimes times;
  ForgivenFaults forgiven;
  absl::optional<match::Cause> forfeit;
  absl::optional<SeatFault> fault = {};
};

struct DuelMatch {
  int index = 0;  // from 0; block b of n seats has matches b n to b n + n - 1
  MatchId id;
  dice::Seed seed;  // of the dice
  match::Ending ending = match::Ending::kFinished;
  std::string reason;
  std::vector<DuelSeat> seats;
  std::string replay_path;  // empty: no replay
};

struct DuelReport {
  // Matches that started and ended, by index. If the duel was stopped, some may be missing, and
  // later ones present.
  std::vector<DuelMatch> matches;
  // The first `counted` matches measure strength: those of the blocks before the first unfinished
  // one. Ended matches of later blocks are biased towards short ones.
  size_t counted = 0;
  // Matches of later blocks that had ended when the test was decided; they are not in `matches`.
  int surplus = 0;
  int played_again = 0;              // matches made void by stalls of this machine
  int resumed = 0;                   // matches played before the duel resumed
  match::DiceSource dice = {0, {}};  // as in the plan, or as drawn
  // Restarts of a bot, and how its last replaced process ended.
  struct Recovery {
    int times = 0;
    std::string ending;
  };
  std::vector<Recovery> recoveries;   // by bot; earlier runs do not count
  absl::optional<rating::Sprt> sprt;  // the state of the test, if any
  // With more bots than seats: the standings, and the ties of a knockout.
  absl::optional<v1::GetStandingsResponse> table;
  google::protobuf::RepeatedPtrField<v1::RoundPairing> ties;
  // Processes that tried to act as a bot that is not theirs, one line for each kind.
  std::vector<std::string> refusals;
  // OK if all matches were played; otherwise why the duel stopped, for people.
  absl::Status problem;
};

// Plays the duel. When it returns, all bots have ended, and only the files named by the plan
// remain. The duel stops early on SIGINT, SIGTERM or SIGHUP, and when a replay cannot be written.
// It also stops when a bot cannot be started, ends early, never connects, or was unready in
// kUnreadyLimit matches in a row. After the end of a bot, running matches may still finish by their
// clocks.
DuelReport RunDuel(const DuelPlan& plan, Progress* progress);

// The name of a duel's competition.
inline constexpr absl::string_view kDuelName = "duel";

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_DUEL_H_
