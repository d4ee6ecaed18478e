#include "referee/base/duration_text.h"

#include <cstdint>

#include "absl/strings/str_cat.h"

namespace referee {
namespace {

int64_t Rounded(absl::Duration duration, absl::Duration unit) {
  return (duration + unit / 2) / unit;
}

// Returns "3 h 20 min", or "3 h". One `large` unit has `parts` `small` units.
std::string InTwoUnits(int64_t count, int64_t parts, const char* large, const char* small) {
  return absl::StrCat(count / parts, " ", large,
                      count % parts == 0 ? "" : absl::StrCat(" ", count % parts, " ", small));
}

}  // namespace

std::string RoundedText(absl::Duration duration) {
  constexpr int64_t kMinute = 60;
  if (duration == absl::InfiniteDuration()) return "unlimited";
  if (duration < absl::ZeroDuration()) return absl::StrCat("-", RoundedText(-duration));
  if (duration == absl::ZeroDuration()) return "0 s";
  const int64_t micros = Rounded(duration, absl::Microseconds(1));
  if (micros < 1000) return absl::StrCat(micros, " us");
  const int64_t millis = Rounded(duration, absl::Milliseconds(1));
  if (millis < 1000) return absl::StrCat(millis, " ms");
  const int64_t tenths = Rounded(duration, absl::Milliseconds(100));
  if (tenths < 100) {
    return tenths % 10 == 0 ? absl::StrCat(tenths / 10, " s")
                            : absl::StrCat(tenths / 10, ".", tenths % 10, " s");
  }
  const int64_t seconds = Rounded(duration, absl::Seconds(1));
  if (seconds < kMinute) return absl::StrCat(seconds, " s");
  if (seconds < kMinute * kMinute) return InTwoUnits(seconds, kMinute, "min", "s");
  return InTwoUnits(Rounded(duration, absl::Minutes(1)), kMinute, "h", "min");
}

std::string UtcText(absl::Time time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", time, absl::UTCTimeZone());
}

}  // namespace referee
