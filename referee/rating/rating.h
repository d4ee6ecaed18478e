// Bayesian ratings, updated block by block: strengths as normal distributions, as in TrueSkill.
//
// The rule is the Plackett-Luce update of R. C. Weng and C.-J. Lin, "A Bayesian approximation
// method for online ranking", Journal of Machine Learning Research 12 (2011), algorithm 4, which
// OpenSkill uses too. A block is one observation: the mean over its matches. The matches of a block
// share their dice, so they depend on each other to an unknown degree. In any case the variance of
// their mean is at most that of one match, so sigma never claims more than was observed. The fit
// (fit.h) uses the additional information of blocks.
#ifndef REFEREE_RATING_RATING_H_
#define REFEREE_RATING_RATING_H_

#include <vector>

#include "referee/rating/block.h"

namespace referee::rating {

// In the units of the paper: a new bot has mean 25 and standard deviation 25 / 3.
struct Rating {
  double mu = 25.0;
  double sigma = 25.0 / 3.0;
};

// Returns the ratings after a block, by place in its pairing. `before` is by place too. The result
// does not depend on the order of places, except for rounding.
std::vector<Rating> Update(const std::vector<Rating>& before, const BlockOutcome& outcome);

// The deviation added when another version of a bot replaces it, or a season begins. TrueSkill
// calls this the dynamics of a strength (tau), and uses a hundredth of a new bot's deviation for
// each match. A version changes a bot by more than a match does. The value is the paper's beta, a
// class of strength: a bot stronger by that much wins two matches of three.
inline constexpr double kSuccession = 25.0 / 6.0;

// Returns the initial rating of a replacement: the mean of `before`, and a wider deviation, at most
// that of a new bot.
Rating Succeed(const Rating& before);

}  // namespace referee::rating

#endif  // REFEREE_RATING_RATING_H_
