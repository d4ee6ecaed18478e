// Plays one match: passes the referee's items to the bot's methods, and makes its replies. Knows
// neither threads nor transport. Thread-compatible.
#ifndef REFEREE_SDK_SRC_PLAYER_H_
#define REFEREE_SDK_SRC_PLAYER_H_

#include <chrono>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/sdk/bot.h"

namespace referee::sdk {

class Player {
 public:
  // `bot` must outlive the player.
  Player(Bot* bot, const Logger& log) : main_bot_(bot), log_(log) {}

  // Handles one item of the match, and fills `reply` if there is a reply. Returns whether there is.
  // `received` is when the item came out of the transport. Catches whatever the bot throws.
  bool Take(const v1::RefereeItem& item, std::chrono::steady_clock::time_point received,
            v1::BotItem* reply);

  // Whether the match is over.
  bool over() const { return over_; }

 private:
  // The move for a turn, kept in case the turn is asked again because the link was lost.
  struct Answer {
    uint32_t turn = 0;
    std::string position;
    Move move;
  };

  bool Start(const v1::MatchStart& start, v1::BotItem* reply);
  bool Choose(const v1::TurnRequest& request, std::chrono::steady_clock::time_point received,
              v1::BotItem* reply);
  void End(const Verdict& verdict);

  // Runs `call`. Returns false if it threw, and then has filled `reply` with a resignation.
  template <typename Call>
  bool Guard(absl::string_view method, Call call, v1::BotItem* reply);

  Bot* const main_bot_;
  const Logger log_;
  absl::optional<Match> match_;
  std::unique_ptr<Bot> own_bot_;  // of this match alone; may be null
  Bot* bot_ = nullptr;            // main_bot_ or own_bot_
  Answer answer_;
  bool resigned_ = false;
  bool over_ = false;
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_PLAYER_H_
