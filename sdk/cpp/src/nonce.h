// A bot's own part in the dice of a match, or of a block, whose matches share it: its nonce, which
// it tells in two steps, the hash first; and what it was told of the others' part.
#ifndef REFEREE_SDK_SRC_NONCE_H_
#define REFEREE_SDK_SRC_NONCE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "proto/referee/v1/match.pb.h"
#include "referee/base/mutex.h"

namespace referee::sdk {

// SHA-256 of `bytes`, 32 bytes as in messages.
std::string Sha256(absl::string_view bytes);

// Thread-safe.
class Nonce {
 public:
  // Whether this is the commitment that the first call named. One that came later could have been
  // chosen by who has seen the nonce.
  bool IsForCommitment(const std::string& commitment);

  // Notes the start of a match that the bot was told.
  void NoteStart(const v1::MatchStart& start);

  // The hash to be ready with. The nonce behind it is drawn at first, and drawn anew once it has
  // been revealed: whoever has seen it could choose its own by it.
  std::string Hash();

  // Whether this process drew a nonce. Another one of the bot may have, and told its hash.
  bool drawn() const;

  // Returns the nonce to reveal, having been told these hashes, the bot's own at `seat`; nothing if
  // that is not the one that it told, so that another could be chosen for it still.
  absl::optional<std::string> Reveal(std::vector<std::string> hashes, int seat);

  // What there is once it was revealed: the nonce, and the hashes that were told before.
  struct Revealed {
    std::string nonce;
    std::vector<std::string> hashes;
  };
  // The bot's part as it knows it.
  struct Part {
    // The bot's seat in the match that asks for nonces; nothing if it was not told of its start.
    absl::optional<uint32_t> seat;
    absl::optional<Revealed> revealed;
    // Whether it has come back to a match: it was not told all, its process may be another than the
    // one that told a nonce, or the referee was started again and may have forgotten a forfeit.
    bool came_back = false;
  };
  Part part() const;

  // Whether the nonces and hashes of a verdict are those that the first call named: the matches of
  // a block have the same.
  bool AgreesWith(const v1::Verdict& verdict);

 private:
  mutable Mutex mutex_;
  absl::optional<std::string> commitment_ ABSL_GUARDED_BY(mutex_);
  std::string nonce_ ABSL_GUARDED_BY(mutex_);
  Part part_ ABSL_GUARDED_BY(mutex_);
  // As the first verdict had them: nonces, then hashes.
  absl::optional<std::vector<std::string>> told_ ABSL_GUARDED_BY(mutex_);
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
