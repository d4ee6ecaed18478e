// A measured server, or a bot that loads it, as the process that measures sees it.
#ifndef REFEREE_TESTS_BENCH_BENCH_REFEREE_PROCESS_H_
#define REFEREE_TESTS_BENCH_BENCH_REFEREE_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace referee::bench {

// A child that runs this very program. Thread-compatible.
class ServerProcess {
 public:
  struct Sample {
    int64_t cpu_micros = 0;  // since the start
    int64_t resident_bytes = 0;
    int64_t instructions = 0;  // since the start; 0 if unknown
    // Since the last sample: turns whose own time is known, and its percentiles in ns. Of a bot,
    // turns since the start, and nothing else.
    uint64_t turns = 0;
    uint64_t own_p50 = 0;
    uint64_t own_p99 = 0;
    uint64_t own_p999 = 0;
  };

  // Runs this program with `arguments`, and waits for its address.
  static absl::StatusOr<std::unique_ptr<ServerProcess>> Start(
      const std::vector<std::string>& arguments);
  // Ends it and waits for it.
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  const std::string& address() const { return address_; }
  pid_t pid() const { return pid_; }
  absl::StatusOr<Sample> Take();

 private:
  ServerProcess(pid_t pid, FILE* to, FILE* from) : pid_(pid), to_(to), from_(from) {}
  // Reads a line; empty when the child is gone.
  std::string ReadLine();

  const pid_t pid_;
  FILE* const to_;
  FILE* const from_;
  std::string address_;
};

}  // namespace referee::bench

#endif  // REFEREE_TESTS_BENCH_BENCH_REFEREE_PROCESS_H_
