// Encodings of lengths and checksums in files: little-endian words, varints, CRC-32C. Pure
// functions.
#ifndef REFEREE_REPLAY_FRAMING_H_
#define REFEREE_REPLAY_FRAMING_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace referee::replay {

// Length of a match id as text (base/ids.h), as in files.
inline constexpr size_t kMatchIdBytes = 26;

// CRC-32C (Castagnoli), as in iSCSI and ext4. `before`: the checksum of the bytes before `bytes`.
uint32_t Crc32c(absl::string_view bytes, uint32_t before = 0);

void AppendU32(uint32_t value, std::string* out);
void PutU32(uint32_t value, char* out);
// Inline and without a loop, so that it compiles to one load. REQUIRES: bytes.size() >= 4.
inline uint32_t GetU32(absl::string_view bytes) {
  const auto at = [&](size_t i) { return static_cast<uint32_t>(static_cast<uint8_t>(bytes[i])); };
  return at(0) | at(1) << 8 | at(2) << 16 | at(3) << 24;
}

// Appends a protobuf varint of 32 bits.
void AppendVarint(uint32_t value, std::string* out);
// Takes a varint off the front of `bytes`. Returns false, and takes nothing, unless the varint is
// complete and in its shortest form.
bool TakeVarint(absl::string_view* bytes, uint32_t* value);

// Appends the size of `bytes` as a varint, then `bytes`.
void AppendSized(absl::string_view bytes, std::string* out);
// Takes a byte string of AppendSized off the front of `bytes`. Returns false, and takes nothing, if
// it is incomplete.
bool TakeSized(absl::string_view* bytes, absl::string_view* taken);
// Returns the number of byte strings of AppendSized in `bytes`; none if there is anything else.
absl::optional<uint32_t> CountSized(absl::string_view bytes);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_FRAMING_H_
