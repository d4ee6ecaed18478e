#include "referee/postgres/params.h"

#include <cstdio>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace referee::postgres {
namespace {

// Object ids of types, equal in all versions (pg_type.dat).
constexpr uint32_t kInt8 = 20;
constexpr uint32_t kText = 25;
constexpr uint32_t kFloat8 = 701;

constexpr uint32_t kNullLength = 0xffffffff;  // of a NULL element

void PutInt32(uint32_t value, std::string* bytes) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    bytes->push_back(static_cast<char>(value >> shift & 0xff));
  }
}

// Appends an element of an array: its length and its bytes.
void PutElement(int64_t value, std::string* bytes) {
  PutInt32(8, bytes);
  PutInt32(static_cast<uint32_t>(static_cast<uint64_t>(value) >> 32), bytes);
  PutInt32(static_cast<uint32_t>(value), bytes);
}

void PutElement(const absl::optional<int64_t>& value, std::string* bytes) {
  value ? PutElement(*value, bytes) : PutInt32(kNullLength, bytes);
}

void PutElement(double value, std::string* bytes) {
  int64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  PutElement(bits, bytes);
}

void PutElement(absl::string_view text, std::string* bytes) {
  PutInt32(static_cast<uint32_t>(text.size()), bytes);
  absl::StrAppend(bytes, text);
}

}  // namespace

void Params::Add(int64_t value) { values_.push_back({absl::StrCat(value)}); }

void Params::Add(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.17g", value);
  values_.push_back({text});
}

void Params::Add(absl::string_view text) { values_.push_back({std::string(text), true}); }

void Params::Add(absl::Time time) { Add(absl::ToUnixMicros(time)); }

void Params::Add(absl::Span<const uint8_t> bytes) {
  values_.push_back({std::string(bytes.begin(), bytes.end()), true});
}

void Params::AddNull() { values_.push_back({"", false, true}); }

template <typename Element>
void Params::AddArray(uint32_t type, const std::vector<Element>& array) {
  std::string bytes;
  PutInt32(array.empty() ? 0 : 1, &bytes);  // dimensions
  PutInt32(1, &bytes);                      // may contain NULL
  PutInt32(type, &bytes);
  if (!array.empty()) {
    PutInt32(static_cast<uint32_t>(array.size()), &bytes);
    PutInt32(1, &bytes);  // index of the first element
  }
  for (const Element& element : array) PutElement(element, &bytes);
  values_.push_back({std::move(bytes), true});
}

void Params::Add(const std::vector<int64_t>& array) { AddArray(kInt8, array); }
void Params::Add(const std::vector<absl::optional<int64_t>>& array) { AddArray(kInt8, array); }
void Params::Add(const std::vector<double>& array) { AddArray(kFloat8, array); }
void Params::Add(const std::vector<absl::string_view>& array) { AddArray(kText, array); }
void Params::Add(const std::vector<std::string>& array) { AddArray(kText, array); }

std::vector<const char*> Params::pointers() const {
  std::vector<const char*> pointers;
  for (const Value& value : values_) pointers.push_back(value.null ? nullptr : value.bytes.c_str());
  return pointers;
}

std::vector<int> Params::lengths() const {
  std::vector<int> lengths;
  for (const Value& value : values_) lengths.push_back(static_cast<int>(value.bytes.size()));
  return lengths;
}

std::vector<int> Params::formats() const {
  std::vector<int> formats;
  for (const Value& value : values_) formats.push_back(value.binary ? 1 : 0);
  return formats;
}

}  // namespace referee::postgres
