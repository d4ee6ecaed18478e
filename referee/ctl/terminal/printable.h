// Text of others, such as a name from a file, as a terminal may be sent it.
#ifndef REFEREE_CTL_TERMINAL_PRINTABLE_H_
#define REFEREE_CTL_TERMINAL_PRINTABLE_H_

#include <algorithm>
#include <string>

#include "absl/strings/string_view.h"

namespace referee::ctl {

// The text with a '?' for each byte that a terminal would obey.
inline std::string Printable(absl::string_view text) {
  std::string shown(text);
  std::replace_if(
      shown.begin(), shown.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return shown;
}

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TERMINAL_PRINTABLE_H_
