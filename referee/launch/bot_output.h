// Copies the stdout and stderr of a bot from a pipe to a file of bounded size.
//
// The file keeps the first and the last megabyte, with a line between them that gives the number of
// bytes left out. The first megabyte is written at once, the last by the destructor.
#ifndef REFEREE_LAUNCH_BOT_OUTPUT_H_
#define REFEREE_LAUNCH_BOT_OUTPUT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/base/mutex.h"

namespace referee::launch {

// Thread-safe, except for the destructor.
class BotOutput {
 public:
  // Bytes kept of the beginning, and of the end.
  static constexpr size_t kKeptBytes = 1 << 20;

  // Creates the file, or empties it. Returns an error that names the file.
  static absl::StatusOr<std::unique_ptr<BotOutput>> Make(const std::string& path);

  // Reads the rest of the pipe and completes the file. Later output is lost, and its writer gets
  // SIGPIPE.
  ~BotOutput();
  BotOutput(const BotOutput&) = delete;
  BotOutput& operator=(const BotOutput&) = delete;

  // The write end of the pipe, for bots. It stays open, and is close-on-exec.
  int write_fd() const { return write_fd_; }

  // The last `limit` bytes written so far. REQUIRES: limit <= kKeptBytes.
  std::string Tail(size_t limit);

 private:
  BotOutput(int file_fd, int read_fd, int write_fd, int stop_fd);

  void Loop();
  // Reads from the pipe; returns false when no more output will come.
  bool Drain() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Take(absl::string_view bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The bytes kept of everything after the first megabyte.
  std::string Rest() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const int file_fd_;
  const int read_fd_;
  const int write_fd_;
  const int stop_fd_;
  Mutex mutex_;
  std::string buffer_ ABSL_GUARDED_BY(mutex_);  // for one read
  uint64_t total_ ABSL_GUARDED_BY(mutex_) = 0;
  std::string head_ ABSL_GUARDED_BY(mutex_);
  // A ring buffer of the latest bytes after the head. Once full, it begins at `oldest_`.
  std::string ring_ ABSL_GUARDED_BY(mutex_);
  size_t oldest_ ABSL_GUARDED_BY(mutex_) = 0;
  std::thread reader_;
};

}  // namespace referee::launch

#endif  // REFEREE_LAUNCH_BOT_OUTPUT_H_
