#include "referee/ctl/terminal/table.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "referee/base/errors.h"

namespace referee::ctl {
namespace {

constexpr char kIndent[] = "    ";

}  // namespace

size_t TextWidth(absl::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;  // not a continuation byte
  }));
}

std::string Shown(absl::string_view text) {
  return IsPlainText(text) ? std::string(text) : Quoted(text);
}

std::string Printable(absl::string_view text) {
  std::string shown(text);
  std::replace_if(
      shown.begin(), shown.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return shown;
}

std::string EnumText(const std::string& name, absl::string_view prefix) {
  return absl::StrReplaceAll(absl::AsciiStrToLower(absl::StripPrefix(name, prefix)), {{"_", "-"}});
}

std::string TimeText(const google::protobuf::Timestamp& time) {
  return absl::FormatTime("%Y-%m-%d %H:%M:%S UTC", absl::FromUnixSeconds(time.seconds()),
                          absl::UTCTimeZone());
}

std::string Wrapped(absl::string_view text, size_t width) {
  std::string lines;
  std::string line;
  for (const absl::string_view word : absl::StrSplit(text, ' ')) {
    const bool first = line.empty() || line == kIndent;
    if (!first && TextWidth(line) + 1 + TextWidth(word) > width) {
      absl::StrAppend(&lines, line, "\n");
      line = kIndent;
    } else if (!first) {
      line += ' ';
    }
    absl::StrAppend(&line, word);
  }
  return absl::StrCat(lines, line, "\n");
}

std::string TableText(absl::string_view align, const std::vector<TableRow>& rows) {
  std::vector<size_t> widths(align.size(), 0);
  for (const TableRow& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], TextWidth(row[i]));
  }
  std::string text;
  for (const TableRow& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - TextWidth(row[i]), ' ');
      const bool left = align[i] == 'l';
      absl::StrAppend(&line, i == 0 ? "" : "  ", left ? row[i] : padding, left ? padding : row[i]);
    }
    absl::StrAppend(&text, absl::StripTrailingAsciiWhitespace(line), "\n");
  }
  return text;
}

}  // namespace referee::ctl
