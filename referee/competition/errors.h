// Errors of competitions that are running, a function each. How an error is worded: base/errors.h.
#ifndef REFEREE_COMPETITION_ERRORS_H_
#define REFEREE_COMPETITION_ERRORS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee::competition {

// `action` is what was asked for: "start", "pause", "resume", "finish", "remove", "leave" or
// "drop-block".
absl::Status CompetitionInState(absl::string_view competition, absl::string_view state,
                                absl::string_view action);
// A block that is over, or has not begun, cannot be given up.
absl::Status BlockNotOpen(absl::string_view competition, int64_t number);
// A referee that has not read the competition yet, or does not run it.
absl::Status DoesNotGoOnHere(absl::string_view competition);
absl::Status OnlyALadderHasSeasons(absl::string_view competition, absl::string_view format);
// `known` rounds are paired, of `total`.
absl::Status NoSuchRound(absl::string_view competition, int round, int known, int total);
// Of what was found where a fleet shares its replays.
absl::Status BadSharedReplay(absl::string_view match_id, absl::string_view problem);

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_ERRORS_H_
