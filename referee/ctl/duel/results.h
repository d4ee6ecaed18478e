// What counts of a duel, from its competition.
#ifndef REFEREE_CTL_DUEL_RESULTS_H_
#define REFEREE_CTL_DUEL_RESULTS_H_

#include "absl/status/status.h"
#include "referee/competition/competitions.h"
#include "referee/ctl/duel/duel.h"
#include "referee/ctl/duel/finished_matches.h"

namespace referee::ctl {

// Reads the results of the duel into the report: its matches, where a test stands, and the table.
// Matches that have no notes were played before: their replays are read. Returns the error of the
// store, or of a replay.
absl::Status ReadResults(const DuelPlan& plan, const competition::Competitions& competitions,
                         const NotesById& notes, DuelReport* report);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_RESULTS_H_
