// The sample bot "random": plays a uniformly random legal move; the baseline for other bots.
//
// Its random numbers come from the match, so that a pinned match repeats exactly. Each match of a
// block has different numbers.
#include "referee/sdk/bot.h"

namespace {

class RandomBot : public referee::sdk::Bot {
 public:
  referee::sdk::Move ChooseTurn(const referee::sdk::Turn& turn) override {
    return turn.legal_move(static_cast<int>(turn.Chance() % turn.legal_count()));
  }
};

}  // namespace

int main(int argc, char** argv) {
  referee::sdk::Options options;
  options.software = "random";
  options.threads = 0;  // it answers at once
  options.max_matches = 1024;
  RandomBot bot;
  return referee::sdk::Run(bot, argc, argv, options);
}
