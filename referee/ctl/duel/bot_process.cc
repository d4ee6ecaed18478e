#include "referee/ctl/duel/bot_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "referee/base/errors.h"
#include "referee/ctl/errors.h"

namespace referee::ctl {
namespace {

constexpr size_t kTailBytes = 16 * 1024;
constexpr size_t kShownLineBytes = 300;
// Where the system cannot close a range: what a program of this kind may have open.
constexpr int kMaxInheritedFd = 65536;

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

// Whether a word is the shell's own, so that no program of that name takes the shell's place.
bool IsShellWord(absl::string_view word) {
  for (const absl::string_view own : {"exec", "exit", "eval", "command", "cd", ".", "!"}) {
    if (word == own) return true;
  }
  return absl::StrContains(word, '=');
}

// The command for the shell. A simple one takes the shell's place, so that the process that is
// watched, and that the system kills if need be, is the bot and not a shell in front of it.
std::string ShellCommand(absl::string_view command) {
  const absl::string_view first_word = command.substr(0, command.find(' '));
  const bool simple =
      command.find_first_of(";&|(){}\n") == absl::string_view::npos && !IsShellWord(first_word);
  return absl::StrCat(simple ? "exec " : "", command);
}

// What a process that is about to become the bot needs, made before it exists: between fork and
// exec only what is async-signal-safe may be called.
struct Launch {
  int log_fd;
  int null_fd;
  int guard_fd;
  pid_t parent;
  std::vector<char*> arguments;
  std::vector<char*> environment;
};

[[noreturn]] void BecomeBot(const Launch& launch) {
  setpgid(0, 0);
  // What stops this program must not leave the bot behind.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != launch.parent) _exit(127);
  // Its guard knows of it before it can start anything that would outlive it.
  const pid_t self = getpid();
  if (write(launch.guard_fd, &self, sizeof(self)) != sizeof(self)) _exit(127);
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD}) {
    sigaction(signal, &standard, nullptr);
  }
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  dup2(launch.null_fd, STDIN_FILENO);
  dup2(launch.log_fd, STDOUT_FILENO);
  dup2(launch.log_fd, STDERR_FILENO);
  execve("/bin/sh", launch.arguments.data(), launch.environment.data());
  _exit(127);
}

// Reads `size` bytes of a pipe; returns false if its other end was closed before.
bool ReadAll(int fd, void* bytes, size_t size) {
  for (size_t got = 0; got < size;) {
    const ssize_t more = read(fd, static_cast<char*>(bytes) + got, size - got);
    if (more == 0 || (more < 0 && errno != EINTR)) return false;
    if (more > 0) got += static_cast<size_t>(more);
  }
  return true;
}

// The guard of a process group, whose number is the first that comes through the pipe `fd`: waits
// until the other end is closed, and kills the group. It keeps nothing else open that it has
// inherited, such as the terminal.
[[noreturn]] void BecomeGuard(int fd) {
  setsid();
  prctl(PR_SET_NAME, "refctl guard");
  const int kept = 0;
  dup2(fd, kept);
  if (syscall(SYS_close_range, kept + 1, ~0U, 0) != 0) {
    for (int other = kept + 1; other < kMaxInheritedFd; ++other) close(other);
  }
  pid_t bot;
  if (!ReadAll(kept, &bot, sizeof(bot))) _exit(0);
  char nothing;
  ReadAll(kept, &nothing, sizeof(nothing));
  kill(-bot, SIGKILL);
  _exit(0);
}

// A line as it may be shown: what a terminal would obey is escaped, the rest stays as it is.
std::string ShownLine(absl::string_view line) {
  std::string shown;
  for (size_t i = 0; i < line.size(); ++i) {
    const auto byte = [line](size_t at) { return static_cast<uint8_t>(line[at]); };
    // The control characters beyond ASCII take two bytes.
    const bool wide = byte(i) == 0xc2 && i + 1 < line.size() && byte(i + 1) < 0xa0;
    if (line[i] == '\t') {
      shown += "    ";
    } else if (byte(i) >= 0x20 && byte(i) != 0x7f && !wide) {
      shown += line[i];
    } else {
      absl::StrAppend(&shown, "\\x", absl::Hex(byte(i), absl::kZeroPad2));
      if (wide) absl::StrAppend(&shown, "\\x", absl::Hex(byte(++i), absl::kZeroPad2));
    }
  }
  return shown;
}

