#include "referee/launch/bot_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "absl/types/optional.h"
#include "referee/base/text.h"
#include "referee/launch/bot_command.h"
#include "referee/launch/process_tree.h"

namespace referee::launch {

// A request of the program to the guard, one byte. End of file on the socket means kill.
enum class GuardRequest : char { kTerminate = 'T', kKill = 'K' };

namespace {

// --- The guard ---

// Everything that a process needs to become the bot. It is prepared before the fork: between fork
// and exec, only async-signal-safe functions may be called.
struct BotLaunch {
  int log_fd = -1;  // for stdout and stderr
  int null_fd = -1;
  std::vector<char*> arguments;  // begins with the path of the program, ends with null
  std::vector<char*> environment;
  absl::optional<cpu_set_t> cpus;  // the CPUs that it may use; unset: all
  bool ignores_terminate = false;  // starts with SIGTERM ignored; the isolated program resets it
};

// A report of the guard to the program. The first has the bot's process id, which is also its
// process group; the second has its wait status, as in waitpid(2).
struct GuardReport {
  enum class Kind { kStarted, kEnded } kind;
  int value;  // negative if the bot could not be started: the errno
};

// Used where the system cannot close a range: the highest descriptor that the program may have
// open.
constexpr int kMaxInheritedFd = 65536;
// The guard's descriptor for its socket, instead of stdin.
constexpr int kControlFd = 0;

void CloseFrom(int first) {
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
  for (int fd = first; fd < kMaxInheritedFd; ++fd) close(fd);
}

[[noreturn]] void BecomeBot(const BotLaunch& launch, pid_t guard, int log_fd, int null_fd) {
  setpgid(0, 0);
  // If the guard is killed, the kernel kills the bot.
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

// The guard's state. It allocates no memory: the process is a copy of one thread of many.
class GuardState {
 public:
  explicit GuardState(pid_t bot) : bot_(bot) {}

  // Reaps children that have ended.
  void Reap() {
    int status = 0;
    for (pid_t child; (child = waitpid(-1, &status, WNOHANG)) > 0;) Note(child, status);
  }

  // Sends SIGTERM to the bot's group, or to the remaining children if the bot has ended.
  void Terminate() {
    if (bot_ > 0) {
      kill(-bot_, SIGTERM);
    } else {
      SignalChildren(SIGTERM);
    }
  }

  // The children of a child that dies become children of the guard, and are killed in turn.
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

  // Sends a signal to all children. Their ids cannot have been reused, because only the guard waits
  // for them. Returns false if there are none, or if the system does not list them.
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

  pid_t bot_;  // 0 once reaped
};

// Returns a descriptor that reports SIGCHLD. Call this before there are children. Blocks the
// signals that would end the guard. A SIGTERM for a bot that is about to start stays pending until
// the bot unblocks it.
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
  // Both parent and child set the group, so that it is set whichever runs first.
  if (bot > 0) setpgid(bot, bot);
  send(kControlFd, &report, sizeof(report), MSG_NOSIGNAL);
  return bot;
}

// Runs the guard in a newly forked process, and ends the process. `control_fd` is a SOCK_SEQPACKET
// socket.
[[noreturn]] void RunGuard(const BotLaunch& launch, int control_fd) {
  // In a session of its own, the bot has no terminal and gets no signals from one.
  setsid();
  prctl(PR_SET_NAME, "refctl guard");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  // Moves the descriptors above those that the guard uses.
  const int log_fd = fcntl(launch.log_fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int null_fd = fcntl(launch.null_fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  dup2(control_fd, kControlFd);
  const int children = WatchChildren();
  const pid_t bot = StartBot(launch, log_fd, null_fd);
  if (bot <= 0) _exit(1);
  // Closes all other inherited descriptors, such as the terminal.
  dup2(children, kControlFd + 1);
  CloseFrom(kControlFd + 2);
  GuardState guard(bot);
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

// --- The program ---

constexpr size_t kTailBytes = 16 * 1024;
constexpr size_t kShownLineBytes = 300;
// The environment of this process with `changes`, as NAME=value.
std::vector<std::string> Environment(
    const std::vector<std::pair<std::string, std::string>>& changes) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const bool replaced = std::any_of(changes.begin(), changes.end(), [entry](const auto& change) {
      return absl::StartsWith(*entry, absl::StrCat(change.first, "="));
    });
    if (!replaced) result.emplace_back(*entry);
  }
  for (const auto& [name, value] : changes) result.push_back(absl::StrCat(name, "=", value));
  return result;
}

// Whether a word is a shell builtin or an assignment, neither of which "exec" can run.
bool IsShellWord(absl::string_view word) {
  for (const absl::string_view own : {"exec", "exit", "eval", "command", "cd", ".", "!"}) {
    if (word == own) return true;
  }
  return absl::StrContains(word, '=');
}

// The command line for the shell. A simple command is run with "exec", so that the watched process
// is the bot and not a shell. This is also the process that the system kills if memory is short.
std::string ShellCommand(absl::string_view command) {
  const absl::string_view first_word = command.substr(0, command.find(' '));
  const bool simple =
      command.find_first_of(";&|(){}\n") == absl::string_view::npos && !IsShellWord(first_word);
  return absl::StrCat(simple ? "exec " : "", command);
}

absl::optional<cpu_set_t> CpuSet(const std::vector<int>& cpus) {
  if (cpus.empty()) return absl::nullopt;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(cpu, &set);
  return set;
}

// Waits for the process id of the bot that the guard started; negative: the errno.
pid_t AwaitStart(int control_fd) {
  GuardReport report{};
  ssize_t size;
  do {
    size = recv(control_fd, &report, sizeof(report), 0);
  } while (size < 0 && errno == EINTR);
  return size == sizeof(report) ? report.value : -ECHILD;
}

// A line for display: everything that is not plain text is escaped.
std::string ShownLine(absl::string_view line) {
  return OneLine(absl::StrReplaceAll(line, {{"\t", "    "}}));
}

absl::Status NoProcess(int error_number) {
  return absl::ResourceExhaustedError(
      absl::StrCat("no process can be made: ", std::generic_category().message(error_number)));
}

std::string EndingText(int status, bool isolated) {
  // Bubblewrap reports signals as a shell does, as 128 + the signal.
  constexpr int kShellSignal = 128;
  int exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  int signal = WIFEXITED(status) ? 0 : WTERMSIG(status);
  if (isolated && exit_status > kShellSignal) signal = exit_status - kShellSignal;
  if (signal == 0) {
    // The exit statuses by which shells report commands that cannot run.
    const char* meaning = exit_status == 127   ? " (no such command)"
                          : exit_status == 126 ? " (not a program that may be run)"
                                               : "";
    return absl::StrCat("exited with status ", exit_status, meaning);
  }
  return absl::StrCat("was killed by signal ", signal, " (", strsignal(signal), ")");
}

}  // namespace

std::vector<std::pair<std::string, std::string>> BotEnvironment(const std::string& address,
                                                                const std::string& token) {
  return {{"REFEREE_ADDRESS", address},
          {"REFEREE_TOKEN", token},
          {"REFEREE_TLS_CA", ""},
          {"REFEREE_TLS_CERT", ""},
          {"REFEREE_TLS_KEY", ""}};
}

absl::StatusOr<std::unique_ptr<BotProcess>> BotProcess::Start(const Options& options) {
  if (absl::Status good = CheckScript(options.command); !good.ok()) return good;
  // If SIGCHLD is ignored, as some parents leave it, children cannot be waited for.
  signal(SIGCHLD, SIG_DFL);
  // This program's memory contains future dice. The guard inherits this setting; the bot does not.
  prctl(PR_SET_DUMPABLE, 0);
  int control[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) != 0) return NoProcess(errno);
  const int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

