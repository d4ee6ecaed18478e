// What a store says of matches by their request ids: whether it knows of them, and whether their
// replays are kept.
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

// What a store, as it was at one moment, knows of the blocks of its competitions: so that a copy of
// an archive that was made after that moment leaves out what the store has not heard of. Immutable.
class KnownBlocks {
 public:
  // Reads all competitions, and of each the blocks that are not counted. `since` is a wall time not
  // after that moment, and hardly before. Returns the store's error. REQUIRES: nobody changes the
  // store meanwhile.
  static absl::StatusOr<KnownBlocks> Read(Store* store, absl::Time since);

  // Whether the store knows of a match that was asked for by this request id: it was not asked for
  // by a competition, or by an attempt at a block of which the store knows that it was made; or by
  // a competition that was removed.
  bool Know(absl::string_view request_id) const;

 private:
  struct Running {
    int attempt = 0;
    bool named = false;  // the store knows its matches
  };
  struct Blocks {
    int64_t next = 0;                    // the number of the next
    std::map<int64_t, Running> running;  // by number
  };

  absl::Time since_;
  std::map<std::string, Blocks> competitions_;  // by id
};

// Which replays are kept whatever their age, by what a store says at one moment: those of blocks
// that are not counted yet, and all of competitions whose replays are to be kept. Immutable.
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

#endif  // REFEREE_STORE_KNOWN_BLOCKS_H_
