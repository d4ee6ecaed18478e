// The key files of a referee in its data directory. Thread-safe.
//
//   key       the secret key that signs replays; only the owner may read it (mode 0600)
//   key.pub   the public key of `key`
//   key.ring  all public keys of the referee, former ones too (key_ring.h)
//   key.next  the new secret key while a rotation replaces `key`
//
// `key.ring` says which key is in use. A secret key that does not match it is refused, and a
// missing one is not replaced. Every file is written whole and synced before it gets its name.
#ifndef REFEREE_REPLAY_KEY_FILES_H_
#define REFEREE_REPLAY_KEY_FILES_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/replay/key_ring.h"
#include "referee/replay/signer.h"

namespace referee::replay {

struct RefereeKeys {
  Signer signer;
  KeyRing ring;
};

// Reads the key and the ring. In a directory without a referee, makes both, in use from `now` on,
// and the directory if needed. Several processes that start at once agree on one key. Completes a
// rotation that was interrupted. Returns FailedPrecondition, with what to do, when the key is
// missing or is not the one in use. Else returns an error that names the file. Never overwrites a
// key.
// REQUIRES: the directory is locked (data_dir.h), if a rotation may be running.
absl::StatusOr<RefereeKeys> LoadOrMakeKeys(const std::string& data_dir, absl::Time now);

// Returns the key that LoadOrMakeKeys would load; none if it would make one. Returns the same
// errors, and changes nothing.
absl::StatusOr<absl::optional<Signer>> FindKey(const std::string& data_dir);

// Reads the ring of a data directory or, if the ring is missing, its public key. Returns NotFound
// that names the file when both are missing.
absl::StatusOr<KeyRing> ReadKeysOf(const std::string& data_dir);

enum class SecretKey {
  kThere,
  kLost,  // it does not exist, and will not be restored
};

// Makes a new key, in use from `now` on. Deletes the former secret key, and keeps its public key in
// the ring. If a rotation was interrupted, completes it and makes no further key. Returns the ring.
// Returns FailedPrecondition, with what to do, when the secret key does not match `former`, or the
// directory never had a referee. After an error either the former key is in use, or the next call
// or start completes the rotation.
// REQUIRES: the directory is locked.
absl::StatusOr<KeyRing> RotateKey(const std::string& data_dir, absl::Time now, SecretKey former);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_KEY_FILES_H_
