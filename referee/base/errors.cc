#include "referee/base/errors.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"

namespace referee {
namespace {

// The bytes of the UTF-8 character that `text` begins with; 0 if it does not begin with one, or
// with one of the control characters beyond ASCII.
size_t CharacterSize(absl::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<uint8_t>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const size_t size = byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < size) return 0;
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xf0 && byte(1) < 0x90);
  const bool surrogate = byte(0) == 0xed && byte(1) >= 0xa0;
  const bool beyond = byte(0) == 0xf4 && byte(1) >= 0x90;
  const bool control = byte(0) == 0xc2 && byte(1) < 0xa0;
  return overlong || surrogate || beyond || control ? 0 : size;
}

}  // namespace

std::string Quoted(absl::string_view text) {
  constexpr size_t kShown = 80;
  std::string shown = "'";
  size_t at = 0;
  while (at < text.size()) {
    const size_t size = CharacterSize(text.substr(at));
    if (at + std::max<size_t>(size, 1) > kShown) break;
    if (size > 1) {
      absl::StrAppend(&shown, text.substr(at, size));
    } else if (size == 1) {
      absl::StrAppend(&shown, absl::CHexEscape(text.substr(at, 1)));
    } else {
      const uint8_t byte = static_cast<uint8_t>(text[at]);
      absl::StrAppend(&shown, "\\x", absl::Hex(byte, absl::kZeroPad2));
    }
    at += std::max<size_t>(size, 1);
  }
  return absl::StrCat(shown, at < text.size() ? "...'" : "'");
}

bool IsPlainText(absl::string_view text) {
  while (!text.empty()) {
    const size_t size = CharacterSize(text);
    if (size == 0) return false;
    if (size == 1 && absl::ascii_iscntrl(static_cast<unsigned char>(text[0]))) return false;
    text.remove_prefix(size);
  }
  return true;
}

absl::Status At(absl::string_view where, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(where, ": ", status.message()));
}

absl::Status BadMatchId(absl::string_view text) {
  return absl::InvalidArgumentError(
      absl::StrCat("match id ", Quoted(text),
                   ": expected 26 characters of 0-9 and a-z without i, l, o, u, as printed by "
                   "'refctl match list'"));
}

absl::Status BadBlockId(absl::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat(
      "block id ", Quoted(text), ": expected 26 characters of 0-9 and a-z without i, l, o, u"));
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
