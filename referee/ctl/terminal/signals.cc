#include "referee/ctl/terminal/signals.h"

#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <initializer_list>
#include <utility>

namespace referee::ctl {

StopSignals::StopSignals(std::function<void()> on_signal) {
  sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals_, signal);
  pthread_sigmask(SIG_BLOCK, &signals_, &mask_before_);
  thread_ = std::thread([this, on_signal = std::move(on_signal)] { Loop(on_signal); });
}

StopSignals::~StopSignals() {
  stopping_ = true;
  pthread_kill(thread_.native_handle(), SIGTERM);
  thread_.join();
  pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

void StopSignals::Loop(const std::function<void()>& on_signal) {
  while (!stopping_) {
    int signal = 0;
    if (sigwait(&signals_, &signal) != 0 || stopping_) continue;
    if (received_ != 0) continue;
    received_ = signal;
    on_signal();
  }
}

SignalQueue::SignalQueue() {
  sigset_t watched;
  sigemptyset(&watched);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGWINCH}) sigaddset(&watched, signal);
  pthread_sigmask(SIG_BLOCK, &watched, &before_);
  fd_ = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
}

SignalQueue::~SignalQueue() {
  close(fd_);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

int SignalQueue::Take() {
  signalfd_siginfo info;
  return read(fd_, &info, sizeof(info)) == sizeof(info) ? static_cast<int>(info.ssi_signo) : 0;
}

}  // namespace referee::ctl
