#include "referee/host/host_view.h"

#include <memory>

#include "referee/host/host.h"

namespace referee::host {

HostView Host::Look(const HostQuestion& question) const {
  HostView view;
  view.bots.reserve(question.bots.size());
  MutexLock lock(&mutex_);
  view.running = seating_.running();
  view.max_running = seating_.max_running();
  view.held_back = held_back_;
  for (const std::string& name : question.bots) {
    view.bots.push_back(ViewOf(name, question.game, question.at_once));
  }
  for (const MatchId& id : question.matches) {
    const std::shared_ptr<MatchRunner> match = known_.Find(id);
    if (match != nullptr && !match->begun()) view.waiting.insert(id);
  }
  return view;
}

}  // namespace referee::host
