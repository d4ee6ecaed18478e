#include "tests/bench/bench_referee_server.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"

namespace referee::bench {
namespace {

int64_t CpuMicros() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto micros = [](const timeval& time) { return time.tv_sec * 1'000'000 + time.tv_usec; };
  return micros(usage.ru_utime) + micros(usage.ru_stime);
}

int64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  int64_t total = 0;
  int64_t resident = 0;
  file >> total >> resident;
  return resident * getpagesize();
}

std::string Sample(Server* server) {
  std::string line = absl::StrCat(CpuMicros(), " ", ResidentBytes());
  if (server->own_times() == nullptr) return line + " 0 0 0 0";
  const Histogram::Taken taken = server->own_times()->Take();
  absl::StrAppend(&line, " ", taken.size());
  for (double quantile : {0.5, 0.99, 0.999}) absl::StrAppend(&line, " ", taken.At(quantile));
  return line;
}

}  // namespace

std::string TokenOf(int index) { return absl::StrCat("token-of-b", index); }

int Serve(const ServerSettings& settings) {
  // Debian builds Abseil so that each of its locks, of which gRPC takes many, looks for deadlocks.
  // The referee itself uses none of these locks.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  auto server = settings.kind == kReferee ? StartReferee(settings) : StartEcho(settings);
  if (!server.ok()) {
    std::cerr << "bench_referee: " << server.status() << "\n";
    return 2;
  }
  std::cout << (*server)->address() << std::endl;
  std::string line;
  while (std::getline(std::cin, line)) std::cout << Sample(server->get()) << std::endl;
  return 0;
}

}  // namespace referee::bench
