// The current and former public keys of one referee, each with its time of use.
//
// A replay is by that referee if one of these keys signed it. A former key is valid only for
// matches that ended before it was replaced. Values and pure functions, except ReadKeyRing;
// thread-compatible.
//
// Text form: a key a line, oldest first; text after '#' is a comment.
//
//   KEY FROM UNTIL
//
// KEY is 64 hex digits. FROM and UNTIL are the times of use, such as 2026-11-22T10:00:00Z. '-' or
// nothing: FROM is unknown, or the key is still in use. So the file of a single public key
// (key.pub) is also a ring.
#ifndef REFEREE_REPLAY_KEY_RING_H_
#define REFEREE_REPLAY_KEY_RING_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/replay/signer.h"

namespace referee::replay {

struct RingKey {
  PublicKey key{};
  absl::Time from = absl::InfinitePast();     // unknown
  absl::Time until = absl::InfiniteFuture();  // still in use
};

class KeyRing {
 public:
  KeyRing() = default;
  // A ring of one key, in use since an unknown time.
  explicit KeyRing(const PublicKey& key) : keys_{{key}} {}

  // Parses the text form of file `path`. Returns InvalidArgument that names `path` and the line.
  static absl::StatusOr<KeyRing> Parse(absl::string_view text, absl::string_view path);
  std::string Text() const;

  // Oldest first.
  const std::vector<RingKey>& keys() const { return keys_; }
  // Returns null if the key is not in the ring.
  const RingKey* Find(const PublicKey& key) const;
  // Returns the key in use; null if there is none.
  const RingKey* current() const;

  // Puts `key` into use at `now`, and retires the key before it.
  // REQUIRES: `key` is not in the ring.
  void Replace(const PublicKey& key, absl::Time now);
  // Adds a key. REQUIRES: the ring has no key in use, and not this key.
  void Add(const RingKey& key) { keys_.push_back(key); }

  // Returns what is wrong with a signature by `key` on a match that ended at `end`; empty: nothing.
  // `end` is infinitely early if it is unknown.
  std::string Problem(const PublicKey& key, absl::Time end) const;

 private:
  std::vector<RingKey> keys_;
};

// Reads a ring, or a single public key, from a file. An error names the file.
absl::StatusOr<KeyRing> ReadKeyRing(const std::string& path);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_KEY_RING_H_
