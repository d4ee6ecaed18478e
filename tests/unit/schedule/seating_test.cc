// Tests that with more than two seats every bot sits after every other about equally often.
#include "referee/schedule/seating.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"
#include "tests/unit/schedule/field.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

// Two places that follow one another in a round in which each sat after each `times` times.
void ExpectEven(const std::vector<rating::Pairing>& blocks, int seats, int64_t spread) {
  const Evenness even = EvennessOf(blocks, seats);
  EXPECT_LE(even.most_after - even.least_after, spread)
      << seats << " seats, " << blocks.size() << " blocks";
}

TEST(Seating, OfAsManyBotsAsSeatsEverybodySitsAfterEverybody) {
  for (int seats = 3; seats <= 6; ++seats) {
    rating::Pairing all;
    for (int bot = 0; bot < seats; ++bot) all.bots.push_back(bot);
    Seating seating;
    std::vector<rating::Pairing> blocks;
    for (int block = 1; block <= 200; ++block) {
      rating::Pairing pairing = all;
      seating.Seat(&pairing);
      seating.Count(pairing);
      blocks.push_back(pairing);
      ExpectEven(blocks, seats, seats % 2 == 1 ? 1 : 2);
      // Of three and five there are balanced rounds, of four one twice as long.
      if (seats == 4 && block % 6 == 0) ExpectEven(blocks, seats, 0);
      if (seats % 2 == 1 && block % (seats - 1) == 0) ExpectEven(blocks, seats, 0);
    }
  }
}

TEST(Seating, OfManySeatsIsEvenedOutToo) {
  rating::Pairing all;
  all.bots.resize(limits::kMaxSeats);
  std::iota(all.bots.begin(), all.bots.end(), 0);
  Seating seating;
  std::vector<rating::Pairing> blocks;
  for (int block = 0; block < 200; ++block) {
    rating::Pairing pairing = all;
    seating.Seat(&pairing);
    seating.Count(pairing);
    EXPECT_TRUE(std::is_permutation(pairing.bots.begin(), pairing.bots.end(), all.bots.begin()));
    blocks.push_back(pairing);
  }
  const Evenness even = EvennessOf(blocks, limits::kMaxSeats);
  EXPECT_GE(even.least_after, 200 / 9 / 2);
  EXPECT_LE(even.most_after, 200 / 9 * 2);
}

TEST(RoundRobin, OfMoreSeatsBothSitAfterTheOtherAboutEquallyOften) {
  for (int seats = 3; seats <= 6; ++seats) {
    for (int bots = seats; bots <= 16; ++bots) {
      Spec spec = SpecOf(Format::kRoundRobin, bots, seats);
      spec.rounds = 12;
      const Evenness even = EvennessOf(PlayThrough(spec).blocks, bots);
      EXPECT_LE(even.most_after - even.least_after, 6) << bots << " in " << seats;
      EXPECT_GE(even.least_after, 12 / (seats - 1) / 2) << bots << " in " << seats;
    }
  }
}

TEST(Gauntlet, OfMoreSeatsEverybodySitsAfterTheFirstAndBeforeItAboutEquallyOften) {
  Spec spec = SpecOf(Format::kGauntlet, 5, 3);
  spec.rounds = 12;
  std::vector<int> lead(5, 0);
  for (const rating::Pairing& block : PlayThrough(spec).blocks) {
    const size_t soloist = std::find(block.bots.begin(), block.bots.end(), 0) - block.bots.begin();
    ++lead[block.bots[(soloist + 1) % 3]];
    --lead[block.bots[(soloist + 2) % 3]];
  }
  for (int bot = 1; bot < 5; ++bot) EXPECT_LE(std::abs(lead[bot]), 2) << bot;
}

TEST(Ladder, OfMoreSeatsEverybodySitsAfterEverybodyAboutEquallyOften) {
  for (int seats = 3; seats <= 6; ++seats) {
    for (const int bots : {seats, seats + 1, 9}) {
      Tournament tournament(SpecOf(Format::kLadder, bots, seats), 1);
      while (tournament.blocks().size() < 600) tournament.Step();
      const Evenness even = EvennessOf(tournament.blocks(), bots);
      EXPECT_LE(MostTurned(tournament.blocks(), bots), 4) << bots << " in " << seats;
      if (bots > seats) continue;
      EXPECT_LE(even.most_after - even.least_after, 2) << seats;
    }
  }
}

TEST(Ladder, MadeAgainKnowsWhoSatAfterWhom) {
  const auto first = Schedule::Make(SpecOf(Format::kLadder, 3, 3));
  const rating::Pairing before = *first->Next(std::vector<bool>(3, true), Instant());
  const auto again = Schedule::MakeLadder(SpecOf(Format::kLadder, 3, 3), std::vector<Entrant>(3),
                                          PairsOf(before), 1);
  const rating::Pairing after = *again->Next(std::vector<bool>(3, true), Instant());
  EXPECT_EQ(EvennessOf({before, after}, 3).least_after, 1) << "the other way round";
}

}  // namespace
}  // namespace referee::schedule
