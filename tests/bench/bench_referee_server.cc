#include "tests/bench/bench_referee_server.h"

#include <grpcpp/security/server_credentials.h>
#include <linux/perf_event.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>

#include "absl/strings/match.h"
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

// Counts the instructions of this thread and of all that it starts from then on, in the kernel too:
// what else runs on the machine hardly changes their number.
class InstructionCounter {
 public:
  InstructionCounter() {
    perf_event_attr attributes{};
    attributes.size = sizeof(attributes);
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
    attributes.inherit = 1;
    attributes.exclude_hv = 1;
    fd_ = static_cast<int>(
        syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
  }
  ~InstructionCounter() {
    if (fd_ >= 0) close(fd_);
  }
  InstructionCounter(const InstructionCounter&) = delete;
  InstructionCounter& operator=(const InstructionCounter&) = delete;

  // 0 where the machine counts none, or not for us.
  uint64_t count() const {
    uint64_t count = 0;
    return fd_ >= 0 && read(fd_, &count, sizeof(count)) == sizeof(count) ? count : 0;
  }

 private:
  int fd_ = -1;
};

std::string Sample(Server* server, const InstructionCounter& instructions) {
  std::string line = absl::StrCat(CpuMicros(), " ", ResidentBytes(), " ", instructions.count());
  if (server->own_times() == nullptr) return line + " 0 0 0 0";
  const Histogram::Taken taken = server->own_times()->Take();
  absl::StrAppend(&line, " ", taken.size());
  for (double quantile : {0.5, 0.99, 0.999}) absl::StrAppend(&line, " ", taken.At(quantile));
  return line;
}

}  // namespace

absl::Status GrpcServer::Listen(grpc::Service* service, grpc::ServerBuilder* builder) {
  int port = 0;
  builder->AddListeningPort(listen_, grpc::InsecureServerCredentials(), &port);
  builder->RegisterService(service);
  server_ = builder->BuildAndStart();
  if (server_ == nullptr) return absl::UnavailableError(absl::StrCat("cannot listen: ", listen_));
  address_ = absl::StartsWith(listen_, "unix:") ? listen_ : absl::StrCat("127.0.0.1:", port);
  return absl::OkStatus();
}

void GrpcServer::Shutdown() {
  if (server_) server_->Shutdown(std::chrono::system_clock::now());
}

std::string TokenOf(int index) { return absl::StrCat("token-of-b", index); }

int Serve(const ServerSettings& settings) {
  // Debian builds Abseil so that each of its locks, of which gRPC takes many, looks for deadlocks.
  // The referee itself uses none of these locks.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  const InstructionCounter instructions;
  auto server = settings.kind == kReferee ? StartReferee(settings)
                : settings.kind == kBare  ? StartBare(settings)
                                          : StartEcho(settings);
  if (!server.ok()) {
    std::cerr << "bench_referee: " << server.status() << "\n";
    return 2;
  }
  std::cout << (*server)->address() << std::endl;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::cout << Sample(server->get(), instructions) << std::endl;
  }
  return 0;
}

}  // namespace referee::bench
