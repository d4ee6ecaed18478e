// Lays out tables of text. Pure.
#ifndef REFEREE_CTL_TERMINAL_TABLE_H_
#define REFEREE_CTL_TERMINAL_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace referee::ctl {

using TableRow = std::vector<std::string>;

// A line for each row, two spaces between columns, each as wide as its widest cell. `align` has a
// letter for each column: l to the left, r to the right. REQUIRES: rows of align.size() cells.
std::string TableText(absl::string_view align, const std::vector<TableRow>& rows);

// The text in lines of at most `width` characters, where words allow it; all but the first begin
// with four spaces. Ends in a newline.
std::string Wrapped(absl::string_view text, size_t width);

// How many characters of UTF-8 text there are: its width on a terminal, for most scripts.
size_t TextWidth(absl::string_view text);

// Untrusted text, safe to show on a terminal: as it is, or quoted.
std::string Shown(absl::string_view text);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TERMINAL_TABLE_H_
