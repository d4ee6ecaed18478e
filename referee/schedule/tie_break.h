// Tie-breaks: what ranks bots that have as many points. What each is for a format is in
// SCHEDULE.md.
#ifndef REFEREE_SCHEDULE_TIE_BREAK_H_
#define REFEREE_SCHEDULE_TIE_BREAK_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace referee::schedule {

enum class TieBreak {
  kBuchholz,         // the sum of the opponents' points
  kBuchholzCut1,     // the same without the least of them
  kDirectEncounter,  // the points that those who are level made against each other
  kSonnebornBerger,  // the sum of the opponents' points, each times the share that was made there
  kWins,             // matches won
};
inline constexpr size_t kTieBreaks = 5;

// "buchholz", "buchholz-cut-1", "direct-encounter", "sonneborn-berger", "wins".
absl::string_view TieBreakName(TieBreak tie_break);

// "wins,buchholz": the first first; "none": no tie-break. The other way round: returns
// InvalidArgument that lists the names; a name that is given twice is for Validate to refuse.
std::string TieBreaksText(const std::vector<TieBreak>& tie_breaks);
absl::StatusOr<std::vector<TieBreak>> ParseTieBreaks(absl::string_view text);

// What one says of a bot: the more, the better. None: nothing to tell, as a direct encounter of
// bots that are not level or have not met equally often.
struct TieBreakScore {
  TieBreak tie_break = TieBreak::kWins;
  absl::optional<double> value;
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_TIE_BREAK_H_
