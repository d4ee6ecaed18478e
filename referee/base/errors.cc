#include "referee/base/errors.h"

#include <algorithm>
#include <cstdint>

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

// Before an offset in a position.
constexpr absl::string_view kAtByte = " (byte ";

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

absl::Status UnknownGame(absl::string_view name, absl::string_view known) {
  return absl::NotFoundError(
      absl::StrCat("game ", Quoted(name), ": there is no such game; known: ", known));
}

absl::Status BadSeatCount(absl::string_view game, int seats, int min_seats, int max_seats) {
  const std::string range =
      min_seats == max_seats ? absl::StrCat(min_seats) : absl::StrCat(min_seats, " to ", max_seats);
  return absl::InvalidArgumentError(
      absl::StrCat(game, " is played by ", range, " seats, not by ", seats));
}

absl::Status UnknownOption(absl::string_view name, absl::string_view known) {
  return absl::InvalidArgumentError(
      absl::StrCat("option ", Quoted(name), ": there is no such option; known: ", known));
}

absl::Status OptionRepeated(absl::string_view name) {
  return absl::InvalidArgumentError(absl::StrCat("option ", Quoted(name), ": given twice"));
}

absl::Status OptionTooLarge(absl::string_view name, size_t size) {
  return absl::InvalidArgumentError(absl::StrCat("option ", Quoted(name), ": has ", size,
                                                 " bytes; at most ", limits::kMaxOptionBytes,
                                                 " are allowed"));
}

absl::Status NoDiceToReplace() {
  return absl::InvalidArgumentError("dice: no roll is due in this position");
}

absl::Status BadBoard(absl::string_view field, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("board: ", field, ": ", why));
}

absl::Status BadBoardSyntax(int line, int column, absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("board: line ", line, ", column ", column, ": ", why));
}

absl::Status BadPosition(absl::string_view field, size_t offset, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("position: ", field, kAtByte, offset, "): ", why));
}

size_t PositionFaultOffset(const absl::Status& status) {
  const absl::string_view message = status.message();
  const size_t at = message.find(kAtByte);
  size_t offset = 0;
  if (at == absl::string_view::npos) return offset;
  for (const char c : message.substr(at + kAtByte.size())) {
    if (c < '0' || c > '9') break;
    offset = 10 * offset + static_cast<size_t>(c - '0');
  }
  return offset;
}

absl::Status BadMove(absl::string_view text, size_t offset, absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("move ", Quoted(text), ": byte ", offset, ": ", why));
}

absl::Status BadMoveField(absl::string_view field, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("move: ", field, ": ", why));
}

absl::Status IllegalMove(absl::string_view move, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("move ", Quoted(move), " is illegal: ", why));
}

}  // namespace referee
