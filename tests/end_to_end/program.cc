#include "tests/end_to_end/program.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace referee::end_to_end {
namespace {

namespace fs = std::filesystem;

std::string LogPath(const std::string& directory, pid_t pid, const char* stream) {
  return absl::StrCat(directory, "/", pid, ".", stream);
}

void Redirect(const std::string& path, int fd) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  dup2(file, fd);
  close(file);
}

}  // namespace

std::string Program(const std::string& name) {
  return (fs::path(REFEREE_BINARY_DIR) / name).string();
}

Sandbox::Sandbox() {
  mark_ = absl::StrCat("REFEREE_TEST_SANDBOX=", path());
  fs::create_directory(folder_.Path("tmp"));
}

Sandbox::~Sandbox() {
  for (const pid_t pid : Pids()) kill(pid, SIGKILL);
}

Ran Sandbox::Run(const std::vector<std::string>& command, const Environment& environment) {
  return Await(Start(command, environment));
}

pid_t Sandbox::Start(const std::vector<std::string>& command, const Environment& environment) {
  std::vector<std::string> arguments = command;
  arguments.front() = Program(arguments.front());
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const pid_t pid = fork();
  if (pid != 0) return pid;
  setenv("REFEREE_TEST_SANDBOX", path().c_str(), 1);
  setenv("TMPDIR", folder_.Path("tmp").c_str(), 1);
  unsetenv("REFEREE_ADDRESS");
  unsetenv("REFEREE_TOKEN");
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  if (descriptors_ > 0) {
    const rlim_t most = static_cast<rlim_t>(descriptors_);
    const rlimit limit{most, most};
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  Redirect(LogPath(path(), getpid(), "out"), STDOUT_FILENO);
  Redirect(LogPath(path(), getpid(), "err"), STDERR_FILENO);
  execv(argv.front(), argv.data());
  _exit(127);
}

Ran Sandbox::Await(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  Ran ran = Written(pid);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

Ran Sandbox::Written(pid_t pid) const {
  Ran ran;
  ran.out = testing::ReadFile(LogPath(path(), pid, "out"));
  ran.err = testing::ReadFile(LogPath(path(), pid, "err"));
  return ran;
}

bool Sandbox::TempIsEmpty() const { return fs::is_empty(folder_.Path("tmp")); }

void Sandbox::EmptyTemp() {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_.Path("tmp"))) {
    fs::remove_all(entry.path());
  }
}

std::vector<pid_t> Sandbox::Pids() const {
  std::vector<pid_t> pids;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (!std::all_of(name.begin(), name.end(), [](char c) { return std::isdigit(c) != 0; })) {
      continue;
    }
    // The environment of a zombie, or of somebody else's process, reads as empty.
    const std::string environment = testing::ReadFile(entry.path() / "environ");
    const bool own = std::stoi(name) == getpid();
    if (!own && absl::StrContains(environment, mark_)) pids.push_back(std::stoi(name));
  }
  return pids;
}

std::vector<std::string> Sandbox::Running() const {
  std::vector<std::string> commands;
  for (const pid_t pid : Pids()) {
    std::string command = testing::ReadFile(absl::StrCat("/proc/", pid, "/cmdline"));
    std::replace(command.begin(), command.end(), '\0', ' ');
    // It may have gone meanwhile.
    if (!command.empty()) commands.push_back(command);
  }
  return commands;
}

std::vector<std::string> Sandbox::Files(const std::string& below, const std::string& suffix) const {
  std::vector<std::string> files;
  const fs::path root = absl::StrCat(path(), "/", below);
  if (!fs::exists(root)) return files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    if (absl::EndsWith(entry.path().string(), suffix)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool HasEnded(pid_t pid) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == pid;
}

bool Eventually(const std::function<bool()>& condition, absl::Duration every) {
  // A condition may run a program, on the processor that the programs it waits for need: it rests
  // longer than it takes.
  constexpr int kRest = 3;
  constexpr absl::Duration kLongestRest = absl::Milliseconds(100);
  const absl::Time until = absl::Now() + absl::Minutes(1);
  for (;;) {
    const absl::Time begin = absl::Now();
    if (condition()) return true;
    const absl::Time end = absl::Now();
    if (end > until) return false;
    absl::SleepFor(std::max(every, std::min(kRest * (end - begin), kLongestRest)));
  }
}

}  // namespace referee::end_to_end
