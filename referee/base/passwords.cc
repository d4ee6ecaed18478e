#include "referee/base/passwords.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace referee {
namespace {

constexpr absl::string_view kHidden = "***";
constexpr absl::string_view kField = "password=";

// Removes the password after "://user:" from a word. The password ends at the last "@".
std::string WithoutUserPassword(absl::string_view word) {
  const size_t scheme = word.find("://");
  const size_t at = word.rfind('@');
  if (scheme == absl::string_view::npos || at == absl::string_view::npos) return std::string(word);
  const size_t colon = word.find(':', scheme + 3);
  if (colon > at) return std::string(word);
  return absl::StrCat(word.substr(0, colon + 1), kHidden, word.substr(at));
}

std::string WithoutField(absl::string_view word) {
  const size_t field = word.find(kField);
  if (field == absl::string_view::npos) return std::string(word);
  const size_t begin = field + kField.size();
  const size_t end = std::min(word.find_first_of("&'", begin), word.size());
  return absl::StrCat(word.substr(0, begin), kHidden, word.substr(end));
}

}  // namespace

std::string WithoutPasswords(absl::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const bool space = absl::ascii_isspace(static_cast<unsigned char>(text[0]));
    const auto end = std::find_if(text.begin(), text.end(), [space](char c) {
      return absl::ascii_isspace(static_cast<unsigned char>(c)) != space;
    });
    const absl::string_view word = text.substr(0, static_cast<size_t>(end - text.begin()));
    absl::StrAppend(&shown, space ? std::string(word) : WithoutField(WithoutUserPassword(word)));
    text.remove_prefix(word.size());
  }
  return shown;
}

}  // namespace referee
