#include "referee/sdk/log.h"

#include <cstdio>

#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace referee::sdk {
namespace {

absl::string_view Name(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kError:
    case LogLevel::kNone:
      return "error";
  }
  return "error";
}

}  // namespace

void LogToStderr(LogLevel level, absl::string_view line) {
  const std::string time =
      absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ", absl::Now(), absl::UTCTimeZone());
  const std::string out = absl::StrCat(time, " ", Name(level), " ", line, "\n");
  std::fwrite(out.data(), 1, out.size(), stderr);
}

Logger Logger::WithPrefix(absl::string_view prefix) const {
  Logger logger = *this;
  absl::StrAppend(&logger.prefix_, prefix);
  return logger;
}

void Logger::Write(LogLevel level, absl::string_view line) const {
  (*sink_)(level, absl::StrCat(prefix_, line));
}

}  // namespace referee::sdk
