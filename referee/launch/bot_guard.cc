#include "referee/launch/bot_guard.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace referee::launch {
namespace {

// Where the system cannot close a range: what a program of this kind may have open.
constexpr int kMaxInheritedFd = 65536;
// Where the guard keeps its socket, in the place of stdin.
constexpr int kControlFd = 0;

void CloseFrom(int first) {
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
  for (int fd = first; fd < kMaxInheritedFd; ++fd) close(fd);
}

[[noreturn]] void BecomeBot(const BotLaunch& launch, pid_t guard, int log_fd, int null_fd) {
  setpgid(0, 0);
  // A guard that is killed must not leave the bot behind.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != guard) _exit(127);
  if (launch.cpus) sched_setaffinity(0, sizeof(cpu_set_t), &*launch.cpus);
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD}) {
    sigaction(signal, &standard, nullptr);
  }
  if (launch.ignores_terminate) signal(SIGTERM, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  dup2(null_fd, STDIN_FILENO);
  dup2(log_fd, STDOUT_FILENO);
  dup2(log_fd, STDERR_FILENO);
  CloseFrom(STDERR_FILENO + 1);
  execve(launch.arguments.front(), launch.arguments.data(), launch.environment.data());
  _exit(127);
}

// The guard's state. It allocates nothing: the process is the copy of one thread of many.
class Guard {
 public:
  explicit Guard(pid_t bot) : bot_(bot) {}

  // Waits for children that have ended.
  void Reap() {
    int status = 0;
    for (pid_t child; (child = waitpid(-1, &status, WNOHANG)) > 0;) Note(child, status);
  }

  // The bot's group, or what is left of the bot.
  void Terminate() {
    if (bot_ > 0) {
      kill(-bot_, SIGTERM);
    } else {
      SignalChildren(SIGTERM);
    }
  }

  // The children of a child that dies become ours, and are killed in their turn.
  void KillAll() {
    if (bot_ > 0) kill(-bot_, SIGKILL);
    int status = 0;
    while (SignalChildren(SIGKILL)) {
      const pid_t child = waitpid(-1, &status, 0);
      if (child < 0 && errno == ECHILD) return;
      if (child > 0) Note(child, status);
      Reap();
    }
    Reap();
  }

 private:
  void Note(pid_t child, int status) {
    if (child != bot_) return;
    bot_ = 0;
    const GuardReport report{GuardReport::Kind::kEnded, status};
    send(kControlFd, &report, sizeof(report), MSG_NOSIGNAL);
  }

  // Sends a signal to all children. No other process can have their numbers: nobody else waits for
  // them. Returns false if there are none, or the system does not list them.
  static bool SignalChildren(int signal) {
    const int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    bool any = false;
    pid_t number = 0;
    char text[4096];
    for (ssize_t size; (size = read(fd, text, sizeof(text))) > 0;) {
      for (ssize_t i = 0; i < size; ++i) {
        if (text[i] >= '0' && text[i] <= '9') {
          number = number * 10 + (text[i] - '0');
        } else if (number > 0) {
          any = true;
          kill(number, signal);
          number = 0;
        }
      }
    }
    close(fd);
    return any;
  }

  pid_t bot_;  // 0 once it was waited for
};

// Returns a descriptor that reports SIGCHLD. Call it before there are children. It blocks the
// signals that would end the guard: a SIGTERM for a bot that is about to start waits until the bot
// takes it.
int WatchChildren() {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigset_t blocked = child;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&blocked, signal);
  sigprocmask(SIG_SETMASK, &blocked, nullptr);
  return signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
}

pid_t StartBot(const BotLaunch& launch, int log_fd, int null_fd) {
  const pid_t guard = getpid();
  const pid_t bot = fork();
  if (bot == 0) BecomeBot(launch, guard, log_fd, null_fd);
  const GuardReport report{GuardReport::Kind::kStarted, bot > 0 ? bot : -errno};
  // Both sides set the group, so that neither sees the other without.
  if (bot > 0) setpgid(bot, bot);
  send(kControlFd, &report, sizeof(report), MSG_NOSIGNAL);
  return bot;
}

}  // namespace

void RunGuard(const BotLaunch& launch, int control_fd) {
  // A session of its own: the bot has no terminal, and gets no signals from one.
  setsid();
  prctl(PR_SET_NAME, "refctl guard");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  // Out of the way of what the guard keeps open.
  const int log_fd = fcntl(launch.log_fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int null_fd = fcntl(launch.null_fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  dup2(control_fd, kControlFd);
  const int children = WatchChildren();
  const pid_t bot = StartBot(launch, log_fd, null_fd);
  if (bot <= 0) _exit(1);
  // It keeps nothing else open that it has inherited, such as the terminal.
  dup2(children, kControlFd + 1);
  CloseFrom(kControlFd + 2);
  Guard guard(bot);
  pollfd events[] = {{kControlFd, POLLIN, 0}, {kControlFd + 1, POLLIN, 0}};
  for (;;) {
    if (poll(events, 2, -1) < 0) continue;
    signalfd_siginfo ignored;
    while (read(kControlFd + 1, &ignored, sizeof(ignored)) > 0) continue;
    guard.Reap();
    if (events[0].revents == 0) continue;
    GuardRequest request{};
    const ssize_t size = recv(kControlFd, &request, sizeof(request), 0);
    if (size < 0 && errno == EINTR) continue;
    if (size == 1 && request == GuardRequest::kTerminate) {
      guard.Terminate();
    } else {
      guard.KillAll();
    }
    if (size <= 0) _exit(0);
  }
}

}  // namespace referee::launch