std::string EndingText(const siginfo_t& info) {
  if (info.si_code == CLD_EXITED) {
    // What a shell says of commands that make no sense.
    const char* meaning = info.si_status == 127   ? " (no such command)"
                          : info.si_status == 126 ? " (not a program that may be run)"
                                                  : "";
    return absl::StrCat("exited with status ", info.si_status, meaning);
  }
  return absl::StrCat("was killed by signal ", info.si_status, " (", strsignal(info.si_status),
                      ")");
}

}  // namespace

absl::StatusOr<std::unique_ptr<BotProcess>> BotProcess::Start(const Options& options) {
  // Where it is ignored, as some programs have it when they start others, nothing could be awaited.
  signal(SIGCHLD, SIG_DFL);
  int guarded[2];
  if (pipe2(guarded, O_CLOEXEC) != 0) return NoProcess(errno);
  const int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

  std::string shell = "/bin/sh";
  std::string flag = "-c";
  std::string command = ShellCommand(options.command);
  std::vector<std::string> environment = Environment(options.environment);
  Launch launch{options.output->write_fd(),
                null_fd,
                guarded[1],
                getpid(),
                {shell.data(), flag.data(), command.data(), nullptr},
                {}};
  for (std::string& entry : environment) launch.environment.push_back(entry.data());
  launch.environment.push_back(nullptr);

  const pid_t guard = fork();
  if (guard == 0) BecomeGuard(guarded[0]);
  const pid_t pid = fork();
  if (pid == 0) BecomeBot(launch);
  const int error_number = errno;
  close(null_fd);
  close(guarded[0]);
  if (pid < 0) {
    close(guarded[1]);
    if (guard > 0) waitpid(guard, nullptr, 0);
    return NoProcess(error_number);
  }
  // Both sides set the group, so that neither sees the other without.
  setpgid(pid, pid);
  return std::unique_ptr<BotProcess>(
      new BotProcess(pid, {guard, guarded[1]}, options.output, options.on_exit));
}

BotProcess::BotProcess(pid_t pid, Guard guard, std::shared_ptr<BotOutput> output,
                       std::function<void()> on_exit)
    : pid_(pid),
      guard_(guard),
      output_(std::move(output)),
      waiter_([this, on_exit = std::move(on_exit)] { AwaitExit(on_exit); }) {}

BotProcess::~BotProcess() {
  KillAfter(absl::ZeroDuration());
  waiter_.join();
  close(guard_.pipe_fd);
  // Without one, where the system had no room for it, only the bot itself dies with this program.
  if (guard_.pid > 0) waitpid(guard_.pid, nullptr, 0);
  // Only now may the system use the number for another process.
  waitpid(pid_, nullptr, 0);
}

void BotProcess::AwaitExit(const std::function<void()>& on_exit) {
  siginfo_t info{};
  int waited;
  do {
    waited = waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT);
  } while (waited != 0 && errno == EINTR);
  {
    MutexLock lock(&mutex_);
    ending_ = EndingText(info);
    ended_.NotifyAll();
  }
  if (on_exit) on_exit();
}

absl::optional<std::string> BotProcess::ending() const {
  MutexLock lock(&mutex_);
  return ending_;
}

void BotProcess::Terminate() { kill(-pid_, SIGTERM); }

void BotProcess::KillAfter(absl::Duration limit) {
  const absl::Time until = absl::Now() + limit;
  {
    MutexLock lock(&mutex_);
    while (!ending_) {
      const absl::Duration left = until - absl::Now();
      if (left <= absl::ZeroDuration()) break;
      ended_.WaitFor(&mutex_, absl::ToChronoNanoseconds(left));
    }
  }
  // The bot may have gone and left processes of its own behind.
  kill(-pid_, SIGKILL);
}

std::string BotProcess::LogTail(int lines) const {
  return ShownTail(output_->Tail(kTailBytes), lines);
}

std::string ShownTail(absl::string_view text, int lines) {
  if (text.empty()) return "";
  std::vector<absl::string_view> all = absl::StrSplit(text, '\n');
  if (all.back().empty()) all.pop_back();
  const size_t shown = std::min(all.size(), static_cast<size_t>(lines));
  std::string result;
  for (size_t i = all.size() - shown; i < all.size(); ++i) {
    const absl::string_view line = all[i].substr(0, kShownLineBytes);
    absl::StrAppend(&result, result.empty() ? "" : "\n", "  | ", ShownLine(line),
                    line.size() < all[i].size() ? "..." : "");
  }
  return result;
}

}  // namespace referee::ctl
