#include "referee/host/known_bots.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/errors.h"

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
  // Sorted, so that every process gets the same order.
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a->name() < b->name(); });
  return all;
}

std::vector<std::shared_ptr<Bot>> KnownBots::BotsOf(const MatchRunner& runner) const {
  std::vector<std::shared_ptr<Bot>> bots;
  for (const std::string& name : runner.request().bots) {
    if (std::shared_ptr<Bot> bot = Find(name)) bots.push_back(std::move(bot));
  }
  return bots;
}

Seating::Slots KnownBots::SlotsOf(absl::string_view name, absl::string_view game,
                                  int at_once) const {
  const auto it = bots_.find(name);
  if (it == bots_.end() || !it->second->plays(game)) return {};
  return {it->second->free_slots(at_once), it->second->max_matches() >= at_once};
}

BotView KnownBots::ViewOf(absl::string_view name, absl::string_view game, int at_once,
                          int kept) const {
  const std::shared_ptr<Bot> bot = Find(name);
  const std::shared_ptr<Link> link = bot == nullptr ? nullptr : bot->link();
  if (link == nullptr) return BotView();
  if (!bot->plays(game)) return {true, 0, absl::StrCat("does not play ", game), false};
  BotView view;
  view.connected = true;
  view.free_slots = std::max(0, bot->free_slots(at_once) - kept);
  const int most = bot->max_matches();
  if (most > 0 && most < at_once) {
    view.unable = absl::StrCat("takes ", most, most == 1 ? " match" : " matches",
                               " at once, and a block has ", at_once);
  }
  view.takes_none = most == 0 && bot->slots().empty();
  view.plays_elsewhere = bot->plays_elsewhere();
  view.answered = link->answered();
  return view;
}

absl::Status KnownBots::CheckSlots(const MatchRequest& request, int matches) const {
  for (const std::string& name : request.bots) {
    const std::shared_ptr<Bot> bot = Find(name);
    if (bot == nullptr || bot->link() == nullptr) continue;
    const int most = bot->max_matches();
    if (most > 0 && most < matches) {
      return absl::FailedPreconditionError(
          absl::StrCat("bot ", Quoted(name), " takes ", most, most == 1 ? " match" : " matches",
                       " at once; the block has ", matches,
                       ", which are played side by side (let it connect with max_matches of ",
                       matches, " or more)"));
    }
  }
  return absl::OkStatus();
}

std::string KnownBots::Missing(const MatchRequest& request, int needed) const {
  std::vector<std::string> missing;
  for (const std::string& name : request.bots) {
    const std::shared_ptr<Bot> bot = Find(name);
    std::string why;
    if (bot == nullptr || bot->link() == nullptr) {
      why = "not connected";
    } else if (!bot->plays(request.game->name())) {
      why = "does not play this game";
    } else if (bot->max_matches() > 0 && bot->max_matches() < needed) {
      why = absl::StrCat("takes ", bot->max_matches(), " at once, and the block has ", needed);
    } else if (bot->free_slots(needed) < needed) {
      why = "busy";
    }
    if (!why.empty()) missing.push_back(absl::StrCat("'", name, "' (", why, ")"));
  }
  return absl::StrJoin(missing, ", ");
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
