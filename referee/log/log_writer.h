// Writes a program's log to a descriptor, a line for each event. Who tells an event never waits for
// whoever reads the log: lines are queued, up to a bound, and written by a thread. What is left out
// because nobody reads is counted, and told when somebody does.
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

// What --log-format and --log-level take. Return false, and leave `out` as it is, for anything
// else.
bool ParseFormat(absl::string_view text, Format* out);
bool ParseLevel(absl::string_view text, Level* out);

// Thread-safe.
class LogWriter {
 public:
  struct Options {
    Format format = Format::kText;
    Level least = Level::kInfo;  // events below are not written
    int fd = 2;                  // stays open, and its owner's
  };

  explicit LogWriter(Options options);
  // As Flush.
  ~LogWriter();
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  void Write(const Event& event);
  // Says why the program cannot start: in text as it stands, in JSON as an event.
  void WriteFailure(absl::string_view why);
  // The same as a function, which must not outlive this.
  Log log() {
    return [this](const Event& event) { Write(event); };
  }
  // Returns when all is written, or nothing was taken for limits::kLogPatience.
  void Flush();

 private:
  std::string LineOf(const Event& event) const;
  void Queue(absl::string_view line) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Work();
  // Takes what waits to be written; waits for it. Empty: it is time to stop.
  std::string Take();
  // Writes all of it, or gives up when nothing is taken any more and `stopping_`.
  void WriteOut(absl::string_view lines);
  bool Stopping();

  const Options options_;
  Mutex mutex_;
  CondVar changed_;
  std::string queue_ ABSL_GUARDED_BY(mutex_);
  int64_t left_out_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t queued_ ABSL_GUARDED_BY(mutex_) = 0;   // bytes, since the start
  uint64_t written_ ABSL_GUARDED_BY(mutex_) = 0;  // of these; given up ones included
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace referee::log

#endif  // REFEREE_LOG_LOG_WRITER_H_
