#include "referee/schedule/rounds.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

using rating::Pairing;

void ExpectEvenness(const Evenness& even, int64_t least_met, int64_t most_met, int64_t least_after,
                    int64_t most_after) {
  EXPECT_EQ(even.least_met, least_met);
  EXPECT_EQ(even.most_met, most_met);
  EXPECT_EQ(even.least_after, least_after);
  EXPECT_EQ(even.most_after, most_after);
}

TEST(Evenness, IsOfMeetingsAndOfWhoSitsRightAfterWhom) {
  const Spec spec = SpecOf(Format::kRoundRobin, 4, 3);
  const std::vector<Pairing> once = {{{0, 1, 2}}, {{0, 1, 3}}, {{0, 2, 3}}, {{1, 2, 3}}};
  ExpectEvenness(*EvennessOf(spec, once, std::vector<bool>(4, true)), 2, 2, 0, 2);
  std::vector<Pairing> both = once;
  for (const Pairing& block : once) both.push_back({{block.bots.rbegin(), block.bots.rend()}});
  ExpectEvenness(*EvennessOf(spec, both, std::vector<bool>(4, true)), 4, 4, 2, 2);
}

TEST(Evenness, CountsPairsThatDoNotMeet) {
  const Spec spec = SpecOf(Format::kRoundRobin, 3);
  const std::vector<bool> all(3, true);
  ExpectEvenness(*EvennessOf(spec, {{{0, 1}}, {{1, 0}}}, all), 0, 2, 0, 2);
  ExpectEvenness(*EvennessOf(spec, {}, all), 0, 0, 0, 0);
}

TEST(Evenness, IsOfThoseThatAreStillIn) {
  const Spec spec = SpecOf(Format::kRoundRobin, 3);
  const std::vector<Pairing> blocks = {{{0, 1}}, {{1, 2}}, {{1, 2}}};
  ExpectEvenness(*EvennessOf(spec, blocks, {false, true, true}), 2, 2, 2, 2);
  EXPECT_FALSE(EvennessOf(spec, blocks, {false, true, false}).has_value());
}

TEST(Evenness, OfAGauntletIsOfPairsWithTheSoloist) {
  const Spec spec = SpecOf(Format::kGauntlet, 4, 3);
  const std::vector<Pairing> blocks = {{{0, 1, 2}}, {{0, 3, 1}}, {{0, 2, 3}}};
  ExpectEvenness(*EvennessOf(spec, blocks, std::vector<bool>(4, true)), 2, 2, 1, 1);
  EXPECT_FALSE(EvennessOf(spec, blocks, {false, true, true, true}).has_value());
}

TEST(Evenness, IsOfRoundRobinsAndGauntletsThatAreNotTooLong) {
  EXPECT_TRUE(IsToBeEven(SpecOf(Format::kRoundRobin, 5, 3)));
  EXPECT_TRUE(IsToBeEven(SpecOf(Format::kGauntlet, 5)));
  EXPECT_FALSE(IsToBeEven(SpecOf(Format::kSwiss, 5)));
  EXPECT_FALSE(IsToBeEven(SpecOf(Format::kKnockout, 5)));
  EXPECT_FALSE(IsToBeEven(SpecOf(Format::kLadder, 5, 3)));
  Spec spec = SpecOf(Format::kRoundRobin, 2);
  spec.rounds = static_cast<int>(kMostBlocksForEvenness);
  EXPECT_TRUE(IsToBeEven(spec));
  ++spec.rounds;
  EXPECT_FALSE(IsToBeEven(spec));
}

}  // namespace
}  // namespace referee::schedule
