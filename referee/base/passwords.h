// Keeps passwords out of what is printed. Pure.
#ifndef REFEREE_BASE_PASSWORDS_H_
#define REFEREE_BASE_PASSWORDS_H_

#include <string>

#include "absl/strings/string_view.h"

namespace referee {

// `text` with *** for the password of each URL in it, "postgresql://user:password@host", and for
// what follows "password=". A password that is written wrongly, with a character in it that has a
// meaning in URLs, goes as a whole; at worst a part of what comes after it goes, too.
std::string WithoutPasswords(absl::string_view text);

}  // namespace referee

#endif  // REFEREE_BASE_PASSWORDS_H_
