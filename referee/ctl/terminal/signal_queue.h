// The signals that end a program on a terminal, and that of a window's new size, as something to
// poll for, so that none comes between a change of the terminal and its undoing.
#ifndef REFEREE_CTL_TERMINAL_SIGNAL_QUEUE_H_
#define REFEREE_CTL_TERMINAL_SIGNAL_QUEUE_H_

#include <signal.h>

namespace referee::ctl {

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

#endif  // REFEREE_CTL_TERMINAL_SIGNAL_QUEUE_H_
