#include "referee/daemon/fault_point.h"

#include <signal.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace referee::daemon {
namespace {

[[noreturn]] void Die() {
  for (;;) {
    kill(getpid(), SIGKILL);
    pause();
  }
}

absl::Status Refused(absl::string_view text) {
  return absl::InvalidArgumentError(
      absl::StrCat("'", text,
                   "' is neither journal-write:N, nor journal-write:N:BYTES, nor "
                   "journal-slow:N:DURATION, from 1"));
}

// "N:DURATION"
absl::StatusOr<replay::WriteHook> ParseSlowness(absl::string_view parts, absl::string_view text) {
  const std::pair<absl::string_view, absl::string_view> both =
      absl::StrSplit(parts, absl::MaxSplits(':', 1));
  uint64_t every = 0;
  absl::Duration lasts;
  if (!absl::SimpleAtoi(both.first, &every) || every == 0 ||
      !absl::ParseDuration(both.second, &lasts) || lasts < absl::ZeroDuration()) {
    return Refused(text);
  }
  return [every, lasts](const replay::WritePoint& point) -> size_t {
    if (point.write % every == 0 && point.written == 0) absl::SleepFor(lasts);
    return 0;
  };
}

}  // namespace

absl::StatusOr<replay::WriteHook> ParseFaultPoint(absl::string_view text) {
  const absl::Status refused = Refused(text);
  absl::string_view numbers = text;
  if (absl::ConsumePrefix(&numbers, "journal-slow:")) return ParseSlowness(numbers, text);
  if (!absl::ConsumePrefix(&numbers, "journal-write:")) return refused;
  const std::vector<absl::string_view> parts = absl::StrSplit(numbers, ':');
  uint64_t write = 0;
  size_t bytes = 0;
  if (parts.size() > 2 || !absl::SimpleAtoi(parts[0], &write) || write == 0) return refused;
  const bool torn = parts.size() == 2;
  if (torn && (!absl::SimpleAtoi(parts[1], &bytes) || bytes == 0)) return refused;
  return [write, bytes](const replay::WritePoint& point) -> size_t {
    if (point.write != write) return 0;
    if (point.written == bytes || point.written == point.bytes) Die();
    return bytes;
  };
}

}  // namespace referee::daemon
