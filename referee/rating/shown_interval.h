// The part of a rating's 95 % interval that tables and charts show: all of it, or one bound.
#ifndef REFEREE_RATING_SHOWN_INTERVAL_H_
#define REFEREE_RATING_SHOWN_INTERVAL_H_

#include <cmath>

#include "absl/types/optional.h"

namespace referee::rating {

// From end to end. A rating with a wider interval is no number to compare others with.
inline constexpr double kWidestShownElo = 600;

struct ShownInterval {
  absl::optional<double> at_least;  // both: the bounds
  absl::optional<double> at_most;   // neither: nothing is known
};

// Of an interval that is too wide, the bound that says most. `error`: half the width; infinite
// without a rating.
inline ShownInterval IntervalToShow(double elo, double error) {
  if (!std::isfinite(error)) return {};
  const ShownInterval whole = {elo - error, elo + error};
  if (2 * error <= kWidestShownElo) return whole;
  return elo < 0 ? ShownInterval{absl::nullopt, whole.at_most}
                 : ShownInterval{whole.at_least, absl::nullopt};
}

}  // namespace referee::rating

#endif  // REFEREE_RATING_SHOWN_INTERVAL_H_
