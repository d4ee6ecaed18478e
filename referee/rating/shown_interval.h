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

// Of an interval that is too wide, the bound that says most. Bounds may be infinite.
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
