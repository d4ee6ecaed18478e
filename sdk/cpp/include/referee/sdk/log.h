// Logging for the SDK and for bots.
//
//   turn.log().Info("searched ", nodes, " nodes");
#ifndef REFEREE_SDK_LOG_H_
#define REFEREE_SDK_LOG_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace referee::sdk {

enum class LogLevel { kDebug, kInfo, kWarning, kError, kNone };

// Receives a line without its newline. Several threads may call it at once.
using LogSink = std::function<void(LogLevel level, absl::string_view line)>;

// Writes "<time> <level> <line>" to stderr, in one write.
void LogToStderr(LogLevel level, absl::string_view line);

// Writes log lines. A value, cheap to copy; thread-safe. The arguments of a line are any that
// absl::StrCat accepts. They are formatted only if the level is on.
class Logger {
 public:
  // Logs from kInfo upwards to stderr.
  Logger() : Logger(LogLevel::kInfo, LogToStderr) {}
  // Logs lines of `level` and above. REQUIRES: sink.
  Logger(LogLevel level, LogSink sink)
      : level_(level), sink_(std::make_shared<const LogSink>(std::move(sink))) {}

  // Returns a copy that writes `prefix` before each line.
  Logger WithPrefix(absl::string_view prefix) const;

  bool enabled(LogLevel level) const { return level >= level_ && level < LogLevel::kNone; }

  template <typename... Args>
  void Log(LogLevel level, const Args&... args) const {
    if (enabled(level)) Write(level, absl::StrCat(args...));
  }
  template <typename... Args>
  void Debug(const Args&... args) const {
    Log(LogLevel::kDebug, args...);
  }
  template <typename... Args>
  void Info(const Args&... args) const {
    Log(LogLevel::kInfo, args...);
  }
  template <typename... Args>
  void Warning(const Args&... args) const {
    Log(LogLevel::kWarning, args...);
  }
  template <typename... Args>
  void Error(const Args&... args) const {
    Log(LogLevel::kError, args...);
  }

 private:
  void Write(LogLevel level, absl::string_view line) const;

  LogLevel level_;
  std::shared_ptr<const LogSink> sink_;
  std::string prefix_;
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_LOG_H_
