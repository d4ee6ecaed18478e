#include "referee/host/pulse.h"

namespace referee::host {

std::shared_ptr<Pulse> Pulse::Make(Options options) {
  std::shared_ptr<Pulse> pulse(new Pulse(std::move(options)));
  pulse->timer_ =
      pulse->options_.timers->At(Instant::InfiniteFuture(), [weak = std::weak_ptr<Pulse>(pulse)] {
        if (const auto self = weak.lock()) self->Ask(0);
      });
  pulse->timer_.SetTo(pulse->options_.clock->Now());
  return pulse;
}

void Pulse::Close() {
  const MutexLock lock(&mutex_);
  closed_ = true;
}

void Pulse::Ask(size_t executor) {
  if (executor < options_.executors.size()) {
    options_.executors[executor]->Run([weak = weak_from_this(), executor] {
      if (const auto self = weak.lock()) self->Ask(executor + 1);
    });
    return;
  }
  const MutexLock lock(&mutex_);
  if (closed_) return;
  options_.beat();
  timer_.SetTo(options_.clock->Now() + options_.period);
}

}  // namespace referee::host
