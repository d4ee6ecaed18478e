// How even round robins of more than two seats are. A line a number of bots; "3-5" is the least and
// the most over all pairs:
//
//   met     blocks in which two bots met
//   after   blocks in which one bot sat right after another
//   lead    the most blocks that a bot had begun more than another, at any time
#include <chrono>
#include <cstdio>
#include <string>

#include "absl/strings/str_cat.h"
#include "tests/unit/schedule/tournament.h"

namespace {

using referee::schedule::Evenness;
using referee::schedule::EvennessOf;
using referee::schedule::Format;
using referee::schedule::Played;
using referee::schedule::PlayThrough;
using referee::schedule::Spec;
using referee::schedule::SpecOf;

void Print(const Spec& spec) {
  const auto begin = std::chrono::steady_clock::now();
  const Played played = PlayThrough(spec);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  const Evenness even = EvennessOf(played.blocks, static_cast<int>(spec.entrants.size()));
  std::printf("  %6zu %7s %7s %4d %7.1f ms", played.blocks.size(),
              absl::StrCat(even.least_met, "-", even.most_met).c_str(),
              absl::StrCat(even.least_after, "-", even.most_after).c_str(), played.lead,
              took.count());
}

}  // namespace

int main() {
  std::printf("%5s %4s %6s  %6s %7s %7s %4s\n", "seats", "bots", "rounds", "blocks", "met", "after",
              "lead");
  for (const int rounds : {1, 4, 12}) {
    for (int seats = 3; seats <= 6; ++seats) {
      for (const int bots : {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 21, 25, 40, 100}) {
        if (bots < seats) continue;
        Spec spec = SpecOf(Format::kRoundRobin, bots, seats);
        spec.rounds = rounds;
        std::printf("%5d %4d %6d", seats, bots, rounds);
        Print(spec);
        std::printf("\n");
        std::fflush(stdout);
      }
    }
  }
}