  std::vector<std::string> arguments = {"/bin/sh", "-c", ShellCommand(options.command)};
  std::vector<std::string> environment = Environment(options.environment);
  if (options.isolation) {
    arguments = options.isolation->Wrap(std::move(arguments));
    environment = options.isolation->Filter(environment);
  }
  BotLaunch launch{options.output->write_fd(),   null_fd, {}, {}, CpuSet(options.cpus),
                   options.isolation.has_value()};
  for (std::string& argument : arguments) launch.arguments.push_back(argument.data());
  launch.arguments.push_back(nullptr);
  for (std::string& entry : environment) launch.environment.push_back(entry.data());
  launch.environment.push_back(nullptr);

  const pid_t guard = fork();
  if (guard == 0) RunGuard(launch, control[1]);
  const int error_number = errno;
  close(null_fd);
  close(control[1]);
  const pid_t pid = guard < 0 ? -error_number : AwaitStart(control[0]);
  if (pid <= 0) {
    close(control[0]);
    if (guard > 0) waitpid(guard, nullptr, 0);
    return NoProcess(-pid);
  }
  return std::unique_ptr<BotProcess>(new BotProcess(pid, {guard, control[0]}, options));
}

BotProcess::BotProcess(pid_t pid, Guard guard, const Options& options)
    : pid_(pid),
      guard_(guard),
      output_(options.output),
      isolated_(options.isolation.has_value()),
      waiter_([this, on_exit = options.on_exit] { AwaitExit(on_exit); }) {}

BotProcess::~BotProcess() {
  KillAfter(absl::ZeroDuration());
  waiter_.join();
  // The guard ends once no process of the bot is left.
  close(guard_.control_fd);
  waitpid(guard_.pid, nullptr, 0);
}

void BotProcess::AwaitExit(const std::function<void()>& on_exit) {
  GuardReport report{};
  ssize_t size;
  do {
    size = recv(guard_.control_fd, &report, sizeof(report), 0);
  } while (size < 0 && errno == EINTR);
  const bool told = size == sizeof(report);
  // The guard was killed, and the bot with it, but not the bot's descendants.
  if (!told) kill(-pid_, SIGKILL);
  {
    MutexLock lock(&mutex_);
    ending_ = told ? EndingText(report.value, isolated_) : "was killed together with its guard";
    ended_.NotifyAll();
  }
  if (on_exit) on_exit();
}

bool BotProcess::Owns(pid_t process) const { return DescendsFrom(process, guard_.pid); }

void BotProcess::Ask(GuardRequest request) const {
  send(guard_.control_fd, &request, sizeof(request), MSG_NOSIGNAL);
}

absl::optional<std::string> BotProcess::AwaitEnding(absl::Duration limit) const {
  const absl::Time until = absl::Now() + limit;
  MutexLock lock(&mutex_);
  while (!ending_) {
    const absl::Duration left = until - absl::Now();
    if (left <= absl::ZeroDuration()) break;
    ended_.WaitFor(&mutex_, absl::ToChronoNanoseconds(left));
  }
  return ending_;
}

void BotProcess::Terminate() { Ask(GuardRequest::kTerminate); }

void BotProcess::KillAfter(absl::Duration limit) {
  AwaitEnding(limit);
  // The bot may have ended and left descendants.
  Ask(GuardRequest::kKill);
}

std::string BotProcess::LogTail(int lines) const {
  return ShownLines(LastLines(output_->Tail(kTailBytes), lines));
}

std::vector<std::string> LastLines(absl::string_view text, int lines) {
  if (text.empty()) return {};
  std::vector<absl::string_view> all = absl::StrSplit(text, '\n');
  if (all.back().empty()) all.pop_back();
  const size_t shown = std::min(all.size(), static_cast<size_t>(lines));
  std::vector<std::string> last;
  for (size_t i = all.size() - shown; i < all.size(); ++i) {
    const absl::string_view all_of_it = absl::StripSuffix(all[i], "\r");
    const absl::string_view line = all_of_it.substr(0, kShownLineBytes);
    last.push_back(absl::StrCat(ShownLine(line), line.size() < all_of_it.size() ? "..." : ""));
  }
  return last;
}

std::string ShownLines(const std::vector<std::string>& lines) {
  return absl::StrJoin(lines, "\n", [](std::string* out, const std::string& line) {
    absl::StrAppend(out, "  | ", line);
  });
}

}  // namespace referee::launch
