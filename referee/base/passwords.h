// Removes passwords from text before it is printed. Pure.
#ifndef REFEREE_BASE_PASSWORDS_H_
#define REFEREE_BASE_PASSWORDS_H_

#include <string>

#include "absl/strings/string_view.h"

namespace referee {

// Returns `text` with *** for the password of each URL ("postgresql://user:password@host") and for
// the value after "password=". A password with unescaped special characters is removed completely;
// in the worst case some of the text after it is lost too.
std::string WithoutPasswords(absl::string_view text);

}  // namespace referee

#endif  // REFEREE_BASE_PASSWORDS_H_
