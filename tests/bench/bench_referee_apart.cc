#include "tests/bench/bench_referee_apart.h"

#include <cstdio>
#include <iostream>
#include <vector>

#include "tests/bench/bench_referee_client.h"
#include "tests/bench/bench_referee_games.h"
#include "tests/support/channel.h"

namespace referee::bench {

absl::StatusOr<ApartFigures> MeasureTogetherAndApart(const Conditions& conditions,
                                                     const Scenario& scenario,
                                                     const std::string& kind, int rounds) {
  std::vector<double> together;
  std::vector<double> apart;
  std::vector<double> ratios;
  for (int round = 0; round < rounds; ++round) {
    std::fprintf(stderr, "\rmatches %s, %s, round %d of %d   ", scenario.name().c_str(),
                 kind.c_str(), round + 1, rounds);
    for (const bool are_apart : {false, true}) {
      Conditions with = conditions;
      with.bots_apart = are_apart;
      const absl::StatusOr<Figures> figures = MeasureReferee(with, scenario, kind);
      if (!figures.ok()) return figures.status();
      (are_apart ? apart : together).push_back(figures->per_second);
    }
    ratios.push_back(apart.back() / together.back());
  }
  std::fprintf(stderr, "\r%50s\r", "");
  return ApartFigures{MedianOf(together), MedianOf(apart), MedianOf(ratios)};
}

int PlayAsBot(const ServerSettings& settings) {
  const PreparedGames games;
  const Client client(testing::Dial(settings.listen), kPlayMethod,
                      MakeBotScript(TokenOf(settings.bot), settings.matches, &games), nullptr);
  std::cout << settings.listen << std::endl;
  // Each line asks how many turns it has answered so far.
  std::string line;
  while (std::getline(std::cin, line)) {
    if (const absl::Status failure = client.failure(); !failure.ok()) {
      std::cerr << "bench_referee: a bot: " << failure.message() << "\n";
      return 2;
    }
    std::cout << "0 0 0 " << client.traffic().turns << " 0 0 0" << std::endl;
  }
  return 0;
}

}  // namespace referee::bench
