// Error messages that users see. A message says what was wrong, where (field, file and byte, turn),
// and what would be right; quoted input is shortened and escaped. An error that one place makes is
// worded there, one that several files of a room make in the room's errors.h, any other here.
#ifndef REFEREE_BASE_ERRORS_H_
#define REFEREE_BASE_ERRORS_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee {

// Returns `text` for use in a message: in single quotes, cut to 80 bytes, with what is not plain
// text escaped.
std::string Quoted(absl::string_view text);

// Whether `text` is UTF-8 of characters that names may have (IsPlainCharacter in base/text.h).
bool IsPlainText(absl::string_view text);
// Whether `text` is plain text of 1 to limits::kMaxNameBytes bytes, as names of accounts and
// competitions are.
bool IsPlainName(absl::string_view text);

// Returns `status` with `where` and a colon before its message.
absl::Status At(absl::string_view where, const absl::Status& status);

absl::Status BadName(absl::string_view what, absl::string_view text);

// A value that a field, flag or option cannot have; `expected` says which it can.
absl::Status BadValue(absl::string_view field, absl::string_view text, absl::string_view expected);

// Options of a game, by name.
absl::Status OptionRepeated(absl::string_view name);
absl::Status OptionTooLarge(absl::string_view name, size_t size);

// Files. `doing` is a phrase such as "cannot write"; `error_number` is the errno of the attempt.
// The code says what to do: NotFound, PermissionDenied, ResourceExhausted (a full disk, a quota),
// Unavailable.
absl::Status FileError(absl::string_view doing, absl::string_view path, int error_number);

}  // namespace referee

#endif  // REFEREE_BASE_ERRORS_H_
