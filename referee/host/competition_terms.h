// What the texts of a competition's spec stand for: the game, how time is counted, what faults
// cost, and so the block that is asked of the host. Pure.
#ifndef REFEREE_HOST_COMPETITION_TERMS_H_
#define REFEREE_HOST_COMPETITION_TERMS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "referee/competition/block.h"
#include "referee/competition/spec.h"
#include "referee/games/game.h"
#include "referee/host/runner.h"
#include "referee/match/policies.h"
#include "referee/match/time_control.h"
#include "referee/store/store.h"

namespace referee::host {

struct CompetitionTerms {
  std::shared_ptr<const games::Game> game;
  match::TimeControl time_control;
  match::Policies policies;
};

// Returns NotFound when the game is not known, InvalidArgument that names the field.
absl::StatusOr<CompetitionTerms> ReadTerms(const competition::Spec& spec);

// Fills in what a spec leaves out: all options of the game, and the notations of what was not
// given. Returns what competition::Validate and ReadTerms say; the spec is as it was then.
absl::Status Settle(competition::Spec* spec);

// What the host is asked for. REQUIRES: the terms are those of the spec, which has the entrants.
BlockRequest BlockRequestFor(const competition::Spec& spec, const CompetitionTerms& terms,
                             const store::Block& block);
// Names the call that asks for an attempt at a block: "c/<competition>/<number>/<attempt>".
std::string BlockRequestId(const store::Block& block);

}  // namespace referee::host

#endif  // REFEREE_HOST_COMPETITION_TERMS_H_
