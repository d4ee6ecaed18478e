#include "referee/shelf/directory_shelf.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/shelf/harness.h"

namespace referee::shelf {
namespace {

namespace fs = std::filesystem;
using ::referee::testing::IdOfDay;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class DirectoryShelfTest : public ::testing::Test {
 protected:
  std::vector<std::string> Files() const {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
      if (!entry.is_directory()) files.push_back(entry.path().lexically_relative(folder_.path()));
    }
    return files;
  }

  const testing::TempFolder folder_;
  const std::unique_ptr<DirectoryShelf> shelf_ = DirectoryShelf::Open(folder_.path()).value();
};

TEST_F(DirectoryShelfTest, FileIsInTheFolderOfItsDayAndNothingElseIsLeft) {
  ASSERT_EQ(shelf_->Put(IdOfDay(0), "one"), absl::OkStatus());
  ASSERT_TRUE(absl::IsAlreadyExists(shelf_->Put(IdOfDay(0), "two")));
  EXPECT_THAT(Files(), ElementsAre("2023/11/14/" + IdOfDay(0).text() + ".rpl"));
}

TEST_F(DirectoryShelfTest, DirectoryThatIsNotThereIsNotMade) {
  const absl::StatusOr<std::unique_ptr<DirectoryShelf>> opened =
      DirectoryShelf::Open(folder_.Path("none"));
  EXPECT_TRUE(absl::IsNotFound(opened.status()));
  EXPECT_THAT(std::string(opened.status().message()), HasSubstr("mount"));
  EXPECT_FALSE(fs::exists(folder_.Path("none")));
}

TEST_F(DirectoryShelfTest, DirectoryThatGoesIsAPassingFailureAndNoMissingReplay) {
  ASSERT_EQ(shelf_->Put(IdOfDay(0), "one"), absl::OkStatus());
  fs::rename(folder_.path(), folder_.path() + ".unmounted");
  EXPECT_TRUE(absl::IsUnavailable(shelf_->Put(IdOfDay(1), "two")));
  EXPECT_TRUE(absl::IsUnavailable(shelf_->Get(IdOfDay(0)).status()));
  EXPECT_TRUE(absl::IsUnavailable(shelf_->List("", 10, "").status()));
  EXPECT_FALSE(fs::exists(folder_.path()));
  fs::rename(folder_.path() + ".unmounted", folder_.path());
  EXPECT_EQ(shelf_->Put(IdOfDay(1), "two"), absl::OkStatus());
}

TEST_F(DirectoryShelfTest, WhatAWriterThatDiedHasLeftIsInNobodysWay) {
  const fs::path day = folder_.Path("2023/11/14");
  fs::create_directories(day);
  std::ofstream(day / ("." + IdOfDay(0).text() + ".0011223344556677.tmp")) << "ha";
  EXPECT_TRUE(absl::IsNotFound(shelf_->Get(IdOfDay(0)).status()));
  EXPECT_EQ(shelf_->Put(IdOfDay(0), "half"), absl::OkStatus());
  EXPECT_EQ(shelf_->List("", 10, "").value().replays.size(), 1u);
}

TEST_F(DirectoryShelfTest, WhatIsNoReplayIsNotListed) {
  ASSERT_EQ(shelf_->Put(IdOfDay(0), "one"), absl::OkStatus());
  std::ofstream(folder_.Path("2023/11/14/README")) << "x";
  fs::create_directories(folder_.Path("2023/11/15"));
  std::ofstream(folder_.Path("2023/11/15/" + IdOfDay(0).text() + ".rpl")) << "of another day";
  fs::create_directories(folder_.Path("lost+found"));
  fs::create_directories(folder_.Path("2023/11/14/" + IdOfDay(0, 1).text() + ".rpl"));
  EXPECT_EQ(shelf_->List("", 10, "").value().replays.size(), 1u);
}

TEST_F(DirectoryShelfTest, FolderThatCannotBeReadIsAnErrorAndNoEmptyList) {
  ASSERT_EQ(shelf_->Put(IdOfDay(0), "one"), absl::OkStatus());
  fs::remove_all(folder_.Path("2023/11/14"));
  std::ofstream(folder_.Path("2023/11/14")) << "a file in place of a folder";
  EXPECT_FALSE(shelf_->List("", 10, "").ok());
}

}  // namespace
}  // namespace referee::shelf
