// A bot that plays any legal move and costs little: it asks for no list of the legal moves, as the
// bots of bench_referee do not, but has the rules list them. For duels that are to show what a
// referee and two bots of the SDK can do:
//
//   refctl duel --game hypnosia --bot bench_bot --bot bench_bot --concurrency 64 --matches 3000
#include <memory>
#include <utility>
#include <vector>

#include "referee/sdk/bot.h"
#include "referee/sdk/rules.h"

namespace referee::bench {
namespace {

class OneMatch : public sdk::Bot {
 public:
  explicit OneMatch(sdk::MatchRules rules) : rules_(std::move(rules)) {}

  sdk::Move ChooseTurn(const sdk::Turn& turn) override {
    rules_.StateOf(turn).value()->LegalMoves(&legal_);
    return rules_.ToSdk(legal_[turn.Chance() % legal_.size()]);
  }

 private:
  const sdk::MatchRules rules_;
  std::vector<games::Move> legal_;
};

class BenchBot : public sdk::Bot {
 public:
  std::unique_ptr<sdk::Bot> ForMatch(const sdk::Match& match) override {
    return std::make_unique<OneMatch>(sdk::MatchRules::Of(match).value());
  }
  sdk::Move ChooseTurn(const sdk::Turn&) override { return {}; }  // never asked: see ForMatch
};

}  // namespace
}  // namespace referee::bench

int main(int argc, char** argv) {
  referee::sdk::Options options;
  options.software = "bench_bot";
  options.legal_moves = false;
  options.max_matches = 1024;  // it answers at once
  referee::bench::BenchBot bot;
  return referee::sdk::Run(bot, argc, argv, options);
}
