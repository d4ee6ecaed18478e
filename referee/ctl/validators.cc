#include "referee/ctl/validators.h"

#include <algorithm>
#include <limits>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::ctl {

CLI::Validator Unsigned64(uint64_t min) {
  const auto problem = [min](const std::string& text) {
    uint64_t number;
    const bool digits = std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
    if (digits && absl::SimpleAtoi(text, &number) && number >= min) return std::string();
    return absl::StrCat(Quoted(text), " is not a number from ", min, " to ",
                        std::numeric_limits<uint64_t>::max());
  };
  return CLI::Validator(problem, "", "unsigned");
}

}  // namespace referee::ctl
