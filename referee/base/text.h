// Text from outside: bytes that people typed, saved or sent, before anything here relies on them.
// Which names are plain text, the rules of files and of tokens: proto/PROTOCOL.md, "Text from
// outside". tests/golden/plain_text.jsonl and tokens.jsonl have cases, for the SDKs as well. Pure
// functions.
#ifndef REFEREE_BASE_TEXT_H_
#define REFEREE_BASE_TEXT_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace referee {

struct Character {
  size_t bytes = 0;  // 0: the text does not begin with a character of UTF-8
  char32_t code = 0;
};

// The character that `text` begins with. REQUIRES: !text.empty().
Character FirstCharacter(absl::string_view text);

// Whether a name may have this character: no control character, no line separator, none that
// changes the direction of what stands beside it, no noncharacter and no byte order mark.
bool IsPlainCharacter(char32_t code);

// `text` for one line of a file or a terminal: what is not plain text is escaped, "\x" and two
// digits a byte.
std::string OneLine(absl::string_view text);

// The beginning of `text` as plain text, `max_bytes` at most, cut between two characters. A line
// end, a tab or a carriage return becomes a blank, a run of other bytes that plain text excludes a
// '?'.
std::string PlainText(absl::string_view text, size_t max_bytes);

// "--time is given twice" for what CLI11 says of a flag that takes one value, and has more:
// "--time: At Most 1 required but received 2". Another problem as it is.
std::string GivenTwice(absl::string_view problem);

// The offset of the first byte that is no UTF-8; npos if all of it is.
size_t FindBadUtf8(absl::string_view text);

// Returns InvalidArgument that names the first byte that is no UTF-8. Protobuf and JSON take text
// that is UTF-8, and nothing else.
absl::Status CheckUtf8(absl::string_view text);

// `text` without the byte order mark of UTF-8 that some editors put before it.
absl::string_view WithoutMark(absl::string_view text);

// The text of a file that a person edits, without a byte order mark. Returns InvalidArgument for
// UTF-16, which begins with a mark of its own.
absl::StatusOr<absl::string_view> TextOfFile(absl::string_view bytes);

// The value of a variable of the environment; empty if it is not set.
std::string EnvironmentVariable(const char* name);

enum class TokenSource { kFile, kVariable };

// The token in the bytes of a file, in its first line that is not blank; or of a variable, which
// holds nothing else. Drops a byte order mark and blanks around it. Returns InvalidArgument that
// names the byte that no token has: tokens are visible ASCII without quotes, which is what the
// metadata of a call takes.
absl::StatusOr<std::string> ReadToken(absl::string_view text, TokenSource source);

// `text`, reversibly as UTF-8: other bytes, and backslashes, are escaped as "\xff".
std::string EscapedBytes(absl::string_view text);

}  // namespace referee

#endif  // REFEREE_BASE_TEXT_H_
