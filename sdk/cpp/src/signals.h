// Turns SIGTERM and SIGINT into a call of a function.
#ifndef REFEREE_SDK_SRC_SIGNALS_H_
#define REFEREE_SDK_SRC_SIGNALS_H_

#include <functional>
#include <thread>

namespace referee::sdk {

// While it exists, the first SIGTERM or SIGINT calls `stop` on a thread of its own; a second does
// what it does by default. At most one exists at a time in a process.
class SignalWatch {
 public:
  explicit SignalWatch(std::function<void()> stop);
  // Restores the earlier handlers.
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

 private:
  std::thread thread_;
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_SIGNALS_H_
