#include "referee/ctl/validators.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/errors.h"

namespace referee::ctl {

CLI::Validator Whole(uint64_t min, uint64_t max) {
  const auto problem = [min, max](const std::string& text) {
    uint64_t number;
    const bool digits = !text.empty() && std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
    if (digits && absl::SimpleAtoi(text, &number) && number >= min && number <= max) {
      return std::string();
    }
    if (max == std::numeric_limits<uint64_t>::max()) {
      return absl::StrCat(Quoted(text), " is not a number of ", min, " or more");
    }
    return absl::StrCat(Quoted(text), " is not a number from ", min, " to ", max);
  };
  return CLI::Validator(problem, "", "whole");
}

CLI::Validator Size(uint64_t min) {
  const auto problem = [min](std::string& text) -> std::string {
    const std::string given = text;
    uint64_t bytes = 0;
    try {
      // CLI11 takes -1 as almost 2^64.
      const bool read = !absl::StartsWith(text, "-") &&
                        CLI::AsSizeValue(/*kb_is_1000=*/false)(text).empty() &&
                        absl::SimpleAtoi(text, &bytes);
      if (read && bytes >= min) return "";
    } catch (const CLI::Error&) {
      // It throws at some texts that are no sizes.
    }
    return absl::StrCat(Quoted(given), " is not a size of ", min >> 20, "MB or more, such as 2GB");
  };
  return CLI::Validator(problem, "", "size");
}

CLI::Validator OneOf(std::vector<std::string> words) {
  const auto problem = [words = std::move(words)](const std::string& text) {
    if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
    return absl::StrCat(Quoted(text), " is not ", words.size() > 1 ? "one of " : "",
                        absl::StrJoin(words, ", "));
  };
  return CLI::Validator(problem, "", "one of");
}

CLI::Validator Unsigned64(uint64_t min) { return Whole(min, std::numeric_limits<uint64_t>::max()); }

}  // namespace referee::ctl
