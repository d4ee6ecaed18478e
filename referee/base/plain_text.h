// Text from outside, such as a bot's words, made into plain text as IsPlainText (errors.h) has it.
#ifndef REFEREE_BASE_PLAIN_TEXT_H_
#define REFEREE_BASE_PLAIN_TEXT_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace referee {

// The bytes of the character that `text` begins with; 0 if plain text excludes it, or `text` is
// empty.
size_t PlainCharacterSize(absl::string_view text);

// Returns the beginning of `text` as plain text, `max_bytes` at most, cut between two characters.
// Each line end, tab or carriage return becomes a blank, each run of other bytes that plain text
// excludes a '?'.
std::string PlainText(absl::string_view text, size_t max_bytes);

}  // namespace referee

#endif  // REFEREE_BASE_PLAIN_TEXT_H_
