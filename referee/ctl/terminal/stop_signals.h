// SIGINT, SIGTERM and SIGHUP as something to wait for, for as long as there is something to tidy
// up.
#ifndef REFEREE_CTL_TERMINAL_STOP_SIGNALS_H_
#define REFEREE_CTL_TERMINAL_STOP_SIGNALS_H_

#include <signal.h>

#include <atomic>
#include <functional>
#include <thread>

namespace referee::ctl {

// While one exists, these signals do not end the process but are noted. Make it before other
// threads: those inherit that they do not take them. One at a time. Thread-safe.
class StopSignals {
 public:
  // `on_signal` is called after the first, on a thread of its own.
  explicit StopSignals(std::function<void()> on_signal);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // The first signal that came; 0 if none did.
  int received() const { return received_; }

 private:
  void Loop(const std::function<void()>& on_signal);

  sigset_t signals_;
  sigset_t mask_before_;
  std::atomic<int> received_{0};
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TERMINAL_STOP_SIGNALS_H_
