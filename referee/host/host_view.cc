#include "referee/host/host_view.h"

#include <limits>
#include <memory>
#include <string>

#include "referee/host/host.h"

namespace referee::host {

HostView Host::Look(const HostQuestion& question) const {
  HostView view;
  view.bots.reserve(question.bots.size());
  MutexLock lock(&mutex_);
  view.running = seating_.running();
  view.max_running = seating_.max_running();
  view.load = load_;
  view.held_back = WhyHeldBack(question.game);
  for (const std::string& name : question.bots) {
    view.bots.push_back(ViewOf(name, question.game, question.at_once));
  }
  for (const MatchId& id : question.matches) {
    const std::shared_ptr<MatchRunner> match = known_.Find(id);
    if (match != nullptr && !match->begun()) view.waiting.insert(id);
  }
  return view;
}

HostCounts Host::Count() const {
  HostCounts counts;
  MutexLock lock(&mutex_);
  counts.storage_failed = storage_failed_;
  counts.held_back = held_back_;
  for (const std::shared_ptr<Bot>& bot : bots_.All()) {
    if (bot->link() != nullptr) ++counts.bots;
  }
  for (const auto& match : known_.List(MatchId(), std::numeric_limits<size_t>::max())) {
    if (match->over()) continue;
    HostCounts::Matches& matches = counts.matches[std::string(match->request().game->name())];
    ++(match->begun() ? matches.running : matches.waiting);
  }
  return counts;
}

}  // namespace referee::host
