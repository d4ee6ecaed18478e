#include "sample-bots/greedy/greedy_bot.h"

int main(int argc, char** argv) {
  referee::sdk::Options options;
  options.software = "greedy";
  options.games = {"hypnosia"};
  options.max_matches = 256;  // a move takes it well under a millisecond
  greedy::GreedyBots bots;
  return referee::sdk::Run(bots, argc, argv, options);
}
