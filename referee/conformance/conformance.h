// Checks whether a bot of any language follows the protocol (proto/PROTOCOL.md).
//
// A scripted referee starts the bot, or waits for it, and makes one check after the other.
//
//   Terms terms;
//   terms.bot.command = "python3 mybot.py";
//   terms.games = {games::Find("hypnosia")->type};
//   const absl::StatusOr<std::vector<Result>> results = CheckBot(terms, Events());
#ifndef REFEREE_CONFORMANCE_CONFORMANCE_H_
#define REFEREE_CONFORMANCE_CONFORMANCE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "referee/conformance/tried_bot.h"
#include "referee/games/game.h"

namespace referee::conformance {

// What a check found.
struct Finding {
  enum class Kind {
    kPass,
    kFail,     // the bot does not do what the protocol demands
    kNote,     // worth knowing, but no demand of the protocol
    kSkipped,  // the check does not apply to this bot
  };
  Kind kind = Kind::kPass;
  std::string seen;    // what the bot did, or what was wrong with it
  std::string remedy;  // what would be right; empty for kPass and kSkipped
};

struct Visit;  // check.h

// One demand of the protocol on every bot.
struct Check {
  const char* name;    // a word or two; unique
  const char* demand;  // for people
  // `stream` is open, and the bot has said Hello on it. In the first two checks it may be null.
  Finding (*run)(Visit& visit, BotStream* stream);
  bool thorough = false;       // takes long: only when asked for
  bool needs_process = false;  // skipped for a bot that CheckBot does not start
};

// All checks, in the order in which CheckBot makes them. In the first two the bot connects and says
// Hello; those that end the bot come last.
std::vector<Check> Checks();

struct Result {
  Check check;
  Finding finding;
};

// Which bot is checked, and for what.
struct Terms {
  TriedBot::Options bot;
  // At least one. Games that the bot's Hello does not list are left out, unless all of them are.
  std::vector<const games::GameType*> games;
  // Names of checks, made besides the first two. Empty: all, the thorough ones only if `thorough`.
  std::vector<std::string> only;
  bool thorough = false;
};

// Callbacks on the thread of CheckBot. Any may be null.
struct Events {
  std::function<void(const std::string& address)> on_listening;
  std::function<void(const Check& check)> on_begin;
  // The bot has answered `done` of at most `most` turns of this check.
  std::function<void(const Check& check, int64_t done, int64_t most)> on_turns;
  std::function<void(const Result& result)> on_result;
};

// Makes the checks and returns a result for each, also if the bot never connects. After a failed
// check the bot is started anew. Returns the errors of TriedBot::Make.
absl::StatusOr<std::vector<Result>> CheckBot(const Terms& terms, const Events& events);

}  // namespace referee::conformance

#endif  // REFEREE_CONFORMANCE_CONFORMANCE_H_
