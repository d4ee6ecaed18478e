// The report of a duel: figures for each bot, and blocks, as a table for people and as JSON for
// programs. A block is as many matches in a row as the game has seats, in which each bot has each
// seat once and all have the same dice. Pure.
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

// The figures of one bot, over all matches that have a result; times and faults are over all
// matches.
struct BotFigures {
  int finished = 0;
  int wins = 0;         // first, alone
  int shared_wins = 0;  // first, with others
  double mean_rank = 0;
  double mean_score = 0;
  std::array<int, kAllCauses.size()> forfeits{};  // as kAllCauses
  int unready = 0;                                // of these, before its first turn
  // What it did wrong first, of each kind, by the indices of the matches. The kinds are the causes,
  // and whether the match was forfeited.
  struct Fault {
    const DuelMatch* match = nullptr;
    Seat seat;
    const SeatFault& fault() const {
      return *match->seats[static_cast<size_t>(seat.index())].fault;
    }
  };
  std::vector<Fault> first_faults;
  // The matches that it lost on time while it had other turns to think about, and how many of
  // those: the fewest, and the most.
  int lost_while_busy = 0;
  int fewest_other_turns = 0;
  int most_other_turns = 0;
  MoveTimes times;
  ForgivenFaults forgiven;
};

// By bot, in the order of the plan. Points into `report`.
std::vector<BotFigures> Tally(const DuelPlan& plan, const DuelReport& report);

// Matches in which a bot forfeited.
int CountForfeited(const DuelReport& report);

// Matches that ended without a result.
int CountVoid(const DuelReport& report);

// A few lines: a table, one line a bot, what each bot did wrong first of each kind, with where and
// what it had written by then, whether turns were lost while others waited, and for two bots wins,
// losses, draws, a percentage, Elo with its bars by blocks, and what a sequential test says. These
// are of comparable matches, the table of all. It has columns for forgiven faults only if the
// plan's policies forgive them.
std::string ReportText(const DuelPlan& plan, const DuelReport& report);

// One JSON object on one line, without the line's end.
std::string ReportJson(const DuelPlan& plan, const DuelReport& report);

// The blocks of a duel of two bots.
struct DuelBlocks {
  rating::BlockCounts counts;  // of the first bot
  int without_result = 0;      // blocks that do not count because one of their matches is void
};

// Counts the blocks of a duel that tell how strong the bots are; none unless it has two bots.
absl::optional<DuelBlocks> CountBlocks(const DuelPlan& plan, const DuelReport& report);

// "LLR 1.23 (-2.94 to 2.94)".
std::string RatioText(const rating::Sprt& sprt);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_REPORT_H_
