// Text for terminals: tables, moments, and what others wrote. Pure.
#ifndef REFEREE_CTL_TERMINAL_TABLE_H_
#define REFEREE_CTL_TERMINAL_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "google/protobuf/timestamp.pb.h"

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
// The same with a '?' for each byte that a terminal would obey.
std::string Printable(absl::string_view text);

// The name of a value of an enumeration in the words of the command line: "round-robin" of
// "COMPETITION_FORMAT_ROUND_ROBIN" and the prefix "COMPETITION_FORMAT_".
std::string EnumText(const std::string& name, absl::string_view prefix);

// "2026-11-21 16:05:00 UTC".
std::string TimeText(const google::protobuf::Timestamp& time);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TERMINAL_TABLE_H_
