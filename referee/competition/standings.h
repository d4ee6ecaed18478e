// The standings of a competition: its bots, ranked, with ratings and their error bars. A fit of
// ratings is made on the thread that asks for it, and kept for those who ask at the same time or
// again before more blocks are counted.
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

// What two bots made against each other, from the side of one of them, over the counted blocks of a
// competition of two seats.
struct PairResult {
  int bot = 0;  // entrants' numbers
  int opponent = 0;
  // The number of blocks by the half points that `bot` made in their two matches: 0 to 4.
  std::array<int64_t, 5> blocks{};
  int64_t wins = 0;  // matches, of `bot`
  int64_t draws = 0;
  int64_t losses = 0;
};

// The total from the side of `bot`. REQUIRES: that is one of the two.
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

// Of an entrant that is not in: "'alice' was set aside: did not answer ...".
std::string OutText(const store::Entrant& entrant);

// A bot's line in the standings: what it has scored over the blocks that are counted, and how
// strong that makes it.
struct Standing {
  // Competition rank: 1 2 2 4; 0: it has none, and comes after those that do. It has none while
  // nothing counts for it.
  int rank = 1;
  store::Entrant entrant;  // without annulled results in its tally's blocks, wins, draws and losses
  double points = 0.0;     // of 2 seats a win 1, a draw 1/2; of more, a bot left behind 1
  std::vector<schedule::TieBreakScore> tie_breaks;  // those of the spec, in points
  absl::optional<double> share;  // as in schedule::ScoreLine, and so the next three
  bool annulled = false;
  int forfeited_blocks = 0;
  int walkovers = 0;
  int byes = 0;
  // Of the fit over all blocks that are counted, without annulled results, of a ladder those of the
  // season, from the information-weighted mean of all bots (rating/fit.h). 0 without blocks, and in
  // competitions of more than limits::kMaxFittedBots, which are not fitted.
  double elo = 0.0;
  // Half the width of its 95 % interval; infinite where there is no fit. Too small after a Swiss:
  // rating/RATING.md, "After a Swiss".
  double elo_error = 0.0;
  // The likelihood that it is stronger than the bot on the next line; not set for the last, and
  // where the fit has them the other way round or not next to each other.
  absl::optional<double> superiority;
  // The interval of `elo` is not narrower than the spec's provisional width. In a ladder it has no
  // rank then.
  bool provisional = false;
  // Another version of the bot took its place within the season. It has no rank, and comes last.
  bool succeeded = false;
  std::string remark;  // "bye", "withdrawn", why it was set aside, ...; may be empty
  bool connected = false;
};

// How strong the bots of a season are, by the blocks that are counted.
struct SeasonStrengths {
  int season = 1;
  std::vector<bool> of_season;  // by entrant
  std::vector<bool> annulled;   // by entrant; empty: of none
  // Strongest first. Empty where nothing counts, and of more than limits::kMaxFittedBots.
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

// --- Annulled results: those of a bot that left a round robin or a gauntlet early, and those that
// were made against it (COMPETITION.md, "Bots that leave"), which count for nobody. Tallies
// in the store have them; standings do not.

// By entrant, whether its results are annulled; empty if those of no entrant are.
std::vector<bool> AnnulledIn(const std::vector<schedule::ScoreLine>& scores, size_t entrants);

// What a block says of the bots that are not annulled; nothing if these are fewer than two.
absl::optional<rating::BlockOutcome> WithoutAnnulled(const rating::BlockOutcome& outcome,
                                                     const std::vector<bool>& annulled);

// Thread-safe.
class CompetitionStandings {
 public:
  // Both must outlive it.
  CompetitionStandings(store::CompetitionReader* store, const Clock* clock);

  // Best first, `connected` left open, of the entrants of this season. `scores` are
  // Schedule::Scores; empty for a ladder, which is ordered by strength.
  absl::StatusOr<std::vector<Standing>> Make(const store::Competition& competition,
                                             std::vector<store::Entrant> entrants,
                                             const std::vector<schedule::ScoreLine>& scores,
                                             int season);
  // The strengths in that table.
  absl::StatusOr<SeasonStrengths> Strengths(const store::Competition& competition,
                                            const std::vector<store::Entrant>& entrants,
                                            const std::vector<schedule::ScoreLine>& scores,
                                            int season);
  // Schedule::Scores of a competition that does not go on here, from the store; empty for a ladder.
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
    std::vector<bool> annulled;  // AnnulledIn
    Instant made;
    absl::Duration cost;
    std::vector<rating::Strength> strengths;
  };

  // What annulled results have added to tallies.
  struct Annulled {
    int64_t counted = 0;
    std::vector<bool> annulled;
    std::vector<store::Tally> tallies;
  };

  absl::StatusOr<std::shared_ptr<const Fitted>> FitOf(const store::Competition& competition,
                                                      const SeasonStrengths& asked);
  absl::StatusOr<Fitted> MakeFit(const store::Competition& competition,
                                 const SeasonStrengths& asked);
  // Takes annulled results off the tallies.
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
