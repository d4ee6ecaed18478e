// The signals that end a program on a terminal: caught, so that it can clean up before it ends, or
// as something to poll for.
#ifndef REFEREE_CTL_TERMINAL_SIGNALS_H_
#define REFEREE_CTL_TERMINAL_SIGNALS_H_

#include <signal.h>

#include <atomic>
#include <functional>
#include <thread>

namespace referee::ctl {

// While one exists, these signals do not end the process but are noted. Make it before other
// threads, which inherit the blocked signals. At most one exists at a time. Thread-safe.
class StopSignals {
 public:
  // Calls `on_signal` after the first signal, on a thread of its own.
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

// While one exists, SIGINT, SIGTERM, SIGHUP and SIGWINCH wait in it. Make it before other threads,
// which inherit the blocked signals. Puts the signal mask back when it goes. Thread-compatible.
class SignalQueue {
 public:
  SignalQueue();
  ~SignalQueue();
  SignalQueue(const SignalQueue&) = delete;
  SignalQueue& operator=(const SignalQueue&) = delete;

  // Readable when there is a signal.
  int fd() const { return fd_; }
  // The next signal; 0 if there is none.
  int Take();

 private:
  int fd_;
  sigset_t before_;
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TERMINAL_SIGNALS_H_
