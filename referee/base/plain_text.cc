#include "referee/base/plain_text.h"

#include "referee/base/errors.h"

namespace referee {
namespace {

bool IsBlank(char c) { return c == '\n' || c == '\r' || c == '\t'; }

}  // namespace

size_t PlainCharacterSize(absl::string_view text) {
  constexpr size_t kMostBytes = 4;
  for (size_t size = 1; size <= kMostBytes && size <= text.size(); ++size) {
    if (IsPlainText(text.substr(0, size))) return size;
  }
  return 0;
}

std::string PlainText(absl::string_view text, size_t max_bytes) {
  std::string plain;
  bool replacing = false;  // a run of bytes that are excluded
  while (!text.empty()) {
    const bool blank = IsBlank(text[0]);
    const size_t size = blank ? 1 : PlainCharacterSize(text);
    const absl::string_view shown = blank ? " " : size == 0 ? "?" : text.substr(0, size);
    if (size > 0 || !replacing) {
      if (plain.size() + shown.size() > max_bytes) break;
      plain.append(shown.data(), shown.size());
    }
    replacing = size == 0;
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return plain;
}

}  // namespace referee
