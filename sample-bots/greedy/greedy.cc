#include "sample-bots/greedy/greedy_bot.h"

int main(int argc, char** argv) {
  referee::sdk::Options options;
  options.software = "greedy";
  options.games = {"hypnosia", "isaac"};
  options.max_matches = 64;  // a move takes it a millisecond or two, mostly far less
  greedy::GreedyBots bots;
  return referee::sdk::Run(bots, argc, argv, options);
}
