// A bot's contribution to the dice: its nonce, sent as a hash first and revealed later.
//
// The matches of a block share one nonce. The class also keeps what the referee sent about the
// nonces of the other bots.
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

// SHA-256 of `bytes`: 32 bytes, as in messages.
std::string Sha256(absl::string_view bytes);

// The nonce of one match, or of the matches of a block. Thread-safe.
class Nonce {
 public:
  // Whether `commitment` equals the argument of the first call. The referee could have chosen a
  // later commitment after it saw the nonce.
  bool IsForCommitment(const std::string& commitment);

  // Notes the announcement of a match.
  void NoteStart(const v1::MatchStart& start);

  // Returns the hash for the bot's Ready. Draws the nonce at first use. Draws a new one if the old
  // one has been revealed, because other parties could choose their own by it.
  std::string Hash();

  // Whether this process has drawn a nonce. Another process of the same bot may have sent the hash.
  bool drawn() const;

  // Returns the nonce to reveal. `hashes` are those that the referee sent, with the bot's own at
  // `seat`. Returns nothing if the own hash is not the hash of this nonce, or the hashes changed
  // since the last reveal: then another party could still choose its nonce by this one.
  absl::optional<std::string> Reveal(std::vector<std::string> hashes, int seat);

  // The revealed nonce, and the hashes that the referee had sent before.
  struct Revealed {
    std::string nonce;
    std::vector<std::string> hashes;
  };
  // The bot's contribution, as far as this process knows.
  struct Part {
    // The bot's seat in the match that asks for nonces; nothing if this match was not announced.
    absl::optional<uint32_t> seat;
    absl::optional<Revealed> revealed;
    // Whether the bot has come back to a match. Then it may have missed items, another process may
    // have sent the nonce, or a restarted referee may have forgotten a forfeit.
    bool came_back = false;
  };
  Part part() const;

  // Whether the nonces and hashes of `verdict` equal those of the first call: all matches of a
  // block have the same.
  bool AgreesWith(const v1::Verdict& verdict);

 private:
  mutable Mutex mutex_;
  absl::optional<std::string> commitment_ ABSL_GUARDED_BY(mutex_);
  std::string nonce_ ABSL_GUARDED_BY(mutex_);
  Part part_ ABSL_GUARDED_BY(mutex_);
  // The nonces of the first verdict, followed by its hashes.
  absl::optional<std::vector<std::string>> told_ ABSL_GUARDED_BY(mutex_);
};

// The nonces of the running matches. Thread-safe.
class Nonces {
 public:
  // Returns the nonce of a match. All matches of a block share one, as long as the caller keeps one
  // of the pointers.
  std::shared_ptr<Nonce> Of(const v1::Match& match);

 private:
  Mutex mutex_;
  absl::flat_hash_map<std::string, std::weak_ptr<Nonce>> of_blocks_ ABSL_GUARDED_BY(mutex_);
};

// Whether bots contribute nonces in this match. They do not if the dice are pinned, or come from
// rotation 0 of the block.
bool AsksNonces(const v1::Match& match);

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_NONCE_H_
