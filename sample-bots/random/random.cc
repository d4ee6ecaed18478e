// Plays any legal move, each as likely as the others: the simplest bot there is, and what others
// are measured against. Its chance comes from the match, so that a pinned one repeats exactly; it
// is another in each match of a block.
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
