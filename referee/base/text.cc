#include "referee/base/text.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "referee/base/limits.h"

namespace referee {
namespace {

constexpr absl::string_view kMark = "\xef\xbb\xbf";

absl::Status BadTokenByte(absl::string_view token, size_t at) {
  const absl::string_view byte = token.substr(at, 1);
  const bool visible = absl::ascii_isgraph(static_cast<unsigned char>(token[at]));
  const std::string shown = byte == " " ? "a blank"
                            : visible   ? std::string(byte)
                                        : absl::CHexEscape(byte);
  return absl::InvalidArgumentError(
      absl::StrCat("byte ", at + 1, " is ", shown,
                   ", which no token has: copy the token as it was printed, all of it and nothing "
                   "else"));
}

absl::Status NoToken() {
  return absl::InvalidArgumentError(absl::StrCat(
      "it holds no token: expected 1 to ", limits::kMaxTokenBytes, " bytes of visible ASCII"));
}

}  // namespace

Character FirstCharacter(absl::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<uint8_t>(text[i]); };
  if (byte(0) < 0x80) return {1, byte(0)};
  const size_t size = byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < size) return {};
  char32_t code = byte(0) & (0x7f >> size);
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool overlong = code < (size == 3 ? 0x800U : size == 4 ? 0x10000U : 0x80U);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return overlong || surrogate || code > 0x10ffff ? Character{} : Character{size, code};
}

bool IsPlainCharacter(char32_t code) {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return false;  // control characters
  if (code == 0x61c || code == 0x200e || code == 0x200f) return false;
  if (code >= 0x2028 && code <= 0x202e) return false;  // separators, embeddings, overrides
  if (code >= 0x2066 && code <= 0x2069) return false;  // isolates
  if (code >= 0xfdd0 && code <= 0xfdef) return false;  // noncharacters; so are U+xFFFE and U+xFFFF
  return code != 0xfeff && (code & 0xfffe) != 0xfffe;
}

std::string OneLine(absl::string_view text) {
  std::string line;
  while (!text.empty()) {
    const Character character = FirstCharacter(text);
    const absl::string_view bytes = text.substr(0, std::max<size_t>(character.bytes, 1));
    if (character.bytes > 0 && IsPlainCharacter(character.code)) {
      absl::StrAppend(&line, bytes);
    } else {
      for (const char c : bytes) {
        absl::StrAppend(&line, "\\x", absl::Hex(static_cast<uint8_t>(c), absl::kZeroPad2));
      }
    }
    text.remove_prefix(bytes.size());
  }
  return line;
}

std::string PlainText(absl::string_view text, size_t max_bytes) {
  std::string plain;
  bool replacing = false;  // inside a run of excluded bytes
  while (!text.empty()) {
    const bool blank = text[0] == '\n' || text[0] == '\r' || text[0] == '\t';
    const Character character = FirstCharacter(text);
    const bool keeps = !blank && character.bytes > 0 && IsPlainCharacter(character.code);
    const size_t size = std::max<size_t>(character.bytes, 1);
    const absl::string_view shown = blank ? " " : keeps ? text.substr(0, size) : "?";
    if (blank || keeps || !replacing) {
      if (plain.size() + shown.size() > max_bytes) break;
      absl::StrAppend(&plain, shown);
    }
    replacing = !blank && !keeps;
    text.remove_prefix(size);
  }
  return plain;
}

std::string GivenTwice(absl::string_view problem) {
  constexpr absl::string_view kTooMany = ": At Most 1 required but received ";
  const size_t at = problem.find(kTooMany);
  if (at == absl::string_view::npos) return std::string(problem);
  const absl::string_view times = problem.substr(at + kTooMany.size());
  return absl::StrCat(problem.substr(0, at), " is given ",
                      times == "2" ? "twice" : absl::StrCat(times, " times"));
}

size_t FindBadUtf8(absl::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const Character character = FirstCharacter(text.substr(at));
    if (character.bytes == 0) return at;
    at += character.bytes;
  }
  return absl::string_view::npos;
}

absl::Status CheckUtf8(absl::string_view text) {
  const size_t bad = FindBadUtf8(text);
  if (bad == absl::string_view::npos) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("byte ", bad + 1, " is ",
                                                 absl::CHexEscape(text.substr(bad, 1)),
                                                 ", which is no UTF-8: write it in UTF-8"));
}

absl::string_view WithoutMark(absl::string_view text) { return absl::StripPrefix(text, kMark); }

absl::StatusOr<absl::string_view> TextOfFile(absl::string_view bytes) {
  if (absl::StartsWith(bytes, "\xff\xfe") || absl::StartsWith(bytes, "\xfe\xff")) {
    return absl::InvalidArgumentError("it is UTF-16: save it as UTF-8");
  }
  return WithoutMark(bytes);
}

std::string EnvironmentVariable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

absl::StatusOr<std::string> ReadToken(absl::string_view text, TokenSource source) {
  text = absl::StripAsciiWhitespace(WithoutMark(text));
  if (source == TokenSource::kFile) {
    const absl::StatusOr<absl::string_view> whole = TextOfFile(text);
    if (!whole.ok()) return whole.status();
    text = absl::StripTrailingAsciiWhitespace(text.substr(0, text.find('\n')));
  }
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!absl::ascii_isgraph(static_cast<unsigned char>(c)) || c == '"' || c == '\'') {
      return BadTokenByte(text, i);
    }
  }
  if (text.empty() || text.size() > limits::kMaxTokenBytes) return NoToken();
  return std::string(text);
}

std::string EscapedBytes(absl::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const size_t size = FirstCharacter(text).bytes;
    if (size == 0 || text[0] == '\\') {
      absl::StrAppend(&escaped, "\\x", absl::BytesToHexString(text.substr(0, 1)));
    } else {
      absl::StrAppend(&escaped, text.substr(0, size));
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return escaped;
}

}  // namespace referee
