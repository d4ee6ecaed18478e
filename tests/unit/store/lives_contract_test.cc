// Tests of the lives of a store, and of the dice and coin flips drawn in them.
#include <string>

#include "absl/time/clock.h"
#include "tests/unit/store/harness.h"

namespace referee::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_P(StoreContract, LivesOfPinnedDiceAreKeptUntilTheCompetitionIsFinished) {
  Competition pinned = LadderOf(1, "pinned", {"a"});
  pinned.spec.pinned = true;
  pinned.dice_seed = dice::PinnedSeed(7);
  ASSERT_TRUE(store_->CreateCompetition(pinned, absl::nullopt).ok());
  const Competition committed = LadderOf(2, "committed", {"a"});
  ASSERT_TRUE(store_->CreateCompetition(committed, absl::nullopt).ok());
  EXPECT_THAT(store_->GetCompetition(pinned.id)->dice_lives, IsEmpty());
  const std::string one(32, 'a'), two(32, 'b');
  ASSERT_TRUE(store_->BeginLife(one).ok());
  ASSERT_TRUE(store_->BeginLife(two).ok());
  Reopen();
  const Competition kept = store_->GetCompetition(pinned.id).value();
  EXPECT_THAT(kept.dice_lives, ElementsAre(one, two));
  EXPECT_EQ(kept.version, 3);
  EXPECT_THAT(store_->GetCompetition(committed.id)->dice_lives, IsEmpty());
  ASSERT_TRUE(store_
                  ->SetState(pinned.id, CompetitionState::kNew, CompetitionState::kFinished,
                             absl::Now(), absl::nullopt)
                  .ok());
  ASSERT_TRUE(store_->BeginLife(std::string(32, 'c')).ok());
  EXPECT_THAT(store_->GetCompetition(pinned.id)->dice_lives, ElementsAre(one, two));
}

TEST_P(StoreContract, LivesOfAKnockoutAreKeptWithTheBlockThatEachBeganAt) {
  Competition cup = LadderOf(1, "cup", {"a", "b"});
  cup.spec.format = schedule::Format::kKnockout;
  cup.lot_seed = dice::PinnedSeed(8);
  ASSERT_TRUE(store_->CreateCompetition(cup, absl::nullopt).ok());
  ASSERT_TRUE(store_
                  ->SetState(cup.id, CompetitionState::kNew, CompetitionState::kRunning, At(0),
                             absl::nullopt)
                  .ok());
  const std::string one(32, 'a'), two(32, 'b');
  ASSERT_TRUE(store_->BeginLife(one).ok());
  cup = store_->GetCompetition(cup.id).value();  // its version has risen
  ASSERT_EQ(Apply(store_.get(), {BeginOf(cup, 0, {0, 1})}), absl::OkStatus());
  ASSERT_TRUE(store_->BeginLife(two).ok());
  Reopen();
  const Competition kept = store_->GetCompetition(cup.id).value();
  EXPECT_THAT(kept.dice_lives, ElementsAre(one, two));
  EXPECT_THAT(kept.life_blocks, ElementsAre(0, 1));
}

TEST(LotOf, HasTheLifeInItInWhichTheLastBlockOfTheTieBegan) {
  Competition cup;
  cup.lot_seed = dice::PinnedSeed(8);
  const auto drawn = [&](int64_t last_block) {
    std::string lots;
    for (int tie = 0; tie < 64; ++tie) lots += LotOf(cup, 1, tie, last_block) == 0 ? '0' : '1';
    return lots;
  };
  const auto derived = [&](const std::string& life) {
    std::string lots;
    for (int tie = 0; tie < 64; ++tie) {
      const std::string name = "lot/1/" + std::to_string(tie) + life;
      lots += (dice::DerivedSeed(*cup.lot_seed, name).bytes[0] & 1) == 0 ? '0' : '1';
    }
    return lots;
  };
  EXPECT_EQ(drawn(9), derived(""));
  const std::string one(32, 'a'), two(32, 'b');
  cup.dice_lives = {one, two};
  cup.life_blocks = {5, 9};
  EXPECT_EQ(drawn(4), derived("")) << "a lot that was drawn stays as it is";
  EXPECT_EQ(drawn(5), derived("/" + one));
  EXPECT_EQ(drawn(8), derived("/" + one));
  EXPECT_EQ(drawn(9), derived("/" + two));
}

TEST(PinnedSeedOf, HasTheBlockTheAttemptAndTheLifeOfTheStoreInIt) {
  Competition cup;
  cup.dice_seed = dice::PinnedSeed(7);
  const dice::Seed first = *PinnedSeedOf(cup, 3, 1);
  EXPECT_EQ(first, dice::DerivedSeed(dice::PinnedSeed(7), "competition/3/1"));
  const std::string life(32, 'a');
  cup.dice_lives = {life};
  const dice::Seed second = *PinnedSeedOf(cup, 3, 1);
  EXPECT_EQ(second, dice::DerivedSeed(dice::PinnedSeed(7), "competition/3/1/" + life));
  cup.dice_lives.emplace_back(32, 'b');
  EXPECT_FALSE(*PinnedSeedOf(cup, 3, 1) == second);
  EXPECT_TRUE(IsPinnedSeedOf(cup, 3, 1, first));
  EXPECT_TRUE(IsPinnedSeedOf(cup, 3, 1, second));
  EXPECT_TRUE(IsPinnedSeedOf(cup, 3, 1, *PinnedSeedOf(cup, 3, 1)));
  EXPECT_FALSE(IsPinnedSeedOf(cup, 3, 2, first));
}

}  // namespace
}  // namespace referee::store
