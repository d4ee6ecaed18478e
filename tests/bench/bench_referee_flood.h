// A bot that means harm: in a match in which it owes a move, it sends empty messages as fast as the
// transport takes them, and comes back at once when it is cut.
#ifndef REFEREE_TESTS_BENCH_BENCH_REFEREE_FLOOD_H_
#define REFEREE_TESTS_BENCH_BENCH_REFEREE_FLOOD_H_

#include <atomic>
#include <string>
#include <thread>

namespace referee::bench {

class Flood {
 public:
  // Begins, on a thread of its own, as the bot with that token.
  Flood(std::string address, std::string token);
  // Ends.
  ~Flood();
  Flood(const Flood&) = delete;
  Flood& operator=(const Flood&) = delete;

 private:
  void Run();
  // One stream, to its end.
  void Pour();

  const std::string address_;
  const std::string token_;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

}  // namespace referee::bench

#endif  // REFEREE_TESTS_BENCH_BENCH_REFEREE_FLOOD_H_
