#include "referee/replay/framing.h"

#include <array>
#include <cstddef>

namespace referee::replay {
namespace {

constexpr uint32_t kPolynomial = 0x82f63b78;  // CRC-32C, bits reversed

// Bytes processed at once ("slicing by 8"). kTables[k] is the effect of a byte on the checksum when
// k bytes follow it.
constexpr size_t kSlice = 8;
using Tables = std::array<std::array<uint32_t, 256>, kSlice>;

constexpr Tables MakeTables() {
  Tables tables{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    tables[0][i] = crc;
  }
  for (size_t k = 1; k < kSlice; ++k) {
    for (size_t i = 0; i < 256; ++i) {
      const uint32_t before = tables[k - 1][i];
      tables[k][i] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
  return tables;
}

constexpr Tables kTables = MakeTables();

}  // namespace

uint32_t Crc32c(absl::string_view bytes, uint32_t before) {
  uint32_t crc = ~before;
  for (; bytes.size() >= kSlice; bytes.remove_prefix(kSlice)) {
    const uint32_t low = crc ^ GetU32(bytes);
    const uint32_t high = GetU32(bytes.substr(4));
    crc = 0;
    for (size_t i = 0; i < 4; ++i) {
      crc ^= kTables[7 - i][(low >> (8 * i)) & 0xff] ^ kTables[3 - i][(high >> (8 * i)) & 0xff];
    }
  }
  for (const char c : bytes) crc = (crc >> 8) ^ kTables[0][(crc ^ static_cast<uint8_t>(c)) & 0xff];
  return ~crc;
}

void AppendU32(uint32_t value, std::string* out) {
  char bytes[4];
  PutU32(value, bytes);
  out->append(bytes, sizeof(bytes));
}

void PutU32(uint32_t value, char* out) {
  for (int i = 0; i < 4; ++i) out[i] = static_cast<char>(value >> (8 * i));
}

void AppendVarint(uint32_t value, std::string* out) {
  while (value >= 0x80) {
    out->push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out->push_back(static_cast<char>(value));
}

bool TakeVarint(absl::string_view* bytes, uint32_t* value) {
  constexpr size_t kMaxBytes = 5;
  uint64_t read = 0;
  for (size_t i = 0; i < kMaxBytes && i < bytes->size(); ++i) {
    const uint8_t byte = static_cast<uint8_t>((*bytes)[i]);
    read |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
    if ((byte & 0x80) != 0) continue;
    if ((byte == 0 && i > 0) || read > UINT32_MAX) return false;
    *value = static_cast<uint32_t>(read);
    bytes->remove_prefix(i + 1);
    return true;
  }
  return false;
}

void AppendSized(absl::string_view bytes, std::string* out) {
  AppendVarint(static_cast<uint32_t>(bytes.size()), out);
  out->append(bytes.data(), bytes.size());
}

bool TakeSized(absl::string_view* bytes, absl::string_view* taken) {
  absl::string_view rest = *bytes;
  uint32_t size = 0;
  if (!TakeVarint(&rest, &size) || size > rest.size()) return false;
  *taken = rest.substr(0, size);
  *bytes = rest.substr(size);
  return true;
}

absl::optional<uint32_t> CountSized(absl::string_view bytes) {
  uint32_t count = 0;
  for (absl::string_view one; !bytes.empty(); ++count) {
    if (!TakeSized(&bytes, &one)) return absl::nullopt;
  }
  return count;
}

}  // namespace referee::replay
