#include "referee/conformance/conformance.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/types/span.h"
#include "referee/conformance/check.h"

namespace referee::conformance {
namespace {

// The checks in which the bot connects and sends Hello. All others depend on these.
constexpr size_t kFirstChecks = 2;

bool IsAskedFor(const Check& check, const Terms& terms) {
  if (terms.only.empty()) return terms.thorough || !check.thorough;
  return std::find(terms.only.begin(), terms.only.end(), check.name) != terms.only.end();
}

// Keeps only the games that the bot's Hello lists, unless it lists none of them.
void KeepPlayed(const v1::Hello& hello, std::vector<const games::GameType*>* types) {
  std::vector<const games::GameType*> played;
  for (const games::GameType* type : *types) {
    for (const std::string& name : hello.games()) {
      if (type->name() == name) played.push_back(type);
    }
  }
  if (!played.empty()) *types = std::move(played);
}

Finding Run(const Check& check, bool is_first, Visit& visit) {
  if (is_first) return check.run(visit, visit.bot->current());
  if (check.needs_process && !visit.bot->started_here()) {
    return Skipped("only of a bot that is started here: --bot");
  }
  const absl::StatusOr<BotStream*> stream = visit.bot->Stream();
  return stream.ok() ? check.run(visit, *stream) : NoBot(stream.status());
}

}  // namespace

std::vector<Check> Checks() {
  std::vector<Check> all;
  for (const absl::Span<const Check> group :
       {GreetingChecks(), StartChecks(), TurnChecks(), LinkChecks(), LoadChecks(), EndChecks()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

absl::StatusOr<std::vector<Result>> CheckBot(const Terms& terms, const Events& events) {
  const absl::StatusOr<std::unique_ptr<TriedBot>> bot = TriedBot::Make(terms.bot);
  if (!bot.ok()) return bot.status();
  if (events.on_listening) events.on_listening((*bot)->address());
  Visit visit{bot->get(), terms.games, /*show=*/nullptr, terms.thorough};
  std::vector<Result> results;
  bool connected = true;
  for (const Check& check : Checks()) {
    if (!IsAskedFor(check, terms) && results.size() >= kFirstChecks) continue;
    if (events.on_begin) events.on_begin(check);
    visit.show = [&](int64_t done, int64_t most) {
      if (events.on_turns) events.on_turns(check, done, most);
    };
    const bool is_first = results.size() < kFirstChecks;
    Result result{check,
                  connected ? Run(check, is_first, visit) : Skipped("the bot has not said Hello")};
    if (result.finding.kind == Finding::Kind::kFail) {
      if (is_first) connected = false;
      // The next check starts with a fresh bot.
      visit.bot->Discard();
    }
    if (connected) KeepPlayed(visit.bot->hello(), &visit.games);
    if (events.on_result) events.on_result(result);
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace referee::conformance
