#include "referee/replay/folders.h"

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <memory>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using ::testing::HasSubstr;

class DayFoldersTest : public ::testing::Test {
 protected:
  const testing::TempFolder directory_{testing::TempFolderOn::kMemory};
  const std::unique_ptr<DayFolders> shelf_ = DayFolders::Make(directory_.path()).value();
  const Replay replay_ = PlaySample({});
  const std::string file_ = Encode(replay_, SampleSigner());
  const std::string path_ =
      directory_.path() + "/replays/2026/11/21/" + replay_.setup.id.text() + ".rpl";
};

TEST_F(DayFoldersTest, KeepAReplayByTheDayOfItsMatch) {
  EXPECT_TRUE(absl::IsNotFound(shelf_->Read(replay_.setup.id).status()));
  ASSERT_TRUE(shelf_->Put(Summarise(replay_), file_).ok());
  EXPECT_TRUE(std::filesystem::exists(path_));
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
  EXPECT_TRUE(absl::IsNotFound(shelf_->Read(replay_.setup.id).status()));
}

TEST_F(DayFoldersTest, AreMadeAgainWhenSomebodyHasRemovedThem) {
  ASSERT_TRUE(shelf_->Put(Summarise(replay_), file_).ok());
  std::filesystem::remove_all(directory_.path() + "/replays/2026");
  EXPECT_TRUE(absl::IsNotFound(shelf_->Read(replay_.setup.id).status()));
  EXPECT_TRUE(shelf_->Put(Summarise(replay_), file_).ok());
  EXPECT_EQ(shelf_->Read(replay_.setup.id).value(), file_);
}

// What a sync could not put there the system takes for written: only to write it again helps.
class DayFoldersSync : public DayFoldersTest {
 protected:
  // Whether the file was written again by that.
  bool SyncWrites() {
    const auto long_ago = std::filesystem::last_write_time(path_) - std::chrono::hours(1);
    std::filesystem::last_write_time(path_, long_ago);
    EXPECT_TRUE(failing_->Sync().ok());
    return std::filesystem::last_write_time(path_) > long_ago;
  }
  void FailOnce() {
    fails_ = true;
    EXPECT_FALSE(failing_->Sync().ok());
    fails_ = false;
  }

  bool fails_ = false;
  const std::unique_ptr<DayFolders> failing_ = DayFolders::Make(directory_.path(), [this](int) {
                                                 errno = EIO;
                                                 return fails_ ? -1 : 0;
                                               }).value();
};

TEST_F(DayFoldersSync, GoesOnAfterAFailureAndWritesAgainWhatWasPutSinceTheLast) {
  ASSERT_TRUE(failing_->Put(Summarise(replay_), file_).ok());
  EXPECT_FALSE(SyncWrites());
  ASSERT_TRUE(failing_->Put(Summarise(replay_), file_).ok());
  FailOnce();
  FailOnce();
  EXPECT_TRUE(SyncWrites());
  EXPECT_EQ(failing_->Read(replay_.setup.id).value(), file_);
  FailOnce();
  EXPECT_FALSE(SyncWrites());
}

TEST_F(DayFoldersSync, WritesAgainWhatAnEarlierProcessPut) {
  ASSERT_TRUE(shelf_->Put(Summarise(replay_), file_).ok());
  FailOnce();
  EXPECT_TRUE(SyncWrites());
}

TEST_F(DayFoldersSync, SaysWhatWasLostButNotOfWhatWasDamagedBefore) {
  ASSERT_TRUE(failing_->Put(Summarise(replay_), file_).ok());
  FailOnce();
  std::filesystem::resize_file(path_, 10);
  const absl::Status lost = failing_->Sync();
  EXPECT_TRUE(absl::IsDataLoss(lost)) << lost;
  EXPECT_THAT(std::string(lost.message()), HasSubstr(path_));

  const auto later =
      DayFolders::Make(directory_.path(), [this](int) { return fails_ ? -1 : 0; }).value();
  fails_ = true;
  EXPECT_FALSE(later->Sync().ok());
  fails_ = false;
  EXPECT_TRUE(later->Sync().ok());
}

}  // namespace
}  // namespace referee::replay
