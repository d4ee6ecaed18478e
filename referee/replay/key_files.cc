#include "referee/replay/key_files.h"

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/text.h"
#include "referee/dice/dice.h"
#include "referee/replay/archive.h"
#include "referee/replay/errors.h"
#include "referee/replay/files.h"
#include "referee/replay/log_folder.h"

namespace referee::replay {
namespace {

// `trace` is a file that proves that a key existed.
absl::Status KeyMissing(absl::string_view path, absl::string_view trace,
                        absl::string_view data_dir) {
  return absl::FailedPreconditionError(absl::StrCat(
      path, ": the referee's secret key is missing, and ", trace,
      " shows that there was one; put it back from a copy, or, if there is none, make another "
      "with 'refctl key rotate --data-dir ",
      data_dir, " --lost', which keeps the former public keys"));
}

constexpr size_t kMaxKeyBytes = 256;
constexpr absl::string_view kKeyForm = "one line of 64 hex digits";

// The paths of the key files of a data directory.
struct Paths {
  explicit Paths(const std::string& data_dir)
      : key(data_dir + "/key"),
        next(data_dir + "/key.next"),
        pub(data_dir + "/key.pub"),
        ring(data_dir + "/key.ring") {}
  const std::string key;
  const std::string next;
  const std::string pub;
  const std::string ring;
};

bool IsThere(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

absl::StatusOr<Signer> ReadSecret(const std::string& path) {
  absl::StatusOr<std::string> text = ReadWholeFile(path, kMaxKeyBytes);
  if (!text.ok()) return text.status();
  absl::StatusOr<dice::Bytes32> seed =
      dice::ParseHex32(absl::StripTrailingAsciiWhitespace(WithoutMark(*text)));
  sodium_memzero(&(*text)[0], text->size());
  if (!seed.ok()) return BadKeyFile(path, kKeyForm);
  Signer signer = Signer::FromSeed(*seed);
  sodium_memzero(seed->data(), seed->size());
  return signer;
}

// Returns the text of a new secret key.
std::string NewSecret() {
  if (sodium_init() < 0) std::abort();  // never fails on supported systems
  dice::Bytes32 seed;
  randombytes_buf(seed.data(), seed.size());
  std::string text = dice::Hex(seed) + "\n";
  sodium_memzero(seed.data(), seed.size());
  return text;
}

// Writes a new file. Does nothing if it exists by now.
absl::Status CreateFile(const std::string& path, absl::string_view text, mode_t mode) {
  std::string temporary = path + ".XXXXXX";
  const File file(mkostemp(&temporary[0], O_CLOEXEC));
  if (file.fd() < 0) return FileError("cannot write", path, errno);
  absl::Status status = WriteAll(file.fd(), text, path);
  if (status.ok() && (fchmod(file.fd(), mode) != 0 || fsync(file.fd()) != 0)) {
    status = FileError("cannot write", path, errno);
  }
  if (status.ok() && link(temporary.c_str(), path.c_str()) != 0 && errno != EEXIST) {
    status = FileError("cannot write", path, errno);
  }
  unlink(temporary.c_str());
  return status.ok() ? SyncFolderOf(path) : status;
}

std::string PublicText(const PublicKey& key) { return dice::Hex(key) + "\n"; }

absl::Status WritePublic(const Paths& paths, const PublicKey& key) {
  return WriteFileWhole(paths.pub, PublicText(key), 0644, /*sync=*/true);
}

// Returns a file that proves that a referee had a key here; empty: none.
std::string TraceOfReferee(const std::string& data_dir, const Paths& paths) {
  if (IsThere(paths.ring)) return paths.ring;
  if (IsThere(paths.pub)) return paths.pub;
  const absl::StatusOr<ArchivePage> page = Archive(data_dir).List(/*page_size=*/1, "");
  if (page.ok() && !page->replays.empty()) return page->replays[0].path;
  const LogFolder log = LogFolder::Of(data_dir);
  const absl::StatusOr<std::vector<uint32_t>> slots = log.Slots();
  return slots.ok() && !slots->empty() ? log.NameOf(slots->front()) : "";
}

bool IsInUse(const PublicKey& key, const KeyRing& ring) {
  return ring.current() != nullptr && ring.current()->key == key;
}

// Completes or undoes an interrupted rotation. Returns whether a new key is in place.
absl::StatusOr<bool> CompleteRotation(const Paths& paths) {
  const absl::StatusOr<Signer> next = ReadSecret(paths.next);
  if (absl::IsNotFound(next.status())) return false;
  if (!next.ok()) return next.status();
  const absl::StatusOr<KeyRing> ring = ReadKeyRing(paths.ring);
  if (!ring.ok() && !absl::IsNotFound(ring.status())) return ring.status();
  if (!ring.ok() || !IsInUse(next->public_key(), *ring)) {
    if (unlink(paths.next.c_str()) != 0) return FileError("cannot remove", paths.next, errno);
    return false;
  }
  if (rename(paths.next.c_str(), paths.key.c_str()) != 0) {
    return FileError("cannot write", paths.key, errno);
  }
  if (absl::Status s = SyncFolderOf(paths.key); !s.ok()) return s;
  if (absl::Status s = WritePublic(paths, next->public_key()); !s.ok()) return s;
  return true;
}

// Returns the existing ring if its key in use is `key`; without a ring, a new one with `key` alone.
absl::StatusOr<KeyRing> RingWith(const Paths& paths, const std::string& data_dir,
                                 const RingKey& key) {
  absl::StatusOr<KeyRing> ring = ReadKeysOf(data_dir);
  // A damaged public key is written anew; a damaged ring is not.
  const bool none = absl::IsNotFound(ring.status()) || (!ring.ok() && !IsThere(paths.ring));
  if (!ring.ok() && !none) return ring.status();
  if (!none && !IsInUse(key.key, *ring)) {
    return absl::FailedPreconditionError(absl::StrCat(
        paths.key, ": its public key has fingerprint ", Fingerprint(key.key),
        ", which is not the key that ", IsThere(paths.ring) ? paths.ring : paths.pub,
        " has in use; put the right key back from a copy, or, if there is none, move this one away "
        "and make another with 'refctl key rotate --data-dir ",
        data_dir, " --lost', which keeps the former public keys"));
  }
  if (none) {
    ring = KeyRing();
    ring->Add(key);
  }
  return ring;
}

// The same, and makes the ring file if it is missing.
absl::StatusOr<KeyRing> RingFor(const Paths& paths, const std::string& data_dir,
                                const RingKey& key) {
  absl::StatusOr<KeyRing> ring = RingWith(paths, data_dir, key);
  if (ring.ok() && !IsThere(paths.ring)) {
    if (absl::Status s = CreateFile(paths.ring, ring->Text(), 0644); !s.ok()) return s;
  }
  return ring;
}

}  // namespace

absl::StatusOr<RefereeKeys> LoadOrMakeKeys(const std::string& data_dir, absl::Time now) {
  const Paths paths(data_dir);
  if (absl::Status s = MakeDirectories(data_dir, 0755); !s.ok()) return s;
  if (absl::Status s = CompleteRotation(paths).status(); !s.ok()) return s;
  RingKey key;
  if (!IsThere(paths.key)) {
    const std::string trace = TraceOfReferee(data_dir, paths);
    // Another process that starts now may have made the key.
    if (!trace.empty() && !IsThere(paths.key)) return KeyMissing(paths.key, trace, data_dir);
    key.from = now;
    if (absl::Status s = CreateFile(paths.key, NewSecret(), 0600); !s.ok()) return s;
  }
  absl::StatusOr<Signer> signer = ReadSecret(paths.key);
  if (!signer.ok()) return signer.status();
  key.key = signer->public_key();
  absl::StatusOr<KeyRing> ring = RingFor(paths, data_dir, key);
  if (!ring.ok()) return ring.status();

  // key.pub must match the secret key, because people copy it.
  const absl::StatusOr<KeyRing> pub = ReadKeyRing(paths.pub);
  absl::Status written;
  if (absl::IsNotFound(pub.status())) {
    written = CreateFile(paths.pub, PublicText(key.key), 0644);
  } else if (!pub.ok() || pub->keys().size() != 1 || pub->keys()[0].key != key.key) {
    written = WritePublic(paths, key.key);
  }
  if (!written.ok()) return written;
  return RefereeKeys{*std::move(signer), *std::move(ring)};
}

absl::StatusOr<absl::optional<Signer>> FindKey(const std::string& data_dir) {
  const Paths paths(data_dir);
  absl::StatusOr<Signer> signer = ReadSecret(paths.next);
  const absl::StatusOr<KeyRing> in_use = ReadKeyRing(paths.ring);
  const bool rotates = signer.ok() && in_use.ok() && IsInUse(signer->public_key(), *in_use);
  if (!rotates) signer = ReadSecret(paths.key);
  if (absl::IsNotFound(signer.status())) {
    const std::string trace = TraceOfReferee(data_dir, paths);
    if (!trace.empty()) return KeyMissing(paths.key, trace, data_dir);
    return absl::optional<Signer>();
  }
  if (!signer.ok()) return signer.status();
  RingKey key;
  key.key = signer->public_key();
  const absl::StatusOr<KeyRing> ring = RingWith(paths, data_dir, key);
  if (!ring.ok()) return ring.status();
  return absl::make_optional(*std::move(signer));
}

absl::StatusOr<KeyRing> ReadKeysOf(const std::string& data_dir) {
  const Paths paths(data_dir);
  absl::StatusOr<KeyRing> ring = ReadKeyRing(paths.ring);
  return absl::IsNotFound(ring.status()) ? ReadKeyRing(paths.pub) : ring;
}

absl::StatusOr<KeyRing> RotateKey(const std::string& data_dir, absl::Time now, SecretKey former) {
  const Paths paths(data_dir);
  const absl::StatusOr<bool> completed = CompleteRotation(paths);
  if (!completed.ok()) return completed.status();
  if (*completed) return ReadKeysOf(data_dir);

  const std::string trace = TraceOfReferee(data_dir, paths);
  KeyRing ring;
  if (IsThere(paths.key)) {
    if (former == SecretKey::kLost)
      return absl::FailedPreconditionError(absl::StrCat(
          paths.key, ": is there, and so is not lost; leave out --lost, or move it away first"));
    absl::StatusOr<RefereeKeys> keys = LoadOrMakeKeys(data_dir, now);
    if (!keys.ok()) return keys.status();
    ring = std::move(keys->ring);
  } else {
    if (trace.empty()) return NoKeyYet(data_dir);
    if (former == SecretKey::kThere) return KeyMissing(paths.key, trace, data_dir);
    absl::StatusOr<KeyRing> known = ReadKeysOf(data_dir);
    if (!known.ok() && !absl::IsNotFound(known.status())) return known.status();
    if (known.ok()) ring = *std::move(known);
  }

  std::string secret = NewSecret();
  absl::Status status = WriteFileWhole(paths.next, secret, 0600, /*sync=*/true);
  sodium_memzero(&secret[0], secret.size());
  if (!status.ok()) return status;
  const absl::StatusOr<Signer> next = ReadSecret(paths.next);
  if (!next.ok()) return next.status();
  ring.Replace(next->public_key(), now);
  // From here on the new key is in use.
  status = WriteFileWhole(paths.ring, ring.Text(), 0644, /*sync=*/true);
  if (!status.ok()) return status;
  if (absl::Status s = CompleteRotation(paths).status(); !s.ok()) return s;
  return ring;
}

}  // namespace referee::replay
