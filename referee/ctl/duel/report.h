// The report of a duel: figures for each bot and each block, as a table and as JSON. Pure.
//
// A block is as many consecutive matches as the game has seats. Each bot takes each seat once, and
// all matches have the same dice.
#ifndef REFEREE_CTL_DUEL_REPORT_H_
#define REFEREE_CTL_DUEL_REPORT_H_

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "referee/ctl/duel/duel.h"
#include "referee/rating/pentanomial.h"
#include "referee/rating/sprt.h"

namespace referee::ctl {

inline constexpr std::array<match::Cause, 4> kAllCauses = {
    match::Cause::kTimeout, match::Cause::kIllegal, match::Cause::kDisconnected,
    match::Cause::kResigned};

// The figures of one bot over all finished matches; times and faults are over all matches.
struct BotFigures {
  int finished = 0;
  int wins = 0;         // first place, alone
  int shared_wins = 0;  // first place, with others
  double mean_rank = 0;
  double mean_score = 0;
  std::array<int, kAllCauses.size()> forfeits{};  // in the order of kAllCauses
  int unready = 0;                                // of these, before the first turn
  // The first fault of each kind, by match index. A kind is a cause, and whether the match was
  // forfeited.
  struct Fault {
    const DuelMatch* match = nullptr;
    Seat seat;
    const SeatFault& fault() const {
      return *match->seats[static_cast<size_t>(seat.index())].fault;
    }
  };
  std::vector<Fault> first_faults;
  // Matches lost on time while the bot had turns in other matches, and the fewest and the most of
  // these turns.
  int lost_while_busy = 0;
  int fewest_other_turns = 0;
  int most_other_turns = 0;
  MoveTimes times;
  ForgivenFaults forgiven;
};

// Figures by bot, in the order of the plan. They point into `report`.
std::vector<BotFigures> Tally(const DuelPlan& plan, const DuelReport& report);

// The number of matches with a forfeit.
int CountForfeited(const DuelReport& report);

// The number of matches that ended without a result.
int CountVoid(const DuelReport& report);

// A few lines. They have a table with one line for each bot, and the first fault of each kind with
// its place and the bot's output. They also name turns lost while others waited. For two bots there
// are wins, losses, draws, a percentage, Elo with error bars by blocks, and the result of a
// sequential test. These cover the counted matches; the table covers all. It has columns for
// forgiven faults only if the plan's policies forgive them.
std::string ReportText(const DuelPlan& plan, const DuelReport& report);

// One JSON object on one line, without the line end.
std::string ReportJson(const DuelPlan& plan, const DuelReport& report);

// The blocks of a duel of two bots.
struct DuelBlocks {
  rating::BlockCounts counts;  // from the first bot's side
  int without_result = 0;      // blocks that do not count because a match is void
};

// Counts the blocks of `counted` matches; unset unless there are two bots.
absl::optional<DuelBlocks> CountBlocks(const DuelPlan& plan, const DuelReport& report);

// Returns "LLR 1.23 (-2.94 to 2.94)".
std::string RatioText(const rating::Sprt& sprt);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_REPORT_H_
