#include "referee/base/rotation.h"

#include <set>

#include "gtest/gtest.h"

namespace referee {
namespace {

TEST(PlaceOfSeat, InRotationZeroIsTheSeat) {
  for (int seat = 0; seat < 6; ++seat) EXPECT_EQ(PlaceOfSeat(seat, 0, 6), seat);
}

TEST(PlaceOfSeat, GivesEachBotEachSeatOnce) {
  for (int seat = 0; seat < 3; ++seat) {
    std::set<int> places;
    for (int rotation = 0; rotation < 3; ++rotation) {
      places.insert(PlaceOfSeat(seat, rotation, 3));
    }
    EXPECT_EQ(places, (std::set<int>{0, 1, 2})) << seat;
  }
}

TEST(PlaceOfSeat, BringsTheNextBotToTheFirstSeat) { EXPECT_EQ(PlaceOfSeat(0, 1, 3), 1); }

}  // namespace
}  // namespace referee
