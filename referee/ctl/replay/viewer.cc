#include "referee/ctl/replay/viewer.h"

#include <fcntl.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "referee/base/process.h"

namespace referee::ctl {
namespace {

constexpr absl::string_view kEnter = "\x1b[?1049h\x1b[?25l";  // alternate screen, no cursor
constexpr absl::string_view kLeave = "\x1b[?25h\x1b[?1049l";
constexpr absl::string_view kClear = "\x1b[H\x1b[2J";

// Puts a terminal into raw mode on the alternate screen; the destructor restores it.
class RawTerminal {
 public:
  // REQUIRES: `fd` is a terminal.
  explicit RawTerminal(int fd) : fd_(fd) {
    tcgetattr(fd_, &before_);
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG | IEXTEN);
    raw.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(fd_, TCSAFLUSH, &raw);
    WriteOrDrop(fd_, kEnter);
  }
  ~RawTerminal() {
    WriteOrDrop(fd_, kLeave);
    tcsetattr(fd_, TCSAFLUSH, &before_);
  }
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

 private:
  const int fd_;
  termios before_;
};

void Draw(int fd, const MatchView& view) {
  WriteOrDrop(fd, absl::StrCat(kClear, absl::StrReplaceAll(view.Screen(), {{"\n", "\r\n"}})));
}

// Waits for keys, a signal, events, or the next step of a playing view. Sets `keys` if there are
// keys. Returns false if it cannot wait.
bool Await(int fd, int signals_fd, int news_fd, absl::Duration limit, bool* keys) {
  pollfd waits[] = {{fd, POLLIN, 0}, {signals_fd, POLLIN, 0}, {news_fd, POLLIN, 0}};
  const int timeout =
      limit == absl::InfiniteDuration()
          ? -1
          : static_cast<int>(absl::ToInt64Milliseconds(absl::Ceil(limit, absl::Milliseconds(1))));
  const int ready = poll(waits, 3, timeout);
  *keys = ready > 0 && waits[0].revents != 0;
  return ready >= 0 || errno == EINTR;
}

// Returns the signal that ended the view; 0 if the user did.
int Loop(int fd, SignalQueue* signals, const News& news, MatchView* view) {
  const RawTerminal terminal(fd);
  absl::Time shown = absl::Now();  // when the step was shown
  while (true) {
    view->Resize(TerminalSize());
    Draw(fd, *view);
    bool keys = false;
    const absl::Duration wait = shown + view->interval() - absl::Now();
    if (!Await(fd, signals->fd(), news.fd, std::max(wait, absl::ZeroDuration()), &keys)) return 0;
    const int signal = signals->Take();
    if (signal != 0 && signal != SIGWINCH) return signal;
    uint64_t count;
    if (news.fd >= 0 && read(news.fd, &count, sizeof(count)) == sizeof(count)) news.take(view);
    const size_t before = view->at();
    const bool played = view->interval() < absl::InfiniteDuration();
    if (keys) {
      char buffer[64];
      const ssize_t size = read(fd, buffer, sizeof(buffer));
      if (size <= 0) return 0;
      if (!view->Take({buffer, static_cast<size_t>(size)})) return 0;
    } else if (absl::Now() >= shown + view->interval()) {
      view->Tick();
    }
    const bool plays = view->interval() < absl::InfiniteDuration();
    if (view->at() != before || plays != played) shown = absl::Now();
  }
}

}  // namespace

absl::StatusOr<int> ViewMatch(const Course& course, const games::DrawStyle& style,
                              SignalQueue* signals, const News& news) {
  // Does not use stdin, which may be the source of the replay.
  const int fd = isatty(STDOUT_FILENO) == 1 ? open("/dev/tty", O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0)
    return absl::FailedPreconditionError(
        "stdin and stdout: not a terminal, which keys would come from; add --turn N or --turn "
        "last");
  MatchView view(course, style);
  const int signal = Loop(fd, signals, news, &view);
  close(fd);
  return signal;
}

}  // namespace referee::ctl
