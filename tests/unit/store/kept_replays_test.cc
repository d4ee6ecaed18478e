// Claims about which replays are kept whatever their age.
#include "referee/store/kept_replays.h"

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/support/change_spec.h"
#include "tests/unit/store/audited.h"

namespace referee::store {
namespace {

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
