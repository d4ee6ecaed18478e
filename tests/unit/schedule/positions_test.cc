// Tests of the order of start positions: anybody can compute it, and it is fair to each position.
#include "referee/schedule/positions.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/limits.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

using ::testing::ElementsAre;

std::vector<int> PassOf(int64_t pass, int positions) {
  std::vector<int> order;
  for (int i = 0; i < positions; ++i) order.push_back(PositionOf(pass * positions + i, positions));
  return order;
}

// As ten lines of Python with hashlib give it.
TEST(PositionOf, IsTheShuffleOfSha256ThatTheHeaderDescribes) {
  EXPECT_THAT(PassOf(0, 12), ElementsAre(1, 10, 8, 4, 2, 3, 5, 9, 0, 7, 11, 6));
  EXPECT_THAT(PassOf(1, 12), ElementsAre(7, 9, 4, 11, 1, 6, 10, 8, 0, 2, 5, 3));
  EXPECT_THAT(PassOf(1'000'000, 12), ElementsAre(1, 10, 8, 4, 7, 11, 2, 6, 3, 5, 0, 9));
  const int most = static_cast<int>(limits::kMaxPositions);
  EXPECT_EQ(PositionOf(30'000, most), 6652);
  EXPECT_EQ(PositionOf(30'001, most), 9929);
  EXPECT_EQ(PositionOf(39'999, most), 9136);
}

TEST(PositionOf, HasEachPositionOnceInAPass) {
  for (const int positions : {1, 2, 9, 10, 500}) {
    std::vector<int> all(static_cast<size_t>(positions));
    std::iota(all.begin(), all.end(), 0);
    for (int64_t pass = 0; pass < 20; ++pass) {
      std::vector<int> order = PassOf(pass, positions);
      std::sort(order.begin(), order.end());
      EXPECT_EQ(order, all) << "pass " << pass;
    }
  }
}

TEST(PositionOf, HasAnotherOrderInAnotherPass) {
  for (int64_t pass = 0; pass < 20; ++pass) EXPECT_NE(PassOf(pass, 50), PassOf(pass + 1, 50));
}

TEST(Positions, AreRefusedByNumberAndSaysWhatWouldBeRight) {
  EXPECT_EQ(ValidatePositions({}), absl::OkStatus());
  EXPECT_EQ(ValidatePositions(std::vector<std::string>(limits::kMaxPositions, "p")),
            absl::OkStatus());
  EXPECT_EQ(ValidatePositions(std::vector<std::string>(limits::kMaxPositions + 1, "p")).message(),
            "positions: 10001 given; at most 10000 are allowed");
  EXPECT_EQ(ValidatePositions({"p", ""}).message(),
            "positions[1]: it has 0 bytes; expected 1 to 16384");
  EXPECT_EQ(ValidatePositions({std::string(limits::kMaxPositionBytes + 1, 'p')}).message(),
            "positions[0]: it has 16385 bytes; expected 1 to 16384");
  EXPECT_EQ(ValidatePositions(std::vector<std::string>(11, std::string(16'000, 'p'))).message(),
            "positions: they have 176000 bytes in all; at most 163840 are allowed; give fewer");
}

TEST(Positions, OfACompetitionAreJudgedWithItsSpec) {
  Spec spec = SpecOf(Format::kLadder, 3);
  spec.positions = {"p", "q"};
  EXPECT_EQ(Validate(spec), absl::OkStatus());
  spec.positions.push_back("");
  EXPECT_EQ(Validate(spec).message(), "positions[2]: it has 0 bytes; expected 1 to 16384");
}

}  // namespace
}  // namespace referee::schedule
