// Wraps text for a terminal: breaks long lines at spaces.
#ifndef REFEREE_BASE_WRAP_H_
#define REFEREE_BASE_WRAP_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace referee {

// The width of the programs' help, in columns.
inline constexpr size_t kHelpWidth = 80;

// Wraps the help text that CLI11 prints. Breaks lines longer than `width` at a space, where they
// have one. Continuation lines are indented to the text of the line: behind the option's name, or
// to the line's own indentation.
std::string WrapHelp(absl::string_view help, size_t width = kHelpWidth);

}  // namespace referee

#endif  // REFEREE_BASE_WRAP_H_
