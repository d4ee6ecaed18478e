#include "referee/dice/dice.h"

// OpenSSL 3.0 deprecates SHA256_* because its state is not opaque. Here that is the reason to use
// it: a roll copies the state, and allocates nothing.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"

namespace referee::dice {
namespace {

// OpenSSL's SHA-256 uses the instructions of the processor. It cannot fail for messages as short as
// these.
using Hash = SHA256_CTX;

constexpr absl::string_view kPrefix = "refdice-v1/";
constexpr absl::string_view kKeyLabel = "refdice-v1/key";
constexpr absl::string_view kSeedLabel = "refdice-v1/seed/";

void Absorb(absl::string_view text, Hash* hash) { SHA256_Update(hash, text.data(), text.size()); }

Bytes32 Finish(Hash* hash) {
  Bytes32 out;
  SHA256_Final(out.data(), hash);
  return out;
}

Bytes32 Sha256(absl::string_view text) {
  Hash hash;
  SHA256_Init(&hash);
  Absorb(text, &hash);
  return Finish(&hash);
}

// HMAC (RFC 2104): the hash of the key and the text, hashed with the key again.
struct HmacState {
  Hash inner;
  Hash outer;
};
static_assert(std::is_trivially_copyable<HmacState>::value, "Key copies it as bytes");

void Start(const Bytes32& key, HmacState* state) {
  std::array<uint8_t, SHA256_CBLOCK> padded{};
  std::copy(key.begin(), key.end(), padded.begin());
  const auto start = [&padded](uint8_t pad, Hash* hash) {
    for (uint8_t& byte : padded) byte = static_cast<uint8_t>(byte ^ pad);
    SHA256_Init(hash);
    SHA256_Update(hash, padded.data(), padded.size());
  };
  constexpr uint8_t kInner = 0x36;
  constexpr uint8_t kOuter = 0x5c;
  start(kInner, &state->inner);
  start(kInner ^ kOuter, &state->outer);
}

void Absorb(absl::string_view text, HmacState* state) { Absorb(text, &state->inner); }

Bytes32 Finish(HmacState* state) {
  Absorb(Raw(Finish(&state->inner)), &state->outer);
  return Finish(&state->outer);
}

// The decimal digits of a number, without allocation.
class Decimal {
 public:
  explicit Decimal(uint64_t number) {
    do {
      *--first_ = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
  }
  Decimal(const Decimal&) = delete;
  Decimal& operator=(const Decimal&) = delete;

  absl::string_view text() const {
    return absl::string_view(first_, digits_ + sizeof(digits_) - first_);
  }

 private:
  char digits_[20];
  char* first_ = digits_ + sizeof(digits_);
};

// The pseudo-random bytes of a label, block by block. A block has an even number of bytes, so a
// word of two bytes never straddles two blocks.
class Stream {
 public:
  Stream(const HmacState& keyed, absl::string_view label) : labelled_(keyed) {
    Absorb(kPrefix, &labelled_);
    Absorb(label, &labelled_);
    Absorb("/", &labelled_);
  }

  // Returns the next byte, or the next two bytes in big-endian order.
  int NextByte() {
    if (at_ == block_.size()) Refill();
    return block_[at_++];
  }
  int NextWord() {
    const int high = NextByte();
    return high << 8 | NextByte();
  }

 private:
  void Refill() {
    HmacState state = labelled_;
    Absorb(Decimal(next_block_++).text(), &state);
    block_ = Finish(&state);
    at_ = 0;
  }

