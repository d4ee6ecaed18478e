// The terms of a competition: what its spec says as text of its matches (game, time control,
// policies), the request for a block that follows, and what of a spec may change. Pure.
#ifndef REFEREE_COMPETITION_TERMS_H_
#define REFEREE_COMPETITION_TERMS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/games/game.h"
#include "referee/host/match_runner.h"
#include "referee/match/policies.h"
#include "referee/match/time_control.h"
#include "referee/rating/block.h"
#include "referee/schedule/spec.h"
#include "referee/store/store.h"

namespace referee::competition {

struct CompetitionTerms {
  std::shared_ptr<const games::Game> game;
  // Of the game: each block starts from one of them (schedule::PositionOf). Empty: all start as
  // `game` does. What is made of them is not kept: a game that has a board of its own is large.
  std::vector<std::string> positions;
  match::TimeControl time_control;
  match::Policies policies;
};

// Does not look at positions: Settle has. Returns NotFound when the game is not known,
// InvalidArgument that names the field.
absl::StatusOr<CompetitionTerms> ReadTerms(const schedule::Spec& spec);

// Fills in what a spec leaves out: all options of the game, the notations of what was not given,
// and positions as the game writes them. Returns what schedule::Validate, ReadTerms and
// games::GameAt say; the spec is as it was then.
absl::Status Settle(schedule::Spec* spec);

// The game of a block's matches. Returns what games::GameAt does.
absl::StatusOr<std::shared_ptr<const games::Game>> GameOf(const CompetitionTerms& terms,
                                                          int64_t block);

// What the host is asked for. Returns what GameOf does. REQUIRES: the terms are those of the
// competition's spec, which has the entrants.
absl::StatusOr<host::BlockRequest> BlockRequestFor(const store::Competition& competition,
                                                   const CompetitionTerms& terms,
                                                   const store::Block& block);
// Names the call that asks for an attempt at a block: "c/<competition>/<number>/<attempt>".
std::string BlockRequestId(const store::Block& block);
// The competition that made this call; none if it was no such call.
absl::optional<store::CompetitionId> CompetitionOfRequest(absl::string_view request_id);

// --- Changes ---

// Returns InvalidArgument that lists what may change, unless this field of the spec may. `field`:
// its name in the protocol.
absl::Status CheckMayChange(absl::string_view field);

// Says which of these fields are others in `to`, for the audit log: "pace 5, was 10; homes 2, was
// 1". Empty: none is. Returns FailedPrecondition that names one that a FINISHED competition keeps.
absl::StatusOr<std::string> ChangeText(const store::Competition& from, const schedule::Spec& to);

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_TERMS_H_
