#include "referee/replay/day_folders.h"

#include <filesystem>
#include <memory>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

class DayFoldersTest : public ::testing::Test {
 protected:
  const testing::TempFolder directory_;
  const std::unique_ptr<DayFolders> shelf_ = DayFolders::Make(directory_.path()).value();
  const Replay replay_ = PlaySample({});
  const std::string file_ = Encode(replay_, SampleSigner());
  const std::string path_ =
      directory_.path() + "/replays/2026/11/21/" + replay_.setup.id.text() + ".rpl";
};

TEST_F(DayFoldersTest, KeepAReplayByTheDayOfItsMatch) {
  EXPECT_FALSE(shelf_->Has(replay_.setup.id));
  EXPECT_TRUE(absl::IsNotFound(shelf_->Read(replay_.setup.id).status()));
  ASSERT_TRUE(shelf_->Put(Summarise(replay_), file_).ok());
  EXPECT_TRUE(std::filesystem::exists(path_));
  EXPECT_TRUE(shelf_->Has(replay_.setup.id));
  EXPECT_EQ(shelf_->Read(replay_.setup.id).value(), file_);
  EXPECT_TRUE(shelf_->Sync().ok());
}

TEST_F(DayFoldersTest, TakeTheSameReplayAgain) {
  ASSERT_TRUE(shelf_->Put(Summarise(replay_), file_).ok());
  EXPECT_TRUE(shelf_->Put(Summarise(replay_), file_).ok());
  EXPECT_EQ(shelf_->Read(replay_.setup.id).value(), file_);
}

TEST_F(DayFoldersTest, KeepNothingOnAFullDisk) {
  const FullDisk full(100);
  EXPECT_TRUE(absl::IsResourceExhausted(shelf_->Put(Summarise(replay_), file_)));
  EXPECT_FALSE(shelf_->Has(replay_.setup.id));
}

TEST_F(DayFoldersTest, AreMadeAgainWhenSomebodyHasRemovedThem) {
  ASSERT_TRUE(shelf_->Put(Summarise(replay_), file_).ok());
  std::filesystem::remove_all(directory_.path() + "/replays/2026");
  EXPECT_FALSE(shelf_->Has(replay_.setup.id));
  EXPECT_TRUE(shelf_->Put(Summarise(replay_), file_).ok());
  EXPECT_EQ(shelf_->Read(replay_.setup.id).value(), file_);
}

}  // namespace
}  // namespace referee::replay
