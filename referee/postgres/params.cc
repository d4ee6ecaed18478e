#include "referee/postgres/params.h"

#include <cstdio>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace referee::postgres {
namespace {

// Object ids of types, which are the same in all versions (pg_type.dat).
constexpr uint32_t kInt8 = 20;
constexpr uint32_t kText = 25;
constexpr uint32_t kFloat8 = 701;

constexpr uint32_t kNullLength = 0xffffffff;  // of an element that is NULL

}  // namespace

void Params::Begin(bool binary) { values_.push_back({bytes_.size(), 0, binary, false}); }

void Params::PutInt32(uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    bytes_.push_back(static_cast<char>(value >> shift & 0xff));
  }
}

void Params::PutInt64(uint64_t value) {
  PutInt32(static_cast<uint32_t>(value >> 32));
  PutInt32(static_cast<uint32_t>(value));
}

void Params::Add(int64_t value) {
  Begin(false);
  absl::StrAppend(&bytes_, value);
  bytes_.push_back('\0');
  End();
}

void Params::Add(double value) {
  Begin(false);
  char text[32];
  std::snprintf(text, sizeof(text), "%.17g", value);
  bytes_.append(text);
  bytes_.push_back('\0');
  End();
}

void Params::Add(absl::string_view text) {
  Begin(true);
  absl::StrAppend(&bytes_, text);
  End();
}

void Params::Add(absl::Time time) { Add(absl::ToUnixMicros(time)); }

void Params::Add(absl::Span<const uint8_t> bytes) {
  Begin(true);
  bytes_.append(bytes.begin(), bytes.end());
  End();
}

void Params::BeginArray(uint32_t type, size_t size) {
  Begin(true);
  PutInt32(size > 0 ? 1 : 0);  // dimensions
  PutInt32(1);                 // NULL may be among them
  PutInt32(type);
  if (size == 0) return;
  PutInt32(static_cast<uint32_t>(size));
  PutInt32(1);  // the index of the first
}

void Params::PutElement(int64_t value) {
  PutInt32(8);
  PutInt64(static_cast<uint64_t>(value));
}

void Params::Add(const std::vector<int64_t>& array) {
  BeginArray(kInt8, array.size());
  for (const int64_t value : array) PutElement(value);
  End();
}

void Params::Add(const std::vector<absl::optional<int64_t>>& array) {
  BeginArray(kInt8, array.size());
  for (const absl::optional<int64_t>& value : array) {
    if (value.has_value()) {
      PutElement(*value);
    } else {
      PutInt32(kNullLength);
    }
  }
  End();
}

void Params::Add(const std::vector<double>& array) {
  BeginArray(kFloat8, array.size());
  for (const double value : array) {
    int64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    PutElement(bits);
  }
  End();
}

template <typename Text>
void Params::AddTexts(const std::vector<Text>& array) {
  BeginArray(kText, array.size());
  for (const Text& text : array) {
    PutInt32(static_cast<uint32_t>(text.size()));
    absl::StrAppend(&bytes_, text);
  }
  End();
}
template void Params::AddTexts(const std::vector<absl::string_view>& array);
template void Params::AddTexts(const std::vector<std::string>& array);

void Params::AddNull() {
  Begin(false);
  values_.back().null = true;
}

std::vector<const char*> Params::pointers() const {
  std::vector<const char*> pointers;
  pointers.reserve(values_.size());
  for (const Value& value : values_) {
    pointers.push_back(value.null ? nullptr : bytes_.data() + value.at);
  }
  return pointers;
}

std::vector<int> Params::lengths() const {
  std::vector<int> lengths;
  lengths.reserve(values_.size());
  for (const Value& value : values_) lengths.push_back(value.length);
  return lengths;
}

std::vector<int> Params::formats() const {
  std::vector<int> formats;
  formats.reserve(values_.size());
  for (const Value& value : values_) formats.push_back(value.binary ? 1 : 0);
  return formats;
}

}  // namespace referee::postgres
