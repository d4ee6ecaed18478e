// Claims about which replays are kept whatever their age.
#include "referee/store/kept_replays.h"

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
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
  ASSERT_TRUE(store_->SetKeepReplays(id_, true, absl::nullopt).ok());
  EXPECT_TRUE(Keeps(0));
  ASSERT_TRUE(store_->RenameCompetition(id_, "autumn", absl::nullopt).ok());
  EXPECT_TRUE(Keeps(0));
  ASSERT_TRUE(store_->SetKeepReplays(id_, false, absl::nullopt).ok());
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
