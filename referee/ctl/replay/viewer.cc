#include "referee/ctl/replay/viewer.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "referee/ctl/errors.h"

namespace referee::ctl {
namespace {

constexpr absl::string_view kEnter = "\x1b[?1049h\x1b[?25l";  // another screen, no cursor
constexpr absl::string_view kLeave = "\x1b[?25h\x1b[?1049l";
constexpr absl::string_view kClear = "\x1b[H\x1b[2J";
constexpr absl::string_view kHelp = "arrows: turn by turn   PgUp PgDn: by ten   Home End   q: quit";

void Write(int fd, absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // the terminal is gone; the next read says so
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

// The terminal with keys as they are pressed, on a screen of its own; as it was when this goes.
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
    Write(fd_, kEnter);
  }
  ~RawTerminal() {
    Write(fd_, kLeave);
    tcsetattr(fd_, TCSAFLUSH, &before_);
  }
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

  size_t rows() const {
    winsize size;
    return ioctl(fd_, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : 24;
  }

 private:
  const int fd_;
  termios before_;
};

// Signals as something to poll for, so that none comes between a change of the terminal and its
// undoing. Puts the signal mask back when it goes.
class SignalQueue {
 public:
  SignalQueue() {
    sigset_t watched;
    sigemptyset(&watched);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGWINCH}) sigaddset(&watched, signal);
    pthread_sigmask(SIG_BLOCK, &watched, &before_);
    fd_ = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
  }
  ~SignalQueue() {
    close(fd_);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  SignalQueue(const SignalQueue&) = delete;
  SignalQueue& operator=(const SignalQueue&) = delete;

  int fd() const { return fd_; }
  // The next signal; 0 if there is none.
  int Take() {
    signalfd_siginfo info;
    return read(fd_, &info, sizeof(info)) == sizeof(info) ? static_cast<int>(info.ssi_signo) : 0;
  }

 private:
  int fd_;
  sigset_t before_;
};

// As many lines as fit, and the help below them.
std::string Fit(absl::string_view screen, size_t rows) {
  std::vector<absl::string_view> lines = absl::StrSplit(screen, '\n');
  lines.resize(std::min(lines.size(), rows - std::min<size_t>(rows, 1)));
  std::string out(kClear);
  for (const absl::string_view line : lines) absl::StrAppend(&out, line, "\r\n");
  return absl::StrCat(out, kHelp);
}

// Returns the signal that ended the view; 0 if the user did.
int Loop(int fd, const replay::Replay& replay, const replay::Playback& playback,
         const games::DrawStyle& style) {
  SignalQueue signals;
  const RawTerminal terminal(fd);
  size_t at = 0;
  while (true) {
    Write(fd, Fit(ReplayScreen(replay, playback, at, style), terminal.rows()));
    pollfd waits[] = {{fd, POLLIN, 0}, {signals.fd(), POLLIN, 0}};
    if (poll(waits, 2, /*timeout=*/-1) < 0 && errno != EINTR) return 0;
    const int signal = signals.Take();
    if (signal != 0 && signal != SIGWINCH) return signal;
    if (waits[0].revents == 0) continue;
    char buffer[64];
    const ssize_t size = read(fd, buffer, sizeof(buffer));
    if (size <= 0) return 0;
    absl::string_view bytes(buffer, static_cast<size_t>(size));
    while (!bytes.empty()) {
      const ViewerKey key = TakeViewerKey(&bytes);
      if (key == ViewerKey::kQuit) return 0;
      at = StepAfterKey(key, at, playback.steps().size());
    }
  }
}

}  // namespace

absl::Status ViewReplay(const replay::Replay& replay, const replay::Playback& playback,
                        const games::DrawStyle& style) {
  // Not stdin, from which the replay itself may have come.
  const int fd = isatty(STDOUT_FILENO) == 1 ? open("/dev/tty", O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return NotATerminal();
  const int signal = Loop(fd, replay, playback, style);
  close(fd);
  if (signal != 0) raise(signal);
  return absl::OkStatus();
}

}  // namespace referee::ctl
