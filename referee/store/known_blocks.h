// Looks up matches in a store by request id: whether it knows them, and keeps their replays.
#ifndef REFEREE_STORE_KNOWN_BLOCKS_H_
#define REFEREE_STORE_KNOWN_BLOCKS_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/store/store.h"

namespace referee::store {

// The blocks that a store knew at one moment. A later copy of an archive uses it to leave out
// matches that the store does not know. Immutable.
class KnownBlocks {
 public:
  // Reads all competitions and their uncounted blocks. `since`: a wall time shortly before this
  // moment. Returns the store's error. REQUIRES: the store does not change meanwhile.
  static absl::StatusOr<KnownBlocks> Read(Store* store, absl::Time since);

  // Returns whether the store knows the match of this request id. True unless it was requested by a
  // competition for an attempt that the store does not know. True also if the competition was
  // removed.
  bool Know(absl::string_view request_id) const;

 private:
  struct Running {
    int attempt = 0;
    bool named = false;  // the store knows the matches of the attempt
  };
  struct Blocks {
    int64_t next = 0;                    // number of the next block
    std::map<int64_t, Running> running;  // by number
  };

  absl::Time since_;
  std::map<std::string, Blocks> competitions_;  // by id
};

// The replays that are kept whatever their age, as of one moment: those of uncounted blocks, and
// all of competitions that keep their replays. Immutable.
class KeptReplays {
 public:
  // Returns the store's error.
  static absl::StatusOr<KeptReplays> Read(Store* store);

  // Returns whether the replay of the match of this request id is kept. False if the store does not
  // have its competition.
  bool Keep(absl::string_view request_id) const;

 private:
  // The number of the first kept block, by competition id.
  std::map<std::string, int64_t> from_;
};

}  // namespace referee::store

#endif  // REFEREE_STORE_KNOWN_BLOCKS_H_
