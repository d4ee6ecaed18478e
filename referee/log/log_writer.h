// Writes the log of a program to a descriptor, one line for each event.
//
// Callers never wait for the reader of the log: a thread writes the lines from a bounded queue.
// Lines that do not fit are dropped, counted, and reported once the reader continues.
//
//   LogWriter writer({Format::kJson, Level::kInfo});
//   options.log = writer.log();
#ifndef REFEREE_LOG_LOG_WRITER_H_
#define REFEREE_LOG_LOG_WRITER_H_

#include <cstdint>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/base/mutex.h"
#include "referee/log/event.h"

namespace referee::log {

enum class Format { kText, kJson };

// Parse the values of --log-format and --log-level. For other values, they return false and leave
// `out` unchanged.
bool ParseFormat(absl::string_view text, Format* out);
bool ParseLevel(absl::string_view text, Level* out);

// Thread-safe.
class LogWriter {
 public:
  struct Options {
    Format format = Format::kText;
    Level least = Level::kInfo;  // events below are not written
    int fd = 2;                  // owned by the caller, who keeps it open
  };

  explicit LogWriter(Options options);
  // Flushes.
  ~LogWriter();
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  void Write(const Event& event);
  // Writes why the program cannot start: as plain text, or in JSON format as an event.
  void WriteFailure(absl::string_view why);
  // Write as a function, which must not outlive this object.
  Log log() {
    return [this](const Event& event) { Write(event); };
  }
  // Returns once everything is written, or the descriptor accepts nothing for limits::kLogPatience.
  void Flush();

 private:
  std::string LineOf(const Event& event) const;
  void Queue(absl::string_view line) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Work();
  // Takes the queued lines, after waiting for some. Returns an empty string when it is time to
  // stop.
  std::string Take();
  // Writes all `lines`. Gives up if the descriptor accepts nothing and `stopping_` is set.
  void WriteOut(absl::string_view lines);
  bool Stopping();

  const Options options_;
  Mutex mutex_;
  CondVar changed_;
  std::string queue_ ABSL_GUARDED_BY(mutex_);
  int64_t left_out_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t queued_ ABSL_GUARDED_BY(mutex_) = 0;   // bytes, since the start
  uint64_t written_ ABSL_GUARDED_BY(mutex_) = 0;  // of these, including dropped ones
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace referee::log

#endif  // REFEREE_LOG_LOG_WRITER_H_
