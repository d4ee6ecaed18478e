// refgate as bench_gate starts and sees it.
#ifndef REFEREE_TESTS_BENCH_BENCH_GATE_PROGRAM_H_
#define REFEREE_TESTS_BENCH_BENCH_GATE_PROGRAM_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace referee::bench {

// The program, running. Ends this one when it cannot be started. Thread-compatible.
class GateProgram {
 public:
  // In front of the referee at `referee`, for so many watchers from one address.
  GateProgram(const std::string& refgate, const std::string& referee, size_t watchers);
  // Ends it and waits for it.
  ~GateProgram();
  GateProgram(const GateProgram&) = delete;
  GateProgram& operator=(const GateProgram&) = delete;

  uint16_t port() const { return port_; }
  pid_t pid() const { return pid_; }

  // Its processor time and memory, as /proc has them.
  struct Usage {
    double cpu_seconds = 0;
    double resident_kb = 0;
  };
  Usage Used() const;

 private:
  pid_t pid_ = 0;
  uint16_t port_ = 0;
};

// A connection to that port, which has asked for the events of a match. Ends this program when
// there is none.
int ConnectToEvents(uint16_t port, const std::string& match_id);

}  // namespace referee::bench

#endif  // REFEREE_TESTS_BENCH_BENCH_GATE_PROGRAM_H_
