// Text for terminals: tables, times, and untrusted text. Pure.
#ifndef REFEREE_CTL_TERMINAL_TABLE_H_
#define REFEREE_CTL_TERMINAL_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "google/protobuf/timestamp.pb.h"

namespace referee::ctl {

using TableRow = std::vector<std::string>;

// One line for each row. Columns are as wide as their widest cells, with two spaces between.
// `align` has a letter for each column: l for left, r for right. REQUIRES: rows have align.size()
// cells.
std::string TableText(absl::string_view align, const std::vector<TableRow>& rows);

// Breaks the text at spaces into lines of at most `width` characters, where possible. All lines but
// the first begin with four spaces. Ends with a newline.
std::string Wrapped(absl::string_view text, size_t width);

// The number of characters in UTF-8 text: its width on a terminal, for most scripts.
size_t TextWidth(absl::string_view text);

// Untrusted text made safe for a terminal: as it is, or quoted.
std::string Shown(absl::string_view text);
// Untrusted text with '?' for each byte that a terminal would interpret.
std::string Printable(absl::string_view text);

// An enumeration value as on the command line: "round-robin" for "COMPETITION_FORMAT_ROUND_ROBIN"
// with the prefix "COMPETITION_FORMAT_".
std::string EnumText(const std::string& name, absl::string_view prefix);

// Returns "2026-11-21 16:05:00 UTC".
std::string TimeText(const google::protobuf::Timestamp& time);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TERMINAL_TABLE_H_
