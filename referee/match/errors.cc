#include "referee/match/errors.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace referee::match {
namespace {

// "208 ms", or "412 us" below one millisecond.
std::string RoughText(absl::Duration duration) {
  if (duration < absl::Milliseconds(1)) {
    return absl::StrCat(absl::ToInt64Microseconds(duration), " us");
  }
  return absl::StrCat(absl::ToInt64Milliseconds(duration), " ms");
}

}  // namespace

absl::Status MoveLate(uint32_t turn, absl::Duration late, absl::Duration limit,
                      absl::string_view outcome) {
  return absl::FailedPreconditionError(absl::StrCat("turn ", turn, ": the move is late: it came ",
                                                    RoughText(late), " after the limit of ",
                                                    RoughText(limit), "; ", outcome));
}

std::string Milliseconds(absl::Duration duration) {
  if (duration == absl::InfiniteDuration()) return "unlimited";
  const int64_t nanos = absl::ToInt64Nanoseconds(duration);
  std::string text = absl::StrCat(nanos / 1'000'000);
  if (nanos % 1'000'000 != 0) {
    std::string fraction = absl::StrCat(1'000'000 + nanos % 1'000'000).substr(1);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    absl::StrAppend(&text, ".", fraction);
  }
  return text + " ms";
}

}  // namespace referee::match
