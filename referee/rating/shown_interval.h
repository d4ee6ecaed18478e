// Chooses the part of a rating's 95 % interval that tables and charts show: all, or one bound.
#ifndef REFEREE_RATING_SHOWN_INTERVAL_H_
#define REFEREE_RATING_SHOWN_INTERVAL_H_

#include <cmath>

#include "absl/types/optional.h"

namespace referee::rating {

// The width, from end to end, above which only one bound is shown: such a rating is no number to
// compare others with.
inline constexpr double kWidestShownElo = 600;

struct ShownInterval {
  absl::optional<double> at_least;  // both set: the interval
  absl::optional<double> at_most;   // neither set: nothing is known
};

// Returns both bounds, or of a wider interval the bound that says most. Bounds may be infinite.
inline ShownInterval IntervalToShow(double elo, double low, double high) {
  ShownInterval shown;
  if (std::isfinite(low)) shown.at_least = low;
  if (std::isfinite(high)) shown.at_most = high;
  if (!shown.at_least || !shown.at_most || high - low <= kWidestShownElo) return shown;
  (elo < 0 ? shown.at_least : shown.at_most).reset();
  return shown;
}
// `error`: half the width; infinite without a rating.
inline ShownInterval IntervalToShow(double elo, double error) {
  return IntervalToShow(elo, elo - error, elo + error);
}

}  // namespace referee::rating

#endif  // REFEREE_RATING_SHOWN_INTERVAL_H_
