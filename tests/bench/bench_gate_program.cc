#include "tests/bench/bench_gate_program.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

extern char** environ;

namespace referee::bench {
namespace {

// Ends this program when the gate ends without a port.
uint16_t AwaitPort(pid_t gate, const std::string& port_file) {
  while (waitpid(gate, nullptr, WNOHANG) == 0) {
    int port = 0;
    if (std::ifstream(port_file) >> port) return static_cast<uint16_t>(port);
    absl::SleepFor(absl::Milliseconds(20));
  }
  std::cerr << "refgate has ended\n";
  std::exit(2);
}

}  // namespace

GateProgram::GateProgram(const std::string& refgate, const std::string& referee, size_t watchers) {
  const std::string port_file = absl::StrCat("/tmp/bench_gate.", getpid(), ".port");
  const std::string most = absl::StrCat(watchers + 100);
  std::vector<std::string> words = {refgate,       "--referee",
                                    referee,       "--listen",
                                    "127.0.0.1:0", "--port-file",
                                    port_file,     "--max-connections",
                                    most,          "--max-connections-per-address",
                                    most};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(&word[0]);
  arguments.push_back(nullptr);
  if (posix_spawn(&pid_, refgate.c_str(), nullptr, nullptr, arguments.data(), environ) != 0) {
    std::cerr << "cannot start " << refgate << "\n";
    std::exit(2);
  }
  port_ = AwaitPort(pid_, port_file);
  unlink(port_file.c_str());
}

GateProgram::~GateProgram() {
  kill(pid_, SIGTERM);
  waitpid(pid_, nullptr, 0);
}

GateProgram::Usage GateProgram::Used() const {
  Usage usage;
  std::ifstream stat(absl::StrCat("/proc/", pid_, "/stat"));
  std::string field;
  for (int i = 1; i <= 15 && stat >> field; ++i) {
    double ticks = 0;
    if (i >= 14 && absl::SimpleAtod(field, &ticks)) {
      usage.cpu_seconds += ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
    }
  }
  std::ifstream status(absl::StrCat("/proc/", pid_, "/status"));
  while (status >> field) {
    if (field == "VmRSS:") status >> usage.resident_kb;
  }
  return usage;
}

int ConnectToEvents(uint16_t port, const std::string& match_id) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof(to)) != 0) {
    std::cerr << "cannot connect: " << strerror(errno) << "\n";
    std::exit(2);
  }
  const std::string request =
      absl::StrCat("GET /api/v1/matches/", match_id, "/events HTTP/1.1\r\nHost: bench\r\n\r\n");
  (void)!write(fd, request.data(), request.size());
  fcntl(fd, F_SETFL, O_NONBLOCK);
  return fd;
}

}  // namespace referee::bench
