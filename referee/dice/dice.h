// refdice-v1, a keyed pseudo-random function that derives all dice of a match from one 32-byte key.
//
// The algorithm is small enough to write again in any language; referee/dice/DICE.md specifies it.
// Each roll depends only on the key and on the label of the roll, not on earlier draws. Pure
// functions and values; secret seeds come from the caller. Thread-compatible.
//
//   dice::Seed seed = dice::PinnedSeed(7);
//   dice::Key key = dice::PinnedKey(seed);
//   int roll[2];
//   key.Uniform(dice::Label::Roll(Seat(0), 0), 6, absl::MakeSpan(roll));  // 0..5 each
#ifndef REFEREE_DICE_DICE_H_
#define REFEREE_DICE_DICE_H_

#include <array>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/ids.h"

namespace referee::dice {

using Bytes32 = std::array<uint8_t, 32>;

// The secret behind the dice of a match. The record of the match reveals it at the end.
struct Seed {
  Bytes32 bytes{};
  friend bool operator==(const Seed& a, const Seed& b) { return a.bytes == b.bytes; }
};

// SHA-256 of the seed. Every bot receives it before the first move.
using Commitment = Bytes32;
Commitment Commit(const Seed& seed);

// SHA-256 of a bot's nonce. The bot sends it before it reveals the nonce.
using NonceHash = Bytes32;
NonceHash HashNonce(absl::string_view nonce);

// SHA-256("refdice-v1/pinned/" + the number in decimal).
Seed PinnedSeed(uint64_t number);

// SHA-256 of `text`. Anyone who can guess the text knows the seed.
Seed HashedSeed(absl::string_view text);

// A position's digest: the first 8 bytes of SHA-256 of its position string, big-endian.
uint64_t Digest(absl::string_view position);
// 16 hex digits.
std::string DigestText(uint64_t digest);

// The name of one draw: a short text in its own buffer. Allocates nothing.
class Label {
 public:
  static Label Setup(int round, Seat seat);       // "setup/<round>/<seat number>"
  static Label Roll(Seat seat, int k);            // "roll/<seat number>/<k>"
  static Label FirstPlayer();                     // "first-player"
  static Label Substitute(uint32_t turn_number);  // "substitute/<turn number>"

  absl::string_view text() const { return absl::string_view(text_.data(), size_); }

 private:
  template <typename... Parts>
  explicit Label(Parts... parts) {
    (Append(parts), ...);
  }
  void Append(absl::string_view text);
  void Append(uint64_t number);

  std::array<char, 40> text_;
  uint8_t size_ = 0;
};

// The key of a match. Copyable; 256 bytes, because it holds both prepared halves of the HMAC.
class Key {
 public:
  // Makes the key of these 32 bytes.
  explicit Key(const Bytes32& bytes);

  const Bytes32& bytes() const { return bytes_; }

  // Fills `out` with the first values of uniform(label, n), each 0 to n - 1. REQUIRES: 2 <= n <=
  // 65536. Allocates nothing.
  void Uniform(const Label& label, int n, absl::Span<int> out) const;

 private:
  Bytes32 bytes_;
  // HMAC-SHA256 with the key absorbed: two states of the hash, as OpenSSL lays them out.
  alignas(16) std::array<uint8_t, 224> state_;
};

// HMAC-SHA256(from, "refdice-v1/seed/" + name): derives many seeds from one, such as the seeds of a
// competition's blocks. Known derived seeds do not reveal the others.
Seed DerivedSeed(const Seed& from, absl::string_view name);

// The key of a committed match: HMAC-SHA256(seed, "refdice-v1/key" + for each seat, in order, one
// byte of length and the nonce). REQUIRES: each nonce has at most 32 bytes.
Key CommittedKey(const Seed& seed, absl::Span<const std::string> nonces);
// The key of a pinned match, which has no nonces: HMAC-SHA256(seed, "refdice-v1/key").
Key PinnedKey(const Seed& seed);

// Converts 32 bytes to 64 lower-case hex digits, and back. The parser returns InvalidArgument
// unless `text` is exactly 64 hex digits, of either case.
std::string Hex(const Bytes32& bytes);
absl::StatusOr<Bytes32> ParseHex32(absl::string_view text);

// Converts the 32 bytes to their form in messages and files, and back. Nothing unless `raw` has
// exactly 32 bytes.
absl::string_view Raw(const Bytes32& bytes);
absl::optional<Bytes32> FromRaw(absl::string_view raw);

}  // namespace referee::dice

#endif  // REFEREE_DICE_DICE_H_
