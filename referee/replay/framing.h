// The encodings of lengths and checksums in files: little-endian words, varints, CRC-32C. Pure
// functions.
#ifndef REFEREE_REPLAY_FRAMING_H_
#define REFEREE_REPLAY_FRAMING_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace referee::replay {

// Of the text of a match id (base/ids.h), as it stands in files.
inline constexpr size_t kMatchIdBytes = 26;

// CRC-32C (Castagnoli), as iSCSI and ext4 use it. `before` is that of the bytes that come before.
uint32_t Crc32c(absl::string_view bytes, uint32_t before = 0);

void AppendU32(uint32_t value, std::string* out);
void PutU32(uint32_t value, char* out);
// REQUIRES: bytes.size() >= 4. Inline, and without a loop, so that it is one load.
inline uint32_t GetU32(absl::string_view bytes) {
  const auto at = [&](size_t i) { return static_cast<uint32_t>(static_cast<uint8_t>(bytes[i])); };
  return at(0) | at(1) << 8 | at(2) << 16 | at(3) << 24;
}

// A varint as protobuf has it, 32 bits.
void AppendVarint(uint32_t value, std::string* out);
// Takes a varint off the front of `bytes`. Returns false, and takes nothing, unless a whole one in
// its shortest form is there.
bool TakeVarint(absl::string_view* bytes, uint32_t* value);

// Appends the size of `bytes` as a varint, and then `bytes`.
void AppendSized(absl::string_view bytes, std::string* out);
// Takes what AppendSized appended off the front of `bytes`. Returns false, and takes nothing,
// unless all of it is there.
bool TakeSized(absl::string_view* bytes, absl::string_view* taken);
// How many of these `bytes` has; none if there is anything else in it.
absl::optional<uint32_t> CountSized(absl::string_view bytes);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_FRAMING_H_
