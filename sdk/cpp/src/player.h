// Plays one match: passes the referee's items to the bot's methods, and makes its replies.
//
// Independent of threads and transport. Thread-compatible.
#ifndef REFEREE_SDK_SRC_PLAYER_H_
#define REFEREE_SDK_SRC_PLAYER_H_

#include <chrono>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/sdk/bot.h"
#include "sdk/cpp/src/dice_check.h"
#include "sdk/cpp/src/nonce.h"

namespace referee::sdk {

class Player {
 public:
  // `bot` and `nonces` must outlive the player.
  Player(Bot* bot, const Logger& log, Nonces* nonces)
      : main_bot_(bot), log_(log), nonces_(*nonces) {}

  // Handles one item of the match. Fills `reply` and returns true if there is a reply. `received`
  // is when the item left the transport. Catches every exception of the bot.
  bool Take(const v1::RefereeItem& item, std::chrono::steady_clock::time_point received,
            v1::BotItem* reply);

  // Whether the match is over.
  bool over() const { return over_; }
  // Whether a mismatch of the dice was found.
  bool dice_mismatch() const { return dice_mismatch_; }

 private:
  // The answer to a turn, kept in case the referee repeats the request after a lost connection.
  struct Answer {
    uint32_t turn = 0;
    std::string position;
    Move move;
  };

  bool Start(const v1::MatchStart& start, v1::BotItem* reply);
  bool Reveal(const v1::RevealNonce& reveal, v1::BotItem* reply);
  bool Choose(const v1::TurnRequest& request, std::chrono::steady_clock::time_point received,
              v1::BotItem* reply);
  bool TryAgain(const v1::Fault& fault, v1::BotItem* reply);
  void LogForfeit(const SeatForfeited& forfeit);
  void WarnOfWait(const Turn& turn);
  void End(const Verdict& verdict);
  void TellMismatch(absl::string_view problem, v1::BotItem* reply);

  void Resign(v1::BotItem* reply) const;
  // Runs `call`. If it throws, fills `reply` with a resignation and returns false.
  template <typename Call>
  bool Guard(absl::string_view method, Call call, v1::BotItem* reply);

  Bot* const main_bot_;
  const Logger log_;
  Nonces& nonces_;
  absl::optional<Match> match_;
  v1::Match first_told_;          // from the first announcement: the dice are checked against it
  std::unique_ptr<Bot> own_bot_;  // from ForMatch; may be null
  Bot* bot_ = nullptr;            // main_bot_ or own_bot_
  std::shared_ptr<Nonce> nonce_;
  DiceCheck dice_;
  Answer answer_;
  // The last turn, kept in matches that allow a retry after an illegal move.
  v1::TurnRequest request_;
  std::chrono::steady_clock::time_point received_;
  bool resigned_ = false;
  std::string resigned_why_;
  bool waited_ = false;  // the log has warned of a late turn
  bool over_ = false;
  bool dice_mismatch_ = false;
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_PLAYER_H_
