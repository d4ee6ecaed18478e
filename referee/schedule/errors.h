// Errors of what a competition is asked to be, a function each. How an error is worded:
// base/errors.h.
#ifndef REFEREE_SCHEDULE_ERRORS_H_
#define REFEREE_SCHEDULE_ERRORS_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace referee::schedule {

// Competitions: what cannot be made. `field` is one of a spec, in the words of the protocol;
// `format` is a name such as "swiss".
absl::Status FieldOutOfRange(absl::string_view field, int64_t value, int64_t low, int64_t high);
absl::Status DurationOutOfRange(absl::string_view field, absl::Duration value, absl::Duration low,
                                absl::Duration high);
absl::Status FieldNotForFormat(absl::string_view field, int64_t value, absl::string_view format,
                               absl::string_view instead);
absl::Status BestOfEven(int best_of);
absl::Status FormatOfTwoSeats(absl::string_view format, int seats);
absl::Status TooFewEntrants(absl::string_view format, size_t given, int needed);
absl::Status TooManyEntrants(absl::string_view format, size_t given, int limit);
absl::Status EntrantTwice(absl::string_view name, size_t first, size_t again);
absl::Status TooManySwissRounds(int rounds, size_t entrants, int most);
// `tie_breaks` are names, as of TieBreaksText.
absl::Status TieBreakNotForFormat(absl::string_view tie_breaks, absl::string_view format);
absl::Status SprtMissing();
absl::Status PaceNotForFormat(double pace, absl::string_view format);
absl::Status PaceOutOfRange(double pace);
absl::Status SprtNotForFormat(absl::string_view format);
absl::Status TieBreakTwice(absl::string_view tie_break);
absl::Status TooManyBlocks(absl::string_view format, int64_t blocks, int64_t limit);
absl::Status TooManyOptions(size_t given);
// Positions: `number` counts from 0; sizes are in bytes.
absl::Status TooManyPositions(size_t given);
absl::Status PositionOutOfSize(size_t number, size_t size);
absl::Status PositionsTooLarge(size_t size);
absl::Status NotALadder(absl::string_view format);
absl::Status NotWithdrawn(int bot);

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_ERRORS_H_
