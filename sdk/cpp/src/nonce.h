// A bot's own part in the dice of a match, or of a block, whose matches share it: its nonce, which
// it tells in two steps, the hash first; and what it was told of the others' hashes meanwhile.
#ifndef REFEREE_SDK_SRC_NONCE_H_
#define REFEREE_SDK_SRC_NONCE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/match.pb.h"
#include "sdk/cpp/src/mutex.h"

namespace referee::sdk {

// Thread-safe.
class Nonce {
 public:
  // Whether this is the commitment that the first call named. One that came later could have been
  // chosen by who has seen the nonce.
  bool IsForCommitment(const std::string& commitment);

  // The hash to be ready with. The nonce behind it is drawn at first, and drawn anew once it has
  // been revealed: whoever has seen it could choose its own by it.
  std::string Hash();

  // Returns the nonce to reveal, having been told these hashes, the bot's own at `seat`; nothing if
  // that is not the one that it told, so that another could be chosen for it still.
  absl::optional<std::string> Reveal(std::vector<std::string> hashes, int seat);

  // What there is once it was revealed: the nonce, at `seat` of the hashes that were told.
  struct Revealed {
    std::string nonce;
    int seat = 0;
    std::vector<std::string> hashes;
  };
  absl::optional<Revealed> revealed() const;

 private:
  mutable Mutex mutex_;
  absl::optional<std::string> commitment_ ABSL_GUARDED_BY(mutex_);
  std::string nonce_ ABSL_GUARDED_BY(mutex_);
  absl::optional<Revealed> revealed_ ABSL_GUARDED_BY(mutex_);
};

// The nonces of the matches that are being played. Thread-safe.
class Nonces {
 public:
  // The one of a match: the same for all matches of a block, as long as one of them keeps it.
  std::shared_ptr<Nonce> Of(const v1::Match& match);

 private:
  Mutex mutex_;
  absl::flat_hash_map<std::string, std::weak_ptr<Nonce>> of_blocks_ ABSL_GUARDED_BY(mutex_);
};

// Whether bots have a part in the dice of this very match: unless they are pinned, or come from
// rotation 0 of its block.
bool AsksNonces(const v1::Match& match);

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_NONCE_H_
