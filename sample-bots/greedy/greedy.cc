#include "sample-bots/greedy/greedy_bot.h"

int main(int argc, char** argv) {
  referee::sdk::Options options;
  options.software = "greedy";
  options.games = {"hypnosia", "isaac"};
  // A move takes it a millisecond or two, mostly far less.
  options.max_matches = options.parallel_turns = 64;
  greedy::GreedyBots bots;
  return referee::sdk::Run(bots, argc, argv, options);
}
