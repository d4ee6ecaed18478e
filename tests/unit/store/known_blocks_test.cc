// Tests of the snapshot of a store's blocks: what began later is missing; which replays are kept.
#include "referee/store/known_blocks.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/support/change_spec.h"
#include "tests/unit/store/audited.h"

namespace referee::store {
namespace {

const absl::Time kNow = absl::FromUnixSeconds(1'700'000'100);

class KnownBlocksTest : public Audited {
 protected:
  bool Knows(int64_t block, int attempt) {
    const auto known = KnownBlocks::Read(store_.get(), kNow);
    EXPECT_TRUE(known.ok()) << known.status();
    return known->Know(absl::StrCat("c/", id_.text(), "/", block, "/", attempt));
  }
  void Begin(int64_t number) {
    const Competition competition = store_->GetCompetition(id_).value();
    const absl::Status begun =
        Apply(store_.get(), {BeginBlock{id_, competition.version, number, {{0, 1}}, kNow}});
    ASSERT_TRUE(begun.ok()) << begun;
  }
};

TEST_F(KnownBlocksTest, BlocksThatWerePlayedAreKnownAndThoseToComeAreNot) {
  Make();
  EXPECT_TRUE(Knows(2, 0));
  EXPECT_FALSE(Knows(3, 0));
}

TEST_F(KnownBlocksTest, BlockThatRunsIsKnownOnceItsMatchesAreNamed) {
  Make();
  Begin(3);
  EXPECT_FALSE(Knows(3, 0));
  const absl::Status named =
      Apply(store_.get(), {NameMatches{id_, 3, 0, "", {NumberedMatch(6), NumberedMatch(7)}}});
  ASSERT_TRUE(named.ok()) << named;
  EXPECT_TRUE(Knows(3, 0));
  EXPECT_FALSE(Knows(3, 1));
}

TEST_F(KnownBlocksTest, MatchesOfNoCompetitionAreKnown) {
  Make();
  const auto known = KnownBlocks::Read(store_.get(), kNow);
  ASSERT_TRUE(known.ok()) << known.status();
  EXPECT_TRUE(known->Know(""));
  EXPECT_TRUE(known->Know("an organiser's"));
}

TEST_F(KnownBlocksTest, CompetitionThatWasRemovedIsKnownAndALaterOneIsNot) {
  Make();
  const auto known = KnownBlocks::Read(store_.get(), kNow);
  ASSERT_TRUE(known.ok()) << known.status();
  EXPECT_TRUE(known->Know("c/00000000000000000000000000/0/0"));
  EXPECT_FALSE(known->Know("c/7zzzzzzzzzzzzzzzzzzzzzzzzz/0/0"));
}

class KeptReplaysTest : public Audited {
 protected:
  bool Keeps(int64_t block) {
    const auto kept = KeptReplays::Read(store_.get());
    EXPECT_TRUE(kept.ok()) << kept.status();
    return kept->Keep(absl::StrCat("c/", id_.text(), "/", block, "/0"));
  }
};

TEST_F(KeptReplaysTest, ThoseOfBlocksThatAreNotCounted) {
  Make();
  EXPECT_FALSE(Keeps(2));
  EXPECT_TRUE(Keeps(3));
}

TEST_F(KeptReplaysTest, AllOfACompetitionWhoseReplaysAreToBeKeptWhateverItIsCalled) {
  Make();
  const auto change = [&](auto set) { return testing::ChangeSpec(store_.get(), id_, set).ok(); };
  ASSERT_TRUE(change([](schedule::Spec* spec) { spec->keep_replays = true; }));
  EXPECT_TRUE(Keeps(0));
  ASSERT_TRUE(change([](schedule::Spec* spec) { spec->name = "autumn"; }));
  EXPECT_TRUE(Keeps(0));
  ASSERT_TRUE(change([](schedule::Spec* spec) { spec->keep_replays = false; }));
  EXPECT_FALSE(Keeps(0));
}

TEST_F(KeptReplaysTest, NoneOfMatchesOfNoCompetition) {
  Make();
  const auto kept = KeptReplays::Read(store_.get());
  ASSERT_TRUE(kept.ok()) << kept.status();
  EXPECT_FALSE(kept->Keep(""));
  EXPECT_FALSE(kept->Keep("c/00000000000000000000000000/0/0"));
}

}  // namespace
}  // namespace referee::store
