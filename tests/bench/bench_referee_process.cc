#include "tests/bench/bench_referee_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cinttypes>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

extern char** environ;

namespace referee::bench {
namespace {

constexpr char kThisProgram[] = "/proc/self/exe";

absl::Status SystemError(absl::string_view what, int error) {
  return absl::UnavailableError(absl::StrCat(what, ": ", strerror(error)));
}

}  // namespace

absl::StatusOr<std::unique_ptr<ServerProcess>> ServerProcess::Start(
    const std::vector<std::string>& arguments) {
  int to_child[2];
  int from_child[2];
  if (pipe2(to_child, O_CLOEXEC) != 0) return SystemError("no pipe", errno);
  if (pipe2(from_child, O_CLOEXEC) != 0) return SystemError("no pipe", errno);
  std::vector<char*> argv = {const_cast<char*>("bench_referee")};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to_child[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, from_child[1], STDOUT_FILENO);
  pid_t pid = -1;
  const int error = posix_spawn(&pid, kThisProgram, &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(to_child[0]);
  close(from_child[1]);
  if (error != 0) {
    close(to_child[1]);
    close(from_child[0]);
    return SystemError("the server does not start", error);
  }
  std::unique_ptr<ServerProcess> process(
      new ServerProcess(pid, fdopen(to_child[1], "w"), fdopen(from_child[0], "r")));
  process->address_ = process->ReadLine();
  if (process->address_.empty()) return absl::UnavailableError("the server did not start");
  return process;
}

ServerProcess::~ServerProcess() {
  fclose(to_);
  waitpid(pid_, nullptr, 0);
  fclose(from_);
}

absl::StatusOr<ServerProcess::Sample> ServerProcess::Take() {
  fputs("sample\n", to_);
  fflush(to_);
  const std::string line = ReadLine();
  Sample sample;
  const int fields =
      sscanf(line.c_str(),
             "%" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
             &sample.cpu_micros, &sample.resident_bytes, &sample.instructions, &sample.turns,
             &sample.own_p50, &sample.own_p99, &sample.own_p999);
  if (fields != 7) return absl::UnavailableError("the server has gone");
  return sample;
}

std::string ServerProcess::ReadLine() {
  std::string line;
  for (int c = getc(from_); c != EOF && c != '\n'; c = getc(from_)) {
    line.push_back(static_cast<char>(c));
  }
  return line;
}

}  // namespace referee::bench