  HmacState labelled_;
  Bytes32 block_;
  size_t at_ = sizeof(Bytes32);
  uint32_t next_block_ = 0;
};

}  // namespace

Commitment Commit(const Seed& seed) { return Sha256(Raw(seed.bytes)); }

NonceHash HashNonce(absl::string_view nonce) { return Sha256(nonce); }

Seed PinnedSeed(uint64_t number) { return HashedSeed(absl::StrCat("refdice-v1/pinned/", number)); }

Seed HashedSeed(absl::string_view text) { return Seed{Sha256(text)}; }

uint64_t Digest(absl::string_view position) {
  const Bytes32 hash = Sha256(position);
  uint64_t digest = 0;
  for (size_t i = 0; i < sizeof(digest); ++i) digest = digest << 8 | hash[i];
  return digest;
}

std::string DigestText(uint64_t digest) {
  return absl::StrCat(absl::Hex(digest, absl::kZeroPad16));
}

Label Label::Setup(int round, Seat seat) {
  return Label("setup/", static_cast<uint64_t>(round), "/", static_cast<uint64_t>(seat.index()));
}

Label Label::Roll(Seat seat, int k) {
  return Label("roll/", static_cast<uint64_t>(seat.index()), "/", static_cast<uint64_t>(k));
}

Label Label::FirstPlayer() { return Label("first-player"); }

Label Label::Substitute(uint32_t turn_number) {
  return Label("substitute/", uint64_t{turn_number});
}

void Label::Append(absl::string_view text) {
  assert(size_ + text.size() <= text_.size());
  std::copy(text.begin(), text.end(), text_.begin() + size_);
  size_ = static_cast<uint8_t>(size_ + text.size());
}

void Label::Append(uint64_t number) { Append(Decimal(number).text()); }

Key::Key(const Bytes32& bytes) : bytes_(bytes) {
  static_assert(sizeof(HmacState) <= sizeof(state_), "the state outgrew its place");
  static_assert(alignof(HmacState) <= 16, "the state outgrew its alignment");
  HmacState state;
  Start(bytes_, &state);
  std::memcpy(state_.data(), &state, sizeof(state));
}

void Key::Uniform(const Label& label, int n, absl::Span<int> out) const {
  assert(2 <= n && n <= 65536);
  HmacState keyed;
  std::memcpy(&keyed, state_.data(), sizeof(keyed));
  Stream stream(keyed, label.text());
  const bool bytes = n <= 256;
  const int range = bytes ? 256 : 65536;
  // Values from `limit` on are discarded: they would make the low results more likely.
  const int limit = range - range % n;
  for (int& number : out) {
    int drawn;
    do {
      drawn = bytes ? stream.NextByte() : stream.NextWord();
    } while (drawn >= limit);
    number = drawn % n;
  }
}

Seed DerivedSeed(const Seed& from, absl::string_view name) {
  HmacState state;
  Start(from.bytes, &state);
  Absorb(kSeedLabel, &state);
  Absorb(name, &state);
  return Seed{Finish(&state)};
}

Key CommittedKey(const Seed& seed, absl::Span<const std::string> nonces) {
  HmacState state;
  Start(seed.bytes, &state);
  Absorb(kKeyLabel, &state);
  for (const std::string& nonce : nonces) {
    assert(nonce.size() <= limits::kMaxNonceBytes);
    const char size = static_cast<char>(nonce.size());
    Absorb(absl::string_view(&size, 1), &state);
    Absorb(nonce, &state);
  }
  return Key(Finish(&state));
}

Key PinnedKey(const Seed& seed) { return CommittedKey(seed, {}); }

std::string Hex(const Bytes32& bytes) { return absl::BytesToHexString(Raw(bytes)); }

absl::StatusOr<Bytes32> ParseHex32(absl::string_view text) {
  Bytes32 bytes;
  const bool digits = std::all_of(text.begin(), text.end(), absl::ascii_isxdigit);
  if (!digits || text.size() != 2 * bytes.size()) {
    return BadValue("32 bytes", text, "64 hex digits (0-9, a-f)");
  }
  const std::string raw = absl::HexStringToBytes(text);
  std::copy(raw.begin(), raw.end(), bytes.begin());
  return bytes;
}

absl::string_view Raw(const Bytes32& bytes) {
  return absl::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

absl::optional<Bytes32> FromRaw(absl::string_view raw) {
  Bytes32 bytes;
  if (raw.size() != bytes.size()) return absl::nullopt;
  std::copy(raw.begin(), raw.end(), bytes.begin());
  return bytes;
}

}  // namespace referee::dice
