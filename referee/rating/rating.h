// Bayesian ratings, updated block by block: a bot's strength as a normal distribution, mu and
// sigma, in the way of TrueSkill and OpenSkill.
//
// The rule is the Plackett-Luce one of R. C. Weng and C.-J. Lin, "A Bayesian approximation method
// for online ranking", Journal of Machine Learning Research 12 (2011), algorithm 4. A block is one
// observation: the mean of what its matches say. The matches of a block have the same dice and are
// not independent, and how far they depend on each other the belief cannot know; but whatever that
// is, the variance of their mean is at most that of one match. So sigma never claims more than was
// seen. What blocks tell beyond that is measured by the fit (fit.h).
#ifndef REFEREE_RATING_RATING_H_
#define REFEREE_RATING_RATING_H_

#include <vector>

#include "referee/rating/block.h"

namespace referee::rating {

// In the units of the paper: a new bot has mean 25 and deviation 25 / 3.
struct Rating {
  double mu = 25.0;
  double sigma = 25.0 / 3.0;
};

// What the ratings of a block's bots become, by place in its pairing. `before` is by place too.
// The result does not depend on the order of places beyond rounding.
std::vector<Rating> Update(const std::vector<Rating>& before, const BlockOutcome& outcome);

// How far the strength of a bot may have moved when another version of it takes its place, or a
// season begins: what TrueSkill calls the dynamics of a strength (tau), there a hundredth of a new
// bot's deviation for each match. A version changes a bot by more than a match does. This is the
// paper's beta, a class of strength: who is as much stronger wins two matches of three.
inline constexpr double kSuccession = 25.0 / 6.0;

// What the rating of one that takes the place of another begins with: the mean that was known, and
// a deviation that is wider, but not wider than that of a new bot.
Rating Succeed(const Rating& before);

}  // namespace referee::rating

#endif  // REFEREE_RATING_RATING_H_
