// The standings of a competition: its bots ranked, with ratings and error bars.
//
// Ratings are fitted on the calling thread. A fit is cached, and shared with concurrent callers.
// Until the competition is finished, a recent fit is reused even if more blocks are counted.
#ifndef REFEREE_COMPETITION_STANDINGS_H_
#define REFEREE_COMPETITION_STANDINGS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/competition/kept.h"
#include "referee/rating/block.h"
#include "referee/rating/fit.h"
#include "referee/schedule/schedule.h"
#include "referee/store/store.h"

namespace referee::competition {

// The results of two bots against each other, from the side of `bot`, over the counted blocks of a
// competition of two seats.
struct PairResult {
  int bot = 0;  // entrant numbers
  int opponent = 0;
  // The number of blocks by the half points that `bot` made in their two matches: 0 to 4.
  std::array<int64_t, 5> blocks{};
  int64_t wins = 0;  // matches won by `bot`
  int64_t draws = 0;
  int64_t losses = 0;
};

// Returns the total from the side of `bot`. REQUIRES: `bot` is one of the two.
inline PairResult ResultOf(const store::PairTotal& total, int bot) {
  PairResult result;
  result.bot = bot;
  result.opponent = bot == total.low ? total.high : total.low;
  result.blocks = total.blocks;
  if (bot == total.high) std::reverse(result.blocks.begin(), result.blocks.end());
  int64_t half_points = 0;
  for (size_t i = 0; i < result.blocks.size(); ++i) {
    half_points += static_cast<int64_t>(i) * result.blocks[i];
  }
  const int64_t matches =
      2 * std::accumulate(result.blocks.begin(), result.blocks.end(), int64_t{0});
  // A match won makes two half points, one drawn makes one.
  result.draws = total.draws;
  result.wins = (half_points - total.draws) / 2;
  result.losses = matches - result.wins - result.draws;
  return result;
}

// Describes an entrant that is not in, such as "'alice' was set aside: did not answer ...".
std::string OutText(const store::Entrant& entrant);

// A bot's line in the standings: its score over the counted blocks, and its rating.
struct Standing {
  // Competition rank: 1 2 2 4. 0: no rank, listed after ranked bots; also while nothing counts for
  // the bot.
  int rank = 1;
  // Its tally excludes annulled results from blocks, wins, draws and losses.
  store::Entrant entrant;
  double points = 0.0;  // 2 seats: a win 1, a draw 1/2; more seats: 1 for each bot left behind
  std::vector<schedule::TieBreakScore> tie_breaks;  // those of the spec, in points
  absl::optional<double> share;                     // as in schedule::ScoreLine, like the next four
  bool annulled = false;
  int forfeited_blocks = 0;
  int walkovers = 0;
  int byes = 0;
  // The rating, relative to the information-weighted mean of all bots (rating/fit.h). Fitted to all
  // counted blocks without annulled results; in a ladder to those of the season. The value is 0
  // without blocks, and above limits::kMaxFittedBots bots, where no fit is made.
  double elo = 0.0;
  // Half the width of the 95 % interval of `elo`; infinite without a fit. Too small after a Swiss:
  // rating/RATING.md, "After a Swiss".
  double elo_error = 0.0;
  // The likelihood that the bot is stronger than the bot on the next line. Not set for the last
  // line, and where the fit does not have the two next to each other in this order.
  absl::optional<double> superiority;
  // The interval of `elo` is not narrower than the provisional width of the spec. In a ladder the
  // bot has no rank then.
  bool provisional = false;
  // Another version of the bot replaced it within the season. It has no rank and comes last.
  bool succeeded = false;
  std::string remark;  // "bye", "withdrawn", why it was suspended, ...; may be empty
  bool connected = false;
};

// The fitted strengths of the bots of a season, over the counted blocks.
struct SeasonStrengths {
  int season = 1;
  std::vector<bool> of_season;  // by entrant
  std::vector<bool> annulled;   // by entrant; empty: no results are annulled
  // Strongest first. Empty if nothing counts, or for more than limits::kMaxFittedBots.
  std::vector<rating::Strength> strengths;

  bool Has(int bot) const {
    const auto number = static_cast<size_t>(bot);
    return number < of_season.size() && of_season[number];
  }
  // Whether a block is of the season.
  bool Has(const rating::Pairing& pairing) const {
    return std::all_of(pairing.bots.begin(), pairing.bots.end(),
                       [this](int bot) { return Has(bot); });
  }
};

// --- Annulled results ---
//
// Results by and against a bot that left a round robin or a gauntlet early count for no bot
// (COMPETITION.md, "Bots that leave"). Tallies in the store include them; standings do not.

// Returns by entrant whether its results are annulled; empty if none are.
std::vector<bool> AnnulledIn(const std::vector<schedule::ScoreLine>& scores, size_t entrants);

// Returns the outcome for the bots that are not annulled; none if fewer than two remain.
absl::optional<rating::BlockOutcome> WithoutAnnulled(const rating::BlockOutcome& outcome,
                                                     const std::vector<bool>& annulled);

// Thread-safe.
class CompetitionStandings {
 public:
  // Both must outlive this object.
  CompetitionStandings(store::CompetitionReader* store, const Clock* clock);

  // Returns the entrants of this season, best first; `connected` is not set. `scores` are
  // Schedule::Scores. A ladder, and a competition without scores, is ordered by strength.
  absl::StatusOr<std::vector<Standing>> Make(const store::Competition& competition,
                                             std::vector<store::Entrant> entrants,
                                             const std::vector<schedule::ScoreLine>& scores,
                                             int season);
  // Returns the strengths in the table that Make returns for these arguments.
  absl::StatusOr<SeasonStrengths> Strengths(const store::Competition& competition,
                                            const std::vector<store::Entrant>& entrants,
                                            const std::vector<schedule::ScoreLine>& scores,
                                            int season);
  // Returns Schedule::Scores from the store, for a competition that does not run here; empty for a
  // ladder and a test.
  absl::StatusOr<std::vector<schedule::ScoreLine>> ReadScores(
      const store::Competition& competition, const std::vector<store::Entrant>& entrants);

 private:
  struct Scored {
    int64_t version = 0;
    int64_t next_block = 0;
    int64_t counted = 0;
    std::vector<schedule::ScoreLine> scores;
  };
  struct Fitted {
    int64_t counted = 0;
    std::vector<bool> annulled;  // by AnnulledIn
    Instant made;
    absl::Duration cost;
    std::vector<rating::Strength> strengths;
  };

  // The part of the tallies that comes from annulled results.
  struct Annulled {
    int64_t counted = 0;
    std::vector<bool> annulled;
    std::vector<store::Tally> tallies;
  };

  absl::StatusOr<std::shared_ptr<const Fitted>> FitOf(const store::Competition& competition,
                                                      const SeasonStrengths& asked);
  absl::StatusOr<Fitted> MakeFit(const store::Competition& competition,
                                 const SeasonStrengths& asked);
  // Subtracts annulled results from the tallies.
  absl::Status TakeOff(const store::Competition& competition, const std::vector<bool>& annulled,
                       std::vector<store::Entrant>* entrants);

  store::CompetitionReader* const store_;
  const Clock* const clock_;
  Kept<std::pair<store::CompetitionId, int>, Fitted> fits_;  // by competition and season
  Kept<store::CompetitionId, Scored> scores_;
  Kept<store::CompetitionId, Annulled> annulled_;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_STANDINGS_H_
