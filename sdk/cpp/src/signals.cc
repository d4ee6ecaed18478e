#include "sdk/cpp/src/signals.h"

#include <semaphore.h>
#include <signal.h>

#include <atomic>
#include <cerrno>
#include <utility>

namespace referee::sdk {
namespace {

constexpr int kSignals[] = {SIGTERM, SIGINT};

// The state that the signal handler may touch: a semaphore, and the reason for a wake-up.
sem_t wake;
std::atomic<bool> received;
struct sigaction before[2];

void OnSignal(int) {
  const int saved = errno;
  received = true;
  sem_post(&wake);
  errno = saved;
}

}  // namespace

SignalWatch::SignalWatch(std::function<void()> stop) {
  received = false;
  sem_init(&wake, 0, 0);
  thread_ = std::thread([stop = std::move(stop)] {
    while (sem_wait(&wake) != 0) {
    }
    if (received) stop();
  });
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  for (int i = 0; i < 2; ++i) sigaction(kSignals[i], &action, &before[i]);
}

SignalWatch::~SignalWatch() {
  for (int i = 0; i < 2; ++i) sigaction(kSignals[i], &before[i], nullptr);
  sem_post(&wake);
  thread_.join();
  sem_destroy(&wake);
}

}  // namespace referee::sdk
