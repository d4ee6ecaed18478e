// A duel: a referee inside this program, bots as processes, and a competition between them
// (competition/COMPETITION.md), of which the store goes with the duel or stays in a folder.
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
  // Pinned, and settled (competition::Settle). Its entrants are the bots.
  schedule::Spec spec;
  // As the spec says.
  std::shared_ptr<const games::Game> game;
  match::TimeControl time_control;
  match::Policies policies;
  // In all, if that is known, or at most. If all bots play in each match, whole blocks, after which
  // the duel ends, whatever the spec says: a later one may go on from there.
  int matches = 10;

  std::vector<launch::BotCommand> bots;
  Launching launching;
  int concurrency = 1;  // matches
  // What the dice of all blocks follow from (store::PinnedSeedOf), a number by its
  // dice::PinnedSeed. None: those of the duel that goes on, or new ones.
  absl::optional<match::DiceSource> dice;
  std::string replay_dir;  // empty: replays are not kept
  std::string bot_logs;    // a directory for what bots print; empty: it is not kept
  absl::Duration start_timeout = absl::Seconds(10);
  // A bot that ends is started again, once the matches that it was in have ended: it loses them.
  bool recover = false;
  // Bots get as many matches as they play at once, not only as many as they think about.
  bool oversubscribe = false;
  // A folder that keeps the competition and its replays, and from which the duel goes on; empty:
  // none. Not beside `replay_dir`.
  std::string resume_dir;

  // Whether all bots play in each match.
  bool all_play() const { return bots.size() == static_cast<size_t>(spec.seats); }
  // Where replays are kept; empty if nowhere.
  const std::string& data_dir() const { return resume_dir.empty() ? replay_dir : resume_dir; }
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
  int index = 0;  // from 0; block b of n seats has those from b n to b n + n - 1
  MatchId id;
  dice::Seed seed;  // of its dice
  match::Ending ending = match::Ending::kFinished;
  std::string reason;
  std::vector<DuelSeat> seats;
  std::string replay_path;  // empty if it was not kept
};

struct DuelReport {
  // That began and ended, by index; of a duel that was stopped some may be missing, also before
  // others.
  std::vector<DuelMatch> matches;
  // Of these the first so many tell how strong the bots are: those of the blocks before the first
  // that is not over. What ended of later blocks is a choice of quick matches.
  size_t counted = 0;
  // Matches of later blocks that were over when the test was decided; they are not among `matches`.
  int surplus = 0;
  int played_again = 0;              // matches that this machine's own stalls made void
  int resumed = 0;                   // matches that were played before
  match::DiceSource dice = {0, {}};  // as in the plan, or as they were drawn
  // How often each bot was started again, and how the last of its processes before had ended.
  struct Recovery {
    int times = 0;
    std::string ending;
  };
  std::vector<Recovery> recoveries;   // by bot; none of a duel that was played before
  absl::optional<rating::Sprt> sprt;  // where the test stands, if there was one
  // Of more bots than the game has seats: the table, and of a knockout its ties.
  absl::optional<v1::GetStandingsResponse> table;
  google::protobuf::RepeatedPtrField<v1::RoundPairing> ties;
  // Attempts of processes to speak for bots that are not theirs, a line for each kind.
  std::vector<std::string> refusals;
  // OK if all were played; else the reason why the duel stopped, for people.
  absl::Status problem;
};

// Plays the duel. When it returns, no bot runs any more and nothing is left on the disk but what
// the plan says. The duel stops early on SIGINT, SIGTERM or SIGHUP, when a bot cannot be started,
// ends early or never connects, or got into none of kUnreadyLimit matches in a row, and when a
// replay cannot be kept; after the end of a bot, running matches may still end by their clocks.
DuelReport RunDuel(const DuelPlan& plan, Progress* progress);

// What the competition of a duel is called.
inline constexpr absl::string_view kDuelName = "duel";

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_DUEL_H_
