// The items that the referee and a simulated bot exchange: the fields of the protocol that
// simulated bots use, and those that the witness needs besides.
#ifndef REFEREE_TESTS_SIMULATION_ITEMS_H_
#define REFEREE_TESTS_SIMULATION_ITEMS_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/dice/dice.h"
#include "referee/games/game.h"

namespace referee::simulation {

// A match as bots and the witness know it.
struct MatchName {
  int match = 0;  // in the plan
  MatchId id;
  std::shared_ptr<const games::Game> game;
};

// An item from the referee to a bot.
struct RefereeItem {
  enum class Kind { kStart, kReveal, kAsk, kEnded, kTryAgain, kPing, kOther };
  Kind kind = Kind::kOther;
  MatchName match;
  Seat seat;                 // its own; or the seat that forfeited
  uint32_t turn = 0;         // that is asked, was played, or was named in what was wrong
  uint32_t request = 0;      // of kAsk: as in match::Match::request
  absl::Duration limit;      // of kAsk and kReveal: what the answer may take
  bool wants_ready = false;  // of kStart
  games::Move first, last;   // of kAsk: two legal moves, of which the bot takes one
  uint64_t ping = 0;         // of kPing: its number
};

// An item from a bot to the referee.
struct BotItem {
  enum class Kind { kHello, kReady, kNonce, kReply, kUnreadable, kResign, kPong };
  Kind kind = Kind::kReady;
  MatchName match;
  uint32_t turn = 0;
  uint32_t request = 0;
  games::Move move;
  bool wild = false;                           // the move need not be legal
  std::string nonce;                           // of kNonce
  absl::optional<dice::NonceHash> nonce_hash;  // of kReady
  uint64_t ping = 0;                           // of kPong: what it answers
};

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_ITEMS_H_
