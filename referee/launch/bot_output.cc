#include "referee/launch/bot_output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/process.h"

namespace referee::launch {
namespace {

constexpr size_t kReadBytes = 64 * 1024;
// Reads per lock: bounds how long a bot that writes without pause holds the lock.
constexpr int kReadsAtOnce = 64;

}  // namespace

absl::StatusOr<std::unique_ptr<BotOutput>> BotOutput::Make(const std::string& path) {
  const int file_fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
  if (file_fd < 0) return FileError("cannot write", path, errno);
  int ends[2] = {-1, -1};
  const int piped = pipe2(ends, O_CLOEXEC);
  const int stop_fd = piped == 0 ? eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1;
  if (stop_fd < 0) {
    const int error_number = errno;
    for (const int fd : {file_fd, ends[0], ends[1]}) {
      if (fd >= 0) close(fd);
    }
    return FileError("cannot make a pipe for", path, error_number);
  }
  // Only the read end does not block: bots are to wait, as for a file.
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return std::unique_ptr<BotOutput>(new BotOutput(file_fd, ends[0], ends[1], stop_fd));
}

BotOutput::BotOutput(int file_fd, int read_fd, int write_fd, int stop_fd)
    : file_fd_(file_fd),
      read_fd_(read_fd),
      write_fd_(write_fd),
      stop_fd_(stop_fd),
      buffer_(kReadBytes, '\0'),
      reader_([this] { Loop(); }) {}

BotOutput::~BotOutput() {
  const uint64_t one = 1;
  static_cast<void>(!write(stop_fd_, &one, sizeof(one)));
  reader_.join();
  MutexLock lock(&mutex_);
  Drain();
  const uint64_t kept = head_.size() + ring_.size();
  if (total_ > kept) {
    WriteOrDrop(file_fd_, absl::StrCat("\n[", total_ - kept, " bytes are left out here]\n"));
  }
  WriteOrDrop(file_fd_, Rest());
  for (const int fd : {file_fd_, read_fd_, write_fd_, stop_fd_}) close(fd);
}

void BotOutput::Loop() {
  for (;;) {
    pollfd waits[] = {{read_fd_, POLLIN, 0}, {stop_fd_, POLLIN, 0}};
    if (poll(waits, 2, /*timeout=*/-1) < 0) {
      if (errno == EINTR) continue;
      return;
    }
    if (waits[1].revents != 0) return;
    MutexLock lock(&mutex_);
    if (!Drain()) return;
  }
}

bool BotOutput::Drain() {
  for (int i = 0; i < kReadsAtOnce; ++i) {
    const ssize_t size = read(read_fd_, buffer_.data(), buffer_.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno == EAGAIN;
    if (size == 0) return false;
    Take(absl::string_view(buffer_).substr(0, static_cast<size_t>(size)));
  }
  return true;
}

void BotOutput::Take(absl::string_view bytes) {
  total_ += bytes.size();
  const absl::string_view first = bytes.substr(0, kKeptBytes - head_.size());
  // Output that the disk refuses is lost: a duel does not fail because of a bot's log.
  WriteOrDrop(file_fd_, first);
  head_.append(first.data(), first.size());
  bytes.remove_prefix(first.size());
  const absl::string_view filling = bytes.substr(0, kKeptBytes - ring_.size());
  ring_.append(filling.data(), filling.size());
  bytes.remove_prefix(filling.size());
  while (!bytes.empty()) {
    const size_t size = std::min(bytes.size(), kKeptBytes - oldest_);
    ring_.replace(oldest_, size, bytes.data(), size);
    oldest_ = (oldest_ + size) % kKeptBytes;
    bytes.remove_prefix(size);
  }
}

std::string BotOutput::Rest() const {
  return absl::StrCat(absl::string_view(ring_).substr(oldest_),
                      absl::string_view(ring_).substr(0, oldest_));
}

std::string BotOutput::Tail(size_t limit) {
  MutexLock lock(&mutex_);
  Drain();
  const std::string rest = Rest();
  const absl::string_view all = rest;
  if (all.size() >= limit) return std::string(all.substr(all.size() - limit));
  // If bytes were left out, the ring is full, and they precede it.
  const bool gap = total_ > head_.size() + ring_.size();
  const absl::string_view before = gap ? absl::string_view() : absl::string_view(head_);
  const size_t more = std::min(before.size(), limit - all.size());
  return absl::StrCat(before.substr(before.size() - more), all);
}

}  // namespace referee::launch
