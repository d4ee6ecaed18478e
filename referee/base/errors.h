// Error messages that users see.
//
// A message states the problem, the place (field, file and byte, or turn) and the correction.
// Quoted input is shortened and escaped. An error with one caller is worded there. An error of
// several files of a room is in that room's errors.h. All others are here.
#ifndef REFEREE_BASE_ERRORS_H_
#define REFEREE_BASE_ERRORS_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee {

// Returns `text` for use in a message: in single quotes, cut to 80 bytes, with everything that is
// not plain text escaped.
std::string Quoted(absl::string_view text);

// Whether `text` is UTF-8 that has only characters allowed in names (IsPlainCharacter in
// base/text.h).
bool IsPlainText(absl::string_view text);
// Whether `text` is plain text of 1 to limits::kMaxNameBytes bytes, as required for names of
// accounts and competitions.
bool IsPlainName(absl::string_view text);

// Returns `status` with "`where`: " before its message.
absl::Status At(absl::string_view where, const absl::Status& status);

absl::Status BadName(absl::string_view what, absl::string_view text);

// A field, flag or option has a value that is not allowed; `expected` describes the allowed values.
absl::Status BadValue(absl::string_view field, absl::string_view text, absl::string_view expected);

// Errors in the options of a game, by the option's name.
absl::Status OptionRepeated(absl::string_view name);
absl::Status OptionTooLarge(absl::string_view name, size_t size);

// A failed file operation. `doing` is a phrase such as "cannot write"; `error_number` is the errno.
// The status code tells what to do: NotFound, PermissionDenied, ResourceExhausted (full disk or
// quota), or Unavailable for everything else.
absl::Status FileError(absl::string_view doing, absl::string_view path, int error_number);

}  // namespace referee

#endif  // REFEREE_BASE_ERRORS_H_
