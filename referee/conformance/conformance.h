// Checks whether a bot in any language follows the protocol (proto/PROTOCOL.md).
//
// A scripted referee starts the bot, or waits for it, and runs the checks one by one.
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

// The result of a check.
struct Finding {
  enum class Kind {
    kPass,
    kFail,     // the bot violates the protocol
    kNote,     // worth knowing, but no violation
    kSkipped,  // the check does not apply to this bot
  };
  Kind kind = Kind::kPass;
  std::string seen;    // the bot's behaviour, or the problem with it
  std::string remedy;  // the right behaviour; empty for kPass and kSkipped
};

struct Visit;  // check.h

// A requirement of the protocol for every bot.
struct Check {
  const char* name;    // a word or two; unique
  const char* demand;  // for people
  // `stream` is open and past the bot's Hello. In the first two checks it may be null.
  Finding (*run)(Visit& visit, BotStream* stream);
  bool thorough = false;       // takes long: run only on request
  bool needs_process = false;  // skipped for a bot that CheckBot does not start
};

// All checks, in the order in which CheckBot runs them. In the first two the bot connects and sends
// Hello. Checks that end the bot come last.
std::vector<Check> Checks();

struct Result {
  Check check;
  Finding finding;
};

// The bot to check, and the checks to run.
struct Terms {
  TriedBot::Options bot;
  // At least one. Games that the bot's Hello does not list are skipped, unless that is all of them.
  std::vector<const games::GameType*> games;
  // Names of checks to run in addition to the first two. If empty, all run, the thorough ones only
  // if `thorough`.
  std::vector<std::string> only;
  bool thorough = false;
};

// Callbacks, on the thread of CheckBot. Any may be null.
struct Events {
  std::function<void(const std::string& address)> on_listening;
  std::function<void(const Check& check)> on_begin;
  // The bot has answered `done` of at most `most` turns of this check.
  std::function<void(const Check& check, int64_t done, int64_t most)> on_turns;
  std::function<void(const Result& result)> on_result;
};

// Runs the checks and returns a result for each, even if the bot never connects. Restarts the bot
// after a failed check. Returns the errors of TriedBot::Make.
absl::StatusOr<std::vector<Result>> CheckBot(const Terms& terms, const Events& events);

}  // namespace referee::conformance

#endif  // REFEREE_CONFORMANCE_CONFORMANCE_H_
