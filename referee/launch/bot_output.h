// What a bot writes to stdout and stderr, through a pipe into a file that stays small: the first
// and the last megabyte are kept, with a line between them that says how much was left out. The
// file has the first megabyte at once, and the last when this goes.
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

// Thread-safe, but for the destructor.
class BotOutput {
 public:
  // What is kept of the start, and of the end.
  static constexpr size_t kKeptBytes = 1 << 20;

  // Makes the file anew. Returns an error that names it.
  static absl::StatusOr<std::unique_ptr<BotOutput>> Make(const std::string& path);

  // Takes what is in the pipe, and ends the file. What is written later is lost, and its writer
  // gets SIGPIPE.
  ~BotOutput();
  BotOutput(const BotOutput&) = delete;
  BotOutput& operator=(const BotOutput&) = delete;

  // The end of the pipe that bots write to; it stays open, and closes on exec.
  int write_fd() const { return write_fd_; }

  // The last bytes of all that was written by now, `limit` at most, which is at most kKeptBytes.
  std::string Tail(size_t limit);

 private:
  BotOutput(int file_fd, int read_fd, int write_fd, int stop_fd);

  void Loop();
  // Takes what is in the pipe; returns false when no more comes.
  bool Drain() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Take(absl::string_view bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // What is kept of all that came after the first megabyte.
  std::string Rest() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const int file_fd_;
  const int read_fd_;
  const int write_fd_;
  const int stop_fd_;
  Mutex mutex_;
  std::string buffer_ ABSL_GUARDED_BY(mutex_);  // for one read
  uint64_t total_ ABSL_GUARDED_BY(mutex_) = 0;
  std::string head_ ABSL_GUARDED_BY(mutex_);
  // The latest after that, in a ring: the oldest of it is at `oldest_` once it is full.
  std::string ring_ ABSL_GUARDED_BY(mutex_);
  size_t oldest_ ABSL_GUARDED_BY(mutex_) = 0;
  std::thread reader_;
};

}  // namespace referee::launch

#endif  // REFEREE_LAUNCH_BOT_OUTPUT_H_
