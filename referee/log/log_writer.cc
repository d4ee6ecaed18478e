#include "referee/log/log_writer.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "referee/log/limits.h"
#include "referee/log/line.h"

namespace referee::log {
namespace {

// A pipe accepts this many bytes at once when poll reports it writable.
constexpr size_t kChunkBytes = 4096;
constexpr int kPollMillis = 100;

// The size of the next write: whole lines, unless the first is longer than a chunk.
size_t ChunkOf(absl::string_view lines) {
  if (lines.size() <= kChunkBytes) return lines.size();
  const size_t end = lines.rfind('\n', kChunkBytes - 1);
  return end == absl::string_view::npos ? kChunkBytes : end + 1;
}

}  // namespace

bool ParseFormat(absl::string_view text, Format* out) {
  if (text != "text" && text != "json") return false;
  *out = text == "json" ? Format::kJson : Format::kText;
  return true;
}

bool ParseLevel(absl::string_view text, Level* out) {
  for (const Level level : {Level::kDebug, Level::kInfo, Level::kWarning, Level::kError}) {
    if (text != LevelName(level)) continue;
    *out = level;
    return true;
  }
  return false;
}

LogWriter::LogWriter(Options options) : options_(options), thread_([this] { Work(); }) {}

LogWriter::~LogWriter() {
  Flush();
  {
    const MutexLock lock(&mutex_);
    stopping_ = true;
  }
  changed_.NotifyAll();
  thread_.join();
}

std::string LogWriter::LineOf(const Event& event) const {
  const absl::Time now = absl::Now();
  return options_.format == Format::kJson ? JsonLine(event, now) : TextLine(event, now);
}

void LogWriter::Write(const Event& event) {
  if (event.level < options_.least) return;
  const std::string line = LineOf(event);
  {
    const MutexLock lock(&mutex_);
    if (queued_ - written_ + line.size() > limits::kMaxLogQueueBytes) {
      ++left_out_;
      return;
    }
    Queue(line);
  }
  changed_.NotifyAll();
}

void LogWriter::Queue(absl::string_view line) {
  absl::StrAppend(&queue_, line);
  queued_ += line.size();
}

void LogWriter::WriteFailure(absl::string_view why) {
  if (options_.format == Format::kJson) {
    Write({Level::kError, "cannot_start", std::string(why)});
    return;
  }
  {
    const MutexLock lock(&mutex_);
    Queue(absl::StrCat(why, "\n"));
  }
  changed_.NotifyAll();
}

void LogWriter::Flush() {
  const MutexLock lock(&mutex_);
  const uint64_t all = queued_;
  absl::Time until = absl::Now() + limits::kLogPatience;
  uint64_t before = written_;
  while (written_ < all && absl::Now() < until) {
    changed_.WaitFor(&mutex_, absl::ToChronoNanoseconds(until - absl::Now()));
    if (std::exchange(before, written_) != written_) until = absl::Now() + limits::kLogPatience;
  }
}

void LogWriter::Work() {
  for (std::string lines; !(lines = Take()).empty();) WriteOut(lines);
}

std::string LogWriter::Take() {
  const MutexLock lock(&mutex_);
  while (queue_.empty() && !stopping_) changed_.Wait(&mutex_);
  std::string lines = std::exchange(queue_, "");
  const int64_t left_out = std::exchange(left_out_, 0);
  if (left_out > 0) {
    const std::string line = LineOf(Event(
        Level::kWarning, "log_left_out",
        absl::StrCat("log: nobody took it for a while, and ", left_out, " lines were left out")));
    lines += line;
    queued_ += line.size();
  }
  return lines;
}

bool LogWriter::Stopping() {
  const MutexLock lock(&mutex_);
  return stopping_;
}

void LogWriter::WriteOut(absl::string_view lines) {
  while (!lines.empty()) {
    pollfd ready{options_.fd, POLLOUT, 0};
    const int could = poll(&ready, 1, kPollMillis);
    if (could <= 0 && !Stopping()) continue;
    // A closed descriptor will never accept anything: drop the lines.
    ssize_t taken = could <= 0 ? -1 : write(options_.fd, lines.data(), ChunkOf(lines));
    if (could > 0 && taken < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (taken <= 0) taken = static_cast<ssize_t>(lines.size());
    lines.remove_prefix(static_cast<size_t>(taken));
    {
      const MutexLock lock(&mutex_);
      written_ += static_cast<uint64_t>(taken);
    }
    changed_.NotifyAll();
  }
}

}  // namespace referee::log
