#include "referee/host/host_view.h"

#include "referee/host/host.h"

namespace referee::host {

HostView Host::Look(const HostQuestion& question) const {
  HostView view;
  view.bots.reserve(question.bots.size());
  MutexLock lock(&mutex_);
  view.running = running_;
  view.max_running = max_running_;
  for (const std::string& name : question.bots) {
    view.bots.push_back(ViewOf(name, question.game, question.at_once));
  }
  for (const MatchId& id : question.matches) {
    const auto match = matches_.find(id);
    if (match != matches_.end() && !match->second->begun()) view.waiting.insert(id);
  }
  return view;
}

}  // namespace referee::host
