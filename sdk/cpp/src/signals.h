// Calls a function on SIGTERM or SIGINT.
#ifndef REFEREE_SDK_SRC_SIGNALS_H_
#define REFEREE_SDK_SRC_SIGNALS_H_

#include <functional>
#include <thread>

namespace referee::sdk {

// While it exists, the first SIGTERM or SIGINT calls `stop` on a separate thread. A second signal
// has its default effect. A process may have only one SignalWatch at a time.
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
