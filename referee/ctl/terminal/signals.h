// Catches the signals that end a program on a terminal, as a callback or to poll for.
//
// The program can then clean up before it ends.
#ifndef REFEREE_CTL_TERMINAL_SIGNALS_H_
#define REFEREE_CTL_TERMINAL_SIGNALS_H_

#include <signal.h>

#include <atomic>
#include <functional>
#include <thread>

namespace referee::ctl {

// While an object exists, it catches these signals instead of ending the process. Create it before
// other threads, which inherit the blocked signals. At most one may exist. Thread-safe.
class StopSignals {
 public:
  // Calls `on_signal` after the first signal, on a thread of its own.
  explicit StopSignals(std::function<void()> on_signal);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // The first signal received; 0 if none.
  int received() const { return received_; }

 private:
  void Loop(const std::function<void()>& on_signal);

  sigset_t signals_;
  sigset_t mask_before_;
  std::atomic<int> received_{0};
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

// Queues SIGINT, SIGTERM, SIGHUP and SIGWINCH while it exists. Create it before other threads,
// which inherit the blocked signals. The destructor restores the signal mask. Thread-compatible.
class SignalQueue {
 public:
  SignalQueue();
  ~SignalQueue();
  SignalQueue(const SignalQueue&) = delete;
  SignalQueue& operator=(const SignalQueue&) = delete;

  // Readable if a signal is queued.
  int fd() const { return fd_; }
  // Removes and returns the next signal; 0 if none.
  int Take();

 private:
  int fd_;
  sigset_t before_;
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TERMINAL_SIGNALS_H_
