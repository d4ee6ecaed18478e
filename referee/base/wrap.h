// Text for a terminal: lines that are too long for it are broken at spaces.
#ifndef REFEREE_BASE_WRAP_H_
#define REFEREE_BASE_WRAP_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace referee {

// How wide the help of programs is, in columns.
inline constexpr size_t kHelpWidth = 80;

// The help of a program, as CLI11 prints it, with no line longer than `width` that has a space to
// break it at. What follows goes below the text of the line: behind the name of an option, or
// behind its indentation.
std::string WrapHelp(absl::string_view help, size_t width = kHelpWidth);

}  // namespace referee

#endif  // REFEREE_BASE_WRAP_H_
