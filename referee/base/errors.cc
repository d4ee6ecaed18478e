#include "referee/base/errors.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/base/text.h"

namespace referee {

std::string Quoted(absl::string_view text) {
  constexpr size_t kShown = 80;
  std::string shown = "'";
  size_t at = 0;
  while (at < text.size()) {
    const Character character = FirstCharacter(text.substr(at));
    const absl::string_view bytes = text.substr(at, std::max<size_t>(character.bytes, 1));
    if (at + bytes.size() > kShown) break;
    if (bytes.size() > 1 && IsPlainCharacter(character.code)) {
      absl::StrAppend(&shown, bytes);
    } else if (character.bytes == 1) {
      absl::StrAppend(&shown, absl::CHexEscape(bytes));
    } else {
      for (const char c : bytes) {
        absl::StrAppend(&shown, "\\x", absl::Hex(static_cast<uint8_t>(c), absl::kZeroPad2));
      }
    }
    at += bytes.size();
  }
  return absl::StrCat(shown, at < text.size() ? "...'" : "'");
}

bool IsPlainText(absl::string_view text) {
  while (!text.empty()) {
    const Character character = FirstCharacter(text);
    if (character.bytes == 0 || !IsPlainCharacter(character.code)) return false;
    text.remove_prefix(character.bytes);
  }
  return true;
}

bool IsPlainName(absl::string_view text) {
  return !text.empty() && text.size() <= limits::kMaxNameBytes && IsPlainText(text);
}

absl::Status At(absl::string_view where, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(where, ": ", status.message()));
}

absl::Status BadName(absl::string_view what, absl::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat(
      what, " ", Quoted(text), ": expected 1 to 64 bytes of UTF-8 without control characters"));
}

absl::Status BadValue(absl::string_view field, absl::string_view text, absl::string_view expected) {
  return absl::InvalidArgumentError(absl::StrCat(field, ": ", Quoted(text), " is not ", expected));
}

absl::Status FileError(absl::string_view doing, absl::string_view path, int error_number) {
  const std::string what =
      absl::StrCat(doing, " ", path, ": ", std::generic_category().message(error_number));
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
      return absl::NotFoundError(absl::StrCat(what, "; check the path"));
    case EACCES:
    case EPERM:
    case EROFS:
      return absl::PermissionDeniedError(
          absl::StrCat(what, "; let the user that runs this program use it"));
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return absl::ResourceExhaustedError(absl::StrCat(what, "; make room on that disk"));
    default:
      return absl::UnavailableError(what);
  }
}

absl::Status OptionRepeated(absl::string_view name) {
  return absl::InvalidArgumentError(absl::StrCat("option ", Quoted(name), ": given twice"));
}

absl::Status OptionTooLarge(absl::string_view name, size_t size) {
  return absl::InvalidArgumentError(absl::StrCat("option ", Quoted(name), ": has ", size,
                                                 " bytes; at most ", limits::kMaxOptionBytes,
                                                 " are allowed"));
}

}  // namespace referee
