#include "referee/base/wrap.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace referee {
namespace {

// The column at which CLI11 begins the description of an option.
constexpr size_t kColumn = 30;
// Descriptions may be broken already, for wider terminals. Such a line counts as full if the next
// word would make it longer than kFull; lines of options may be kColumnExtra longer.
constexpr size_t kFull = 84;
constexpr size_t kColumnExtra = 20;

size_t IndentOf(absl::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

// The column at which continuation lines begin: after an option's name, or after any other text
// that two or more spaces follow.
size_t TextOf(absl::string_view line) {
  const size_t indent = IndentOf(line);
  if (indent >= kColumn) return indent;
  const bool is_option = line.size() > kColumn && line[kColumn - 1] == ' ';
  if (is_option && indent == 2 && line[kColumn] != ' ') return kColumn;
  const size_t gap = line.find("  ", indent);
  return gap < kColumn ? gap + IndentOf(line.substr(gap)) : indent;
}

// Whether `next` continues the sentence of a line that was broken only because it was full. The
// line's text begins at `column`, and its last part is `part`.
bool GoesOn(size_t column, absl::string_view part, absl::string_view next) {
  if (IndentOf(next) != column || TextOf(next) != column || column == next.size()) return false;
  const absl::string_view word = next.substr(column, next.find(' ', column) - column);
  if (word.back() == ':') return false;
  return part.size() + 1 + word.size() > kFull + (column == kColumn ? kColumnExtra : 0);
}

void AddWrapped(std::string rest, size_t width, std::vector<std::string>* lines) {
  const std::string indent(TextOf(rest), ' ');
  while (rest.size() > width) {
    size_t at = rest.rfind(' ', width);
    if (at == std::string::npos || at < indent.size()) at = rest.find(' ', width);
    if (at == std::string::npos) break;
    const std::string after = rest.substr(at + 1);
    rest.resize(at);
    lines->push_back(std::move(rest));
    rest = absl::StrCat(indent, absl::StripLeadingAsciiWhitespace(after));
  }
  lines->push_back(std::move(rest));
}

}  // namespace

std::string WrapHelp(absl::string_view help, size_t width) {
  std::vector<std::string> lines;
  std::string line;        // with its continuation lines
  absl::string_view part;  // the last line of `line`
  for (const absl::string_view next : absl::StrSplit(help, '\n')) {
    if (!part.empty() && GoesOn(TextOf(line), part, next)) {
      absl::StrAppend(&line, " ", absl::StripLeadingAsciiWhitespace(next));
    } else {
      if (next.data() != help.data()) AddWrapped(std::move(line), width, &lines);
      line = std::string(next);
    }
    part = next;
  }
  AddWrapped(std::move(line), width, &lines);
  return absl::StrJoin(lines, "\n");
}

}  // namespace referee
