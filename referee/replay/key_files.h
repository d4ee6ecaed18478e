// The keys of a referee in its data directory:
//
//   key       the secret key that it signs with; for its owner only (mode 0600)
//   key.pub   the public key that belongs to it
//   key.ring  all of its public keys, the former ones too (key_ring.h)
//   key.next  a secret key that a rotation is putting in the place of `key`
//
// `key.ring` says which key is the referee's: another secret key is not used, and none is made
// where there was one. Every file is written whole and synced before it gets its name. Thread-safe.
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

// Reads the key and the ring, or makes them, in use from `now` on, where there was no referee
// before; the directory is made if need be. Several that start at once agree on one key. Completes
// a rotation that was interrupted. Returns FailedPrecondition, with what to do, when the key is
// missing or is not the one that is in use; or an error that names the file. Never overwrites a
// key.
// REQUIRES: the directory is locked (data_dir.h), if a rotation may be going on.
absl::StatusOr<RefereeKeys> LoadOrMakeKeys(const std::string& data_dir, absl::Time now);

// The key that LoadOrMakeKeys would load; none: it would make one. Returns the errors that it would
// return, and changes nothing.
absl::StatusOr<absl::optional<Signer>> FindKey(const std::string& data_dir);

// Reads the ring of a data directory or, if that is missing, its public key.
// Returns NotFound that names the file when there is neither.
absl::StatusOr<KeyRing> ReadKeysOf(const std::string& data_dir);

enum class SecretKey {
  kThere,
  kLost,  // it is not there any more, and will not be put back
};

// Makes a new key, in use from `now` on; forgets the former secret key and keeps its public key in
// the ring. Or completes a rotation that was interrupted, and makes no further key. Returns the
// ring; FailedPrecondition, with what to do, when the secret key is not as `former` says, and where
// there never was a referee. After an error the former key is in use, or the next call or start
// completes the rotation. REQUIRES: the directory is locked.
absl::StatusOr<KeyRing> RotateKey(const std::string& data_dir, absl::Time now, SecretKey former);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_KEY_FILES_H_
