#include "referee/launch/bot_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "referee/base/text.h"
#include "referee/launch/bot_command.h"
#include "referee/launch/process_tree.h"

namespace referee::launch {
namespace {

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

absl::optional<cpu_set_t> CpuSet(const std::vector<int>& cpus) {
  if (cpus.empty()) return absl::nullopt;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(cpu, &set);
  return set;
}

// The number of the bot that the guard has started; negative: the errno.
pid_t AwaitStart(int control_fd) {
  GuardReport report{};
  ssize_t size;
  do {
    size = recv(control_fd, &report, sizeof(report), 0);
  } while (size < 0 && errno == EINTR);
  return size == sizeof(report) ? report.value : -ECHILD;
}

// A line as it may be shown: what plain text excludes is escaped, the rest stays as it is.
std::string ShownLine(absl::string_view line) {
  return OneLine(absl::StrReplaceAll(line, {{"\t", "    "}}));
}

absl::Status NoProcess(int error_number) {
  return absl::ResourceExhaustedError(
      absl::StrCat("no process can be made: ", std::generic_category().message(error_number)));
}

std::string EndingText(int status, bool isolated) {
  // The program that isolates the bot reports signals as a shell does.
  constexpr int kShellSignal = 128;
  int exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  int signal = WIFEXITED(status) ? 0 : WTERMSIG(status);
  if (isolated && exit_status > kShellSignal) signal = exit_status - kShellSignal;
  if (signal == 0) {
    // What a shell says of commands that make no sense.
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
  // Where it is ignored, as some programs have it when they start others, nothing could be awaited.
  signal(SIGCHLD, SIG_DFL);
  // This program's memory has the dice of matches to come. The guard inherits this, the bot does
  // not.
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
  // The guard ends when nothing is left of the bot.
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
  // Somebody has killed the guard, and with it the bot; not what the bot has started.
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
  // The bot may have gone and left processes of its own behind.
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
