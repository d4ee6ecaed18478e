#include "sample-bots/greedy/greedy_bot.h"

int main(int argc, char** argv) {
  referee::sdk::Options options;
  options.software = "greedy";
  options.games = {"hypnosia", "isaac"};
  // A move takes at most a millisecond or two.
  options.max_matches = options.parallel_turns = 64;
  greedy::GreedyBots bots;
  return referee::sdk::Run(bots, argc, argv, options);
}
