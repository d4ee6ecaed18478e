// The public keys of one referee: the one that it signs with now and those that it signed with
// before, each with its time. A replay is that referee's if one of these keys signed it, and no
// former one signed a match that ended after the key was replaced. Values and pure functions, but
// for ReadKeyRing; thread-compatible.
//
// As text, a key a line, oldest first; what follows '#' is for people:
//
//   KEY FROM UNTIL
//
// KEY is 64 hex digits. FROM and UNTIL say when it came into use and went out of it, as
// 2026-11-22T10:00:00Z; '-' or nothing: that is not known, or it is still in use. So the file of a
// single public key (key.pub) is a ring, too.
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
  absl::Time from = absl::InfinitePast();     // not known
  absl::Time until = absl::InfiniteFuture();  // still in use
};

class KeyRing {
 public:
  KeyRing() = default;
  // Of one key, in use since whenever.
  explicit KeyRing(const PublicKey& key) : keys_{{key}} {}

  // Returns InvalidArgument that names `path`, from where the text came, and the line.
  static absl::StatusOr<KeyRing> Parse(absl::string_view text, absl::string_view path);
  std::string Text() const;

  // Oldest first.
  const std::vector<RingKey>& keys() const { return keys_; }
  // Null if it is not in the ring.
  const RingKey* Find(const PublicKey& key) const;
  // The key that is in use; null if none is.
  const RingKey* current() const;

  // Puts `key` into use, and those before it out of it, at `now`.
  // REQUIRES: it is not in the ring.
  void Replace(const PublicKey& key, absl::Time now);
  // A key in use of a ring that has no such key. REQUIRES: it is not in the ring.
  void Add(const RingKey& key) { keys_.push_back(key); }

  // What is wrong with a signature by `key` under a match that ended at `end`; empty if nothing is.
  // `end` is infinitely early if that is not known.
  std::string Problem(const PublicKey& key, absl::Time end) const;

 private:
  std::vector<RingKey> keys_;
};

// Reads a ring, or a single public key, from a file. Returns an error that names the file.
absl::StatusOr<KeyRing> ReadKeyRing(const std::string& path);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_KEY_RING_H_
