#include "referee/base/ids.h"

#include <algorithm>
#include <array>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee {
namespace {

constexpr absl::string_view kDigits = "0123456789abcdefghjkmnpqrstvwxyz";
constexpr size_t kTimeDigits = 10;
constexpr size_t kLength = 26;

// Maps each character to the value of its digit, or to -1.
constexpr std::array<int8_t, 256> MakeValues() {
  std::array<int8_t, 256> values{};
  for (int8_t& value : values) value = -1;
  for (size_t i = 0; i < kDigits.size(); ++i) {
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<int8_t>(i);
  }
  return values;
}

constexpr std::array<int8_t, 256> kValues = MakeValues();

int ValueOf(char digit) { return kValues[static_cast<unsigned char>(digit)]; }

absl::Status BadId(MatchKind*, absl::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat("match id ", Quoted(text),
                                                 ": expected 26 characters of 0-9 and a-z without "
                                                 "i, l, o, u, as printed by 'refctl match list'"));
}
absl::Status BadId(BlockKind*, absl::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat(
      "block id ", Quoted(text), ": expected 26 characters of 0-9 and a-z without i, l, o, u"));
}

}  // namespace

template <typename Kind>
TimedId<Kind> TimedId<Kind>::Make(absl::Time created, const uint8_t* random) {
  std::string text(kLength, '0');
  uint64_t millis = static_cast<uint64_t>(absl::ToUnixMillis(created));
  for (size_t i = kTimeDigits; i-- > 0; millis >>= 5) text[i] = kDigits[millis & 31];
  // Ten bytes are sixteen digits of five bits each.
  uint32_t bits = 0;
  int count = 0;
  size_t at = kTimeDigits;
  for (int i = 0; i < 10; ++i) {
    bits = (bits << 8) | random[i];
    for (count += 8; count >= 5; count -= 5) text[at++] = kDigits[(bits >> (count - 5)) & 31];
  }
  return TimedId(std::move(text));
}

template <typename Kind>
absl::StatusOr<TimedId<Kind>> TimedId<Kind>::Parse(absl::string_view text) {
  const bool known = std::all_of(text.begin(), text.end(), [](char c) { return ValueOf(c) >= 0; });
  // The time has 48 bits, of which the first digit holds three.
  if (text.size() != kLength || !known || text[0] > '7')
    return BadId(static_cast<Kind*>(nullptr), text);
  return TimedId(std::string(text));
}

template <typename Kind>
absl::Time TimedId<Kind>::created() const {
  uint64_t millis = 0;
  for (size_t i = 0; i < kTimeDigits; ++i) {
    millis = millis << 5 | static_cast<uint64_t>(ValueOf(text_[i]));
  }
  return absl::FromUnixMillis(static_cast<int64_t>(millis));
}

template <typename Kind>
std::string TimedId<Kind>::hex() const {
  // Works from the last digit: 26 digits of five bits, where the first two bits are 0.
  std::string digits;
  uint32_t bits = 0;
  int count = 0;
  for (size_t i = text_.size(); digits.size() < 32; count -= 4, bits >>= 4) {
    if (count < 4) {
      bits |= static_cast<uint32_t>(ValueOf(text_[--i])) << count;
      count += 5;
    }
    digits.push_back("0123456789abcdef"[bits & 15]);
  }
  std::reverse(digits.begin(), digits.end());
  return digits;
}

template class TimedId<MatchKind>;
template class TimedId<BlockKind>;

}  // namespace referee
