// The part of Host that answers queries about bots and matches.
#include "referee/host/host_view.h"

#include <algorithm>
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
  if (options_.blocks_apart) {
    // One block more than can run, so that the next match takes a freed slot at once.
    const int blocks = (view.max_running + question.at_once - 1) / question.at_once + 1;
    view.running = open_;
    view.max_running = blocks * question.at_once;
  }
  view.load = seating_.load();
  view.held_back = seating_.WhyHeldBack(question.game);
  for (const std::string& name : question.bots) {
    // A block that is played apart needs only one slot.
    const int together = options_.blocks_apart ? 1 : question.at_once;
    view.bots.push_back(bots_.ViewOf(name, question.game, together, seating_.kept(name)));
    view.bots.back().free_slots *= question.at_once / together;
  }
  for (const MatchId& id : question.matches) {
    if (options_.blocks_apart) break;
    const std::shared_ptr<MatchRunner> match = known_.Find(id);
    if (match == nullptr) {
      view.unknown.insert(id);
    } else if (!match->begun()) {
      view.waiting.insert(id);
    }
  }
  return view;
}

HostCounts Host::Count() const {
  HostCounts counts;
  MutexLock lock(&mutex_);
  counts.storage_failed = storage_failed_;
  counts.held_back = seating_.held_back();
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

std::string Host::WhyNoneBegins() {
  int64_t failures;
  {
    MutexLock lock(&mutex_);
    if (!seating_.held_back().empty() || !storage_failed_) return seating_.held_back();
    failures = storage_failures_;
  }
  if (absl::Status usable = options_.recorder->Check(); !usable.ok()) {
    return std::string(usable.message());
  }
  MutexLock lock(&mutex_);
  if (storage_failures_ == failures) storage_failed_ = false;
  return "";
}

bool Host::connected(absl::string_view name) const {
  const std::shared_ptr<Bot> bot = FindBot(name);
  return bot != nullptr && bot->link() != nullptr;
}

int64_t Host::CountConnects(absl::string_view name) const {
  const std::shared_ptr<Bot> bot = FindBot(name);
  return bot == nullptr ? 0 : bot->connects();
}

bool Host::plays(absl::string_view name) const {
  MutexLock lock(&mutex_);
  const std::shared_ptr<Bot> bot = bots_.Find(name);
  return bot != nullptr && bot->plays_any();
}

std::shared_ptr<Bot> Host::FindBot(absl::string_view name) const {
  MutexLock lock(&mutex_);
  return bots_.Find(name);
}

std::vector<std::shared_ptr<Bot>> Host::ConnectedBots() const {
  std::vector<std::shared_ptr<Bot>> bots;
  MutexLock lock(&mutex_);
  for (const std::shared_ptr<Bot>& bot : bots_.All()) {
    if (bot->link() != nullptr) bots.push_back(bot);
  }
  return bots;
}

std::shared_ptr<MatchRunner> Host::Find(const MatchId& id) const {
  MutexLock lock(&mutex_);
  return known_.Find(id);
}

std::vector<std::shared_ptr<MatchRunner>> Host::List(const MatchId& before, int limit) const {
  MutexLock lock(&mutex_);
  return known_.List(before, static_cast<size_t>(std::max(0, limit)));
}

int Host::running() const {
  MutexLock lock(&mutex_);
  return seating_.running();
}

}  // namespace referee::host
