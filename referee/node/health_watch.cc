#include "referee/node/health_watch.h"

#include <utility>

namespace referee::node {

HealthWatch::HealthWatch(std::function<void()> look) : look_(std::move(look)) {
  look_();
  thread_ = std::thread([this] { Work(); });
}

HealthWatch::~HealthWatch() {
  {
    const MutexLock lock(&mutex_);
    stopping_ = true;
  }
  changed_.NotifyAll();
  thread_.join();
}

void HealthWatch::LookSoon() {
  {
    const MutexLock lock(&mutex_);
    soon_ = true;
  }
  changed_.NotifyAll();
}

void HealthWatch::Work() {
  for (;;) {
    {
      const MutexLock lock(&mutex_);
      if (!soon_ && !stopping_) changed_.WaitFor(&mutex_, kPeriod);
      if (stopping_) return;
      soon_ = false;
    }
    look_();
  }
}

}  // namespace referee::node
