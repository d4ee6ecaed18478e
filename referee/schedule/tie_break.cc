#include "referee/schedule/tie_break.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "referee/base/errors.h"

namespace referee::schedule {
namespace {

// In the order of the enum.
constexpr absl::string_view kNames[kTieBreaks] = {"buchholz", "buchholz-cut-1", "direct-encounter",
                                                  "sonneborn-berger", "wins"};
constexpr absl::string_view kNone = "none";

}  // namespace

absl::string_view TieBreakName(TieBreak tie_break) {
  return kNames[static_cast<size_t>(tie_break)];
}

std::string TieBreaksText(const std::vector<TieBreak>& tie_breaks) {
  if (tie_breaks.empty()) return std::string(kNone);
  return absl::StrJoin(tie_breaks, ",", [](std::string* out, TieBreak tie_break) {
    absl::StrAppend(out, TieBreakName(tie_break));
  });
}

absl::StatusOr<std::vector<TieBreak>> ParseTieBreaks(absl::string_view text) {
  std::vector<TieBreak> tie_breaks;
  if (text == kNone) return tie_breaks;
  for (absl::string_view name : absl::StrSplit(text, ',')) {
    name = absl::StripAsciiWhitespace(name);
    size_t i = 0;
    while (i < kTieBreaks && kNames[i] != name) ++i;
    if (i == kTieBreaks) {
      return BadValue("tie_breaks", name,
                      absl::StrCat("one of ", absl::StrJoin(kNames, ", "), ", or none alone"));
    }
    tie_breaks.push_back(static_cast<TieBreak>(i));
  }
  return tie_breaks;
}

}  // namespace referee::schedule
