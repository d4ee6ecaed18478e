#include "referee/host/known_bots.h"

namespace referee::host {

std::shared_ptr<Bot> KnownBots::Find(absl::string_view name) const {
  const auto it = bots_.find(name);
  return it == bots_.end() ? nullptr : it->second;
}

std::shared_ptr<Bot> KnownBots::FindOrAdd(absl::string_view name) {
  std::shared_ptr<Bot>& known = bots_[name];
  if (known == nullptr) known = std::make_shared<Bot>(std::string(name));
  return known;
}

std::vector<std::shared_ptr<Bot>> KnownBots::All() const {
  std::vector<std::shared_ptr<Bot>> all;
  for (const auto& [name, bot] : bots_) all.push_back(bot);
  return all;
}

std::vector<std::shared_ptr<Bot>> KnownBots::BotsOf(const MatchRunner& runner) const {
  std::vector<std::shared_ptr<Bot>> bots;
  for (const std::string& name : runner.request().bots) bots.push_back(bots_.at(name));
  return bots;
}

Seating::Slots KnownBots::SlotsOf(absl::string_view name, absl::string_view game,
                                  int at_once) const {
  const auto it = bots_.find(name);
  if (it == bots_.end() || !it->second->plays(game)) return {};
  return {it->second->free_slots(at_once), it->second->max_matches() >= at_once};
}

void KnownBots::TakeSlots(const std::shared_ptr<MatchRunner>& runner) {
  const std::vector<std::string>& bots = runner->request().bots;
  for (size_t i = 0; i < bots.size(); ++i) {
    FindOrAdd(bots[i])->AddSlot(runner->id().text(), {runner, Seat(static_cast<int>(i))});
  }
}

bool KnownBots::GiveUpSlots(const MatchRunner& runner) {
  bool begun = false;
  for (const std::string& name : runner.request().bots) {
    if (const std::shared_ptr<Bot> bot = Find(name)) begun |= bot->RemoveSlot(runner.id().text());
  }
  return begun;
}

}  // namespace referee::host
