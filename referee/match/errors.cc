#include "referee/match/errors.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace referee::match {
namespace {

// "208 ms", or "412 us" of less than one.
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

}  // namespace referee::match
