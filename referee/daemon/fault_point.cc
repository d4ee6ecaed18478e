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
                   "' is neither log-write:N, nor log-write:N:BYTES, nor "
                   "log-slow:N:DURATION, from 1"));
}

// "N:DURATION"
absl::StatusOr<FaultPoint> ParseSlowness(absl::string_view parts, absl::string_view text) {
  const std::pair<absl::string_view, absl::string_view> both =
      absl::StrSplit(parts, absl::MaxSplits(':', 1));
  uint64_t every = 0;
  absl::Duration lasts;
  if (!absl::SimpleAtoi(both.first, &every) || every == 0 ||
      !absl::ParseDuration(both.second, &lasts) || lasts < absl::ZeroDuration()) {
    return Refused(text);
  }
  FaultPoint slow;
  slow.at_sync = [every, lasts](uint64_t sync) {
    if (sync % every == 0) absl::SleepFor(lasts);
  };
  return slow;
}

}  // namespace

absl::StatusOr<FaultPoint> ParseFaultPoint(absl::string_view text) {
  const absl::Status refused = Refused(text);
  absl::string_view numbers = text;
  if (absl::ConsumePrefix(&numbers, "log-slow:")) return ParseSlowness(numbers, text);
  if (!absl::ConsumePrefix(&numbers, "log-write:")) return refused;
  const std::vector<absl::string_view> parts = absl::StrSplit(numbers, ':');
  uint64_t write = 0;
  size_t bytes = 0;
  if (parts.size() > 2 || !absl::SimpleAtoi(parts[0], &write) || write == 0) return refused;
  const bool torn = parts.size() == 2;
  if (torn && (!absl::SimpleAtoi(parts[1], &bytes) || bytes == 0)) return refused;
  FaultPoint deadly;
  deadly.at_write = [write, bytes](const replay::WritePoint& point) -> size_t {
    if (point.write != write) return 0;
    if (point.written == bytes || point.written == point.bytes) Die();
    return bytes;
  };
  return deadly;
}

}  // namespace referee::daemon
