// Which replays are kept whatever their age, by what a store says at one moment: those of blocks
// that are not counted yet, and all of competitions whose replays are to be kept. Immutable.
#ifndef REFEREE_STORE_KEPT_REPLAYS_H_
#define REFEREE_STORE_KEPT_REPLAYS_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/store/store.h"

namespace referee::store {

class KeptReplays {
 public:
  // Returns the store's error.
  static absl::StatusOr<KeptReplays> Read(Store* store);

  // Whether the replay of a match that was asked for by this request id is kept. One of a
  // competition that the store does not have is not.
  bool Keep(absl::string_view request_id) const;

 private:
  // By the competition's id, the number of the first block that is kept.
  std::map<std::string, int64_t> from_;
};

}  // namespace referee::store

#endif  // REFEREE_STORE_KEPT_REPLAYS_H_
