#include "referee/rating/rating.h"

#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "referee/rating/elo.h"

namespace referee::rating {
namespace {

std::vector<Rating> AfterOneMatch(const std::vector<int>& ranks) {
  return Update(std::vector<Rating>(ranks.size()), {{}, {ranks}});
}

void ExpectRatings(const std::vector<Rating>& found, const std::vector<Rating>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].mu, expected[i].mu, 1e-9) << i;
    EXPECT_NEAR(found[i].sigma, expected[i].sigma, 1e-9) << i;
  }
}

// The figures are those of the tests of openskill.js for its Plackett-Luce model.
TEST(Update, AgreesWithPublishedFiguresForTwo) {
  ExpectRatings(AfterOneMatch({1, 2}),
                {{27.63523138347365, 8.065506316323548}, {22.36476861652635, 8.065506316323548}});
}

TEST(Update, AgreesWithPublishedFiguresForThree) {
  ExpectRatings(AfterOneMatch({1, 2, 3}), {{27.868876552746237, 8.204837030780652},
                                           {25.717219138186557, 8.057829747583874},
                                           {21.413904309067206, 8.057829747583874}});
}

TEST(Update, AgreesWithPublishedFiguresForFour) {
  ExpectRatings(AfterOneMatch({1, 2, 3, 4}), {{27.795084971874736, 8.263160757613477},
                                              {26.552824984374855, 8.179213704945203},
                                              {24.68943500312503, 8.083731307186588},
                                              {20.96265504062538, 8.083731307186588}});
}

TEST(Update, DrawOfEqualsNarrowsAndMovesNothing) {
  ExpectRatings(AfterOneMatch({1, 1}), {{25, 8.065506316323548}, {25, 8.065506316323548}});
}

TEST(Update, DoesNotDependOnTheOrderOfPlaces) {
  const std::vector<Rating> before = {{30, 2}, {25, 8}, {20, 4}};
  const std::vector<Rating> found = Update(before, {{}, {{2, 1, 3}, {1, 2, 2}}});
  const std::vector<Rating> turned =
      Update({before[2], before[0], before[1]}, {{}, {{3, 2, 1}, {2, 1, 2}}});
  ExpectRatings({turned[1], turned[2], turned[0]}, found);
}

TEST(Update, BlockThatSaysTheSameTwiceSaysItOnce) {
  const std::vector<Rating> before = {{30, 2}, {25, 8}};
  ExpectRatings(Update(before, {{}, {{2, 1}, {2, 1}}}), Update(before, {{}, {{2, 1}}}));
}

TEST(Update, BlockThatIsSharedMovesEqualsNowhere) {
  const std::vector<Rating> after = Update(std::vector<Rating>(2), {{}, {{1, 2}, {2, 1}}});
  ExpectRatings(after, {{25, 8.065506316323548}, {25, 8.065506316323548}});
}

TEST(Update, SurprisesMoveMoreThanWhatWasExpected) {
  const std::vector<Rating> before = {{35, 3}, {20, 3}};
  const double expected = Update(before, {{}, {{1, 2}}})[0].mu - before[0].mu;
  const double surprise = before[0].mu - Update(before, {{}, {{2, 1}}})[0].mu;
  EXPECT_GT(expected, 0);
  EXPECT_GT(surprise, 5 * expected);
}

TEST(Update, FarApartStaysFinite) {
  const std::vector<Rating> after = Update({{1e6, 1e-3}, {-1e6, 8}}, {{}, {{2, 1}}});
  EXPECT_TRUE(after[0].mu < 1e6 && after[1].mu > -1e6);
  EXPECT_GT(after[1].sigma, 0);
}

// 2 * 1.96 * 173.72 / sqrt(100 / 4), and half of it for four times as much.
TEST(IntervalWidth, IsInElo) {
  EXPECT_NEAR(IntervalWidth(25), 136.192, 0.001);
  EXPECT_NEAR(IntervalWidth(100), 68.096, 0.001);
  EXPECT_EQ(IntervalWidth(0), std::numeric_limits<double>::infinity());
}

TEST(Succeed, KeepsTheMeanAndWidensTheDeviation) {
  const Rating after = Succeed({31, 1});
  EXPECT_EQ(after.mu, 31);
  EXPECT_NEAR(after.sigma, 4.2850, 1e-4);
  EXPECT_GT(Succeed(after).sigma, after.sigma);
}

TEST(Succeed, MakesNobodyLessSureThanANewBot) {
  EXPECT_EQ(Succeed(Rating()).sigma, Rating().sigma);
  EXPECT_EQ(Succeed({20, 8}).sigma, Rating().sigma);
}

}  // namespace
}  // namespace referee::rating
