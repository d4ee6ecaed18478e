#include "referee/replay/signer.h"

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/dice/dice.h"
#include "referee/replay/errors.h"
#include "referee/replay/files.h"

namespace referee::replay {
namespace {

constexpr size_t kMaxKeyFileBytes = 256;
constexpr absl::string_view kKeyForm = "one line of 64 hex digits";

const unsigned char* Bytes(absl::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// libsodium finds out what the processor can do; without it random bytes are not to be had.
void InitSodium() {
  static const int initialised = sodium_init();
  if (initialised < 0) std::abort();
}

absl::StatusOr<dice::Bytes32> ReadKeyFile(const std::string& path) {
  absl::StatusOr<std::string> text = ReadWholeFile(path, kMaxKeyFileBytes);
  if (!text.ok()) return text.status();
  absl::StatusOr<dice::Bytes32> key = dice::ParseHex32(absl::StripTrailingAsciiWhitespace(*text));
  sodium_memzero(&(*text)[0], text->size());
  if (!key.ok()) return BadKeyFile(path, kKeyForm);
  return key;
}

// Writes a file that was not there before; does nothing if it is there by now.
absl::Status CreateKeyFile(const std::string& path, absl::string_view text, mode_t mode) {
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
  return status;
}

}  // namespace

std::string Fingerprint(const PublicKey& key) {
  constexpr size_t kShown = 16;
  unsigned char hash[crypto_hash_sha256_BYTES];
  crypto_hash_sha256(hash, key.data(), key.size());
  return absl::BytesToHexString(absl::string_view(reinterpret_cast<const char*>(hash), kShown));
}

bool VerifySignature(absl::string_view message, const Signature& signature, const PublicKey& key) {
  InitSodium();
  return crypto_sign_verify_detached(signature.data(), Bytes(message), message.size(),
                                     key.data()) == 0;
}

absl::StatusOr<PublicKey> ReadPublicKey(const std::string& path) { return ReadKeyFile(path); }

absl::StatusOr<Signer> Signer::LoadOrCreate(const std::string& data_dir) {
  InitSodium();
  if (absl::Status s = MakeDirectories(data_dir, 0755); !s.ok()) return s;
  const std::string path = data_dir + "/key";
  if (access(path.c_str(), F_OK) != 0) {
    dice::Bytes32 seed;
    randombytes_buf(seed.data(), seed.size());
    if (absl::Status s = CreateKeyFile(path, dice::Hex(seed) + "\n", 0600); !s.ok()) return s;
    sodium_memzero(seed.data(), seed.size());
  }
  const absl::StatusOr<dice::Bytes32> seed = ReadKeyFile(path);
  if (!seed.ok()) return seed.status();
  Signer signer = FromSeed(*seed);

  // Whoever copies a public key must find the one that belongs to the secret.
  const std::string public_path = data_dir + "/key.pub";
  const absl::StatusOr<PublicKey> written = ReadPublicKey(public_path);
  const std::string text = dice::Hex(signer.public_key()) + "\n";
  if (absl::IsNotFound(written.status())) {
    if (absl::Status s = CreateKeyFile(public_path, text, 0644); !s.ok()) return s;
  } else if (!written.ok() || *written != signer.public_key()) {
    if (absl::Status s = WriteFileWhole(public_path, text, 0644, /*sync=*/true); !s.ok()) return s;
  }
  return signer;
}

Signer Signer::FromSeed(const std::array<uint8_t, 32>& seed) {
  InitSodium();
  Signer signer;
  crypto_sign_seed_keypair(signer.public_key_.data(), signer.secret_key_.data(), seed.data());
  return signer;
}

Signature Signer::Sign(absl::string_view message) const {
  Signature signature;
  crypto_sign_detached(signature.data(), nullptr, Bytes(message), message.size(),
                       secret_key_.data());
  return signature;
}

}  // namespace referee::replay
