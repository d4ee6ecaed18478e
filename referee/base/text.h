// Checks and cleans text from outside: bytes that people typed, saved or sent. Pure functions.
//
// The rules of plain text, files and tokens are in proto/PROTOCOL.md, "Text from outside".
// tests/golden/plain_text.jsonl and tokens.jsonl have test cases, shared with the SDKs.
#ifndef REFEREE_BASE_TEXT_H_
#define REFEREE_BASE_TEXT_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace referee {

struct Character {
  size_t bytes = 0;  // 0: the text does not begin with a UTF-8 character
  char32_t code = 0;
};

// The first character of `text`. REQUIRES: !text.empty().
Character FirstCharacter(absl::string_view text);

// Whether names may have this character. Excluded are control characters, line separators,
// characters that change the text direction, noncharacters and the byte order mark.
bool IsPlainCharacter(char32_t code);

// Returns `text` for one line of a file or a terminal. Everything that is not plain text is
// escaped, as "\x" and two digits for each byte.
std::string OneLine(absl::string_view text);

// Returns the first characters of `text` as plain text of at most `max_bytes` bytes. A line feed,
// tab or carriage return becomes a space; a run of other excluded bytes becomes one '?'.
std::string PlainText(absl::string_view text, size_t max_bytes);

// Rewords CLI11's error for a repeated flag. "--time: At Most 1 required but received 2" becomes
// "--time is given twice". Returns any other message unchanged.
std::string GivenTwice(absl::string_view problem);

// The offset of the first byte that is not UTF-8; npos if all of `text` is UTF-8.
size_t FindBadUtf8(absl::string_view text);

// Returns InvalidArgument that names the first byte that is not UTF-8. Protobuf and JSON accept
// only UTF-8.
absl::Status CheckUtf8(absl::string_view text);

// Returns `text` without the UTF-8 byte order mark that some editors put at the start.
absl::string_view WithoutMark(absl::string_view text);

// Returns the text of a file that a person edits, without a byte order mark. Returns
// InvalidArgument for UTF-16, recognised by its own byte order mark.
absl::StatusOr<absl::string_view> TextOfFile(absl::string_view bytes);

// The value of an environment variable; empty if it is not set.
std::string EnvironmentVariable(const char* name);

enum class TokenSource { kFile, kVariable };

// Reads a token. In a file, the token is the first line that is not blank; a variable has the token
// only. Ignores a byte order mark and surrounding white space. Returns InvalidArgument that names
// the first byte that is not allowed. Tokens are visible ASCII without quotes, as gRPC metadata
// requires.
absl::StatusOr<std::string> ReadToken(absl::string_view text, TokenSource source);

// Returns `text` as reversible UTF-8: backslashes and bytes that are not UTF-8 are escaped as
// "\xff".
std::string EscapedBytes(absl::string_view text);

}  // namespace referee

#endif  // REFEREE_BASE_TEXT_H_
