// The bots that the host knows, by name, and the slots that matches take of them.
//
// A bot stays known when it disconnects. Thread-compatible; each Bot is thread-safe.
#ifndef REFEREE_HOST_KNOWN_BOTS_H_
#define REFEREE_HOST_KNOWN_BOTS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "referee/host/bot.h"
#include "referee/host/host_view.h"
#include "referee/host/match_runner.h"
#include "referee/host/seating.h"

namespace referee::host {

class KnownBots {
 public:
  // Returns null if the bot is not known.
  std::shared_ptr<Bot> Find(absl::string_view name) const;
  std::shared_ptr<Bot> FindOrAdd(absl::string_view name);
  std::vector<std::shared_ptr<Bot>> All() const;
  // The bots of a match, by seat, without those that were never connected.
  std::vector<std::shared_ptr<Bot>> BotsOf(const MatchRunner& runner) const;

  // The slots that the bot has for matches of a game; see Seating::Slots.
  Seating::Slots SlotsOf(absl::string_view name, absl::string_view game, int at_once) const;
  // The view of a bot, as in BotView. `kept` slots are not free.
  BotView ViewOf(absl::string_view name, absl::string_view game, int at_once, int kept) const;
  // Returns FailedPrecondition that names a connected bot which never takes so many matches at
  // once.
  absl::Status CheckSlots(const MatchRequest& request, int matches) const;
  // The bots that keep `needed` matches of the request from beginning, and why, for people.
  std::string Missing(const MatchRequest& request, int needed) const;
  // Takes a slot of each bot of the match, and adds bots that are not known.
  void TakeSlots(const std::shared_ptr<MatchRunner>& runner);
  // Frees the slots of the match. Returns whether it had any.
  bool GiveUpSlots(const MatchRunner& runner);

 private:
  absl::flat_hash_map<std::string, std::shared_ptr<Bot>> bots_;
};

}  // namespace referee::host

#endif  // REFEREE_HOST_KNOWN_BOTS_H_
