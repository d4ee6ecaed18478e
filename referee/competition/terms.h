// The parsed terms of a competition: game, time control and policies, from the text of its spec.
//
// Also builds the requests for its blocks, and decides which fields of a spec may change. Pure.
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
  // Positions of the game; each block starts from one (schedule::PositionOf). Empty: all blocks
  // start as `game` does. The games made from positions are not cached: a game with a board is
  // large.
  std::vector<std::string> positions;
  match::TimeControl time_control;
  match::Policies policies;
};

// Parses the spec. Does not check positions; Settle does. Returns NotFound for an unknown game, and
// InvalidArgument that names the field.
absl::StatusOr<CompetitionTerms> ReadTerms(const schedule::Spec& spec);

// Fills in the omitted fields of a spec: all options of the game, default notations, and positions
// as the game writes them. Returns the errors of schedule::Validate, ReadTerms and games::GameAt;
// the spec is unchanged then.
absl::Status Settle(schedule::Spec* spec);

// Returns the game of a block's matches. Returns the errors of games::GameAt.
absl::StatusOr<std::shared_ptr<const games::Game>> GameOf(const CompetitionTerms& terms,
                                                          int64_t block);

// Returns the request to the host for a block. Returns the errors of GameOf. REQUIRES: the terms
// are those of the competition's spec, which has the entrants.
absl::StatusOr<host::BlockRequest> BlockRequestFor(const store::Competition& competition,
                                                   const CompetitionTerms& terms,
                                                   const store::Block& block);
// The request id of an attempt at a block: "c/<competition>/<number>/<attempt>".
std::string BlockRequestId(const store::Block& block);
// Returns the competition that made the request; none for other request ids.
absl::optional<store::CompetitionId> CompetitionOfRequest(absl::string_view request_id);

// --- Changes ---

// Returns InvalidArgument that lists the fields that may change, unless `field` is one of them.
// `field`: its name in the protocol.
absl::Status CheckMayChange(absl::string_view field);

// Describes the changed fields for the audit log, such as "pace 5, was 10; homes 2, was 1"; empty
// without changes. Returns FailedPrecondition that names a field fixed once the competition is
// FINISHED.
absl::StatusOr<std::string> ChangeText(const store::Competition& from, const schedule::Spec& to);

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_TERMS_H_
