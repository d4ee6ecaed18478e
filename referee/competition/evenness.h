// How evenly the blocks of competitions spread over pairs of their bots: read from the store, with
// what is still planned, and kept for those who ask again.
#ifndef REFEREE_COMPETITION_EVENNESS_H_
#define REFEREE_COMPETITION_EVENNESS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "referee/competition/kept.h"
#include "referee/schedule/evenness.h"
#include "referee/store/store.h"

namespace referee::competition {

// Thread-safe.
class CompetitionEvenness {
 public:
  // The store must outlive it.
  explicit CompetitionEvenness(store::CompetitionReader* store);

  // Over pairs of bots that have not left: of the blocks that were played or are being played, and
  // unless the competition is finishing or finished those that are planned, too. None if it is not
  // to be even (schedule::IsToBeEven). It is made again when the competition has a new version:
  // that is when somebody leaves, and when it is over; so blocks that are void are taken for played
  // until then. Returns what the store says.
  absl::StatusOr<absl::optional<schedule::Evenness>> Of(const store::Competition& competition);

 private:
  struct OfVersion {
    int64_t version = 0;
    store::CompetitionState state = store::CompetitionState::kNew;
    absl::optional<schedule::Evenness> evenness;
  };

  store::CompetitionReader* const store_;
  Kept<store::CompetitionId, OfVersion> kept_;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_EVENNESS_H_
