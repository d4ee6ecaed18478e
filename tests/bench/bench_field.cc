// What ladders come to in simulated time: who meets whom, how far the intervals of the fit hold,
// and how much time goes by waiting. A line a field; the figures are means over seeds:
//
//   unmet    pairs that have not met
//   least    blocks of the pair that met least, and of the one that met most, over all seeds
//   waited   of the time of all blocks that might be played at once, for better opponents
//   held     the same, for bots that are too far ahead of slower ones
//   cover    bots whose strength is in the interval of 95 % (two seats)
//   stretch  spread of the fitted strengths : of the true ones (two seats; 1 if all are equal)
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>

#include "tests/unit/schedule/field.h"

namespace {

using referee::schedule::Field;
using referee::schedule::FieldOptions;

struct Line {
  const char* what;
  int bots;
  int seats;
  int at_once;
  int max_running;
  double elo_range;
  double slowest;
  int64_t blocks;
  int seeds;
  double changes = 0;  // as FieldOptions
  int joins = 0;
};

constexpr Line kLines[] = {
    {"4 equal", 4, 2, 1, 0, 0, 1, 2'000, 5},
    {"4 equal, 16 blocks a bot at once", 4, 2, 16, 0, 0, 1, 2'000, 5},
    {"4, speeds 1 to 20", 4, 2, 1, 0, 0, 20, 2'000, 5},
    {"8 equal", 8, 2, 1, 0, 0, 1, 2'000, 5},
    {"20 equal", 20, 2, 1, 0, 0, 1, 2'500, 20},
    {"20 equal, 3 blocks at once", 20, 2, 1, 3, 0, 1, 2'500, 20},
    {"20 over 400 Elo", 20, 2, 1, 0, 400, 1, 2'500, 20},
    {"40 equal", 40, 2, 1, 0, 0, 1, 8'000, 5},
    {"40 over 800 Elo, speeds 1 to 10", 40, 2, 1, 0, 800, 10, 8'000, 20},
    {"200 over 800 Elo, speeds 1 to 10", 200, 2, 1, 0, 800, 10, 40'000, 2},
    {"200 over 800 Elo, 20 blocks at once", 200, 2, 1, 20, 800, 10, 40'000, 2},
    {"9 equal, 4 seats", 9, 4, 1, 0, 0, 1, 2'000, 2},
    {"12 equal, 6 seats", 12, 6, 1, 0, 0, 1, 2'000, 2},
    {"20 over 400 Elo, 10 join, all come and go", 20, 2, 1, 0, 400, 4, 3'000, 20, 0.05, 10},
    {"40 over 800 Elo, 20 join, all come and go", 40, 2, 1, 0, 800, 4, 8'000, 10, 0.05, 20},
    {"40 equal, 20 join, all come and go", 40, 2, 1, 0, 0, 4, 8'000, 10, 0.05, 20},
    {"9 equal, 4 seats, 5 join, come and go", 9, 4, 1, 0, 0, 1, 2'000, 2, 0.05, 5},
};

void Play(const Line& line) {
  double unmet = 0;
  double waited = 0;
  double held = 0;
  Field::Fitted fitted{0, 0};
  int64_t least = std::numeric_limits<int64_t>::max();
  int64_t most = 0;
  for (int seed = 1; seed <= line.seeds; ++seed) {
    Field field(FieldOptions{line.bots, line.seats, line.at_once, line.max_running, line.elo_range,
                             line.slowest, static_cast<uint64_t>(seed), line.changes, line.joins});
    field.Play(line.blocks);
    unmet += field.Unmet() / line.seeds;
    waited += field.Waited() / line.seeds;
    held += field.Held() / line.seeds;
    const int bots = line.bots + line.joins;
    for (int first = 0; first < bots; ++first) {
      for (int second = first + 1; second < bots; ++second) {
        least = std::min(least, field.Met(first, second));
        most = std::max(most, field.Met(first, second));
      }
    }
    if (line.seats != 2) continue;
    const Field::Fitted one = field.Fit();
    fitted.coverage += one.coverage / line.seeds;
    fitted.stretch += one.stretch / line.seeds;
  }
  std::printf("%-42s %6.1f %% %5lld %5lld %7.2f %% %6.2f %%", line.what, 100 * unmet,
              static_cast<long long>(least), static_cast<long long>(most), 100 * waited,
              100 * held);
  if (line.seats == 2) std::printf(" %7.3f %7.3f", fitted.coverage, fitted.stretch);
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main() {
  std::printf("%-42s %8s %5s %5s %9s %8s %7s %7s\n", "field", "unmet", "least", "most", "waited",
              "held", "cover", "stretch");
  for (const Line& line : kLines) Play(line);
}
