// Tests of which folders may become a data directory.
#include "referee/replay/data_dir.h"

#include <filesystem>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace referee::replay {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class NewOrDataDir : public ::testing::Test {
 protected:
  void Write(const std::string& name, const std::string& bytes = "") {
    testing::WriteFile(dir_ + "/" + name, bytes);
  }
  void ExpectRefused() {
    const absl::Status status = CheckNewOrDataDir(dir_);
    EXPECT_TRUE(absl::IsAlreadyExists(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("'" + dir_ + "': holds other files"));
  }

  const testing::TempFolder folder_;
  const std::string dir_ = folder_.Path("d");
};

TEST_F(NewOrDataDir, IsAFolderThatIsNewOrEmpty) {
  EXPECT_EQ(CheckNewOrDataDir(dir_), absl::OkStatus());
  EXPECT_FALSE(fs::exists(dir_)) << "it only looks";
  fs::create_directory(dir_);
  EXPECT_EQ(CheckNewOrDataDir(dir_), absl::OkStatus());
  Write("key");
  fs::create_directory(dir_ + "/lost+found");
  EXPECT_EQ(CheckNewOrDataDir(dir_), absl::OkStatus());
}

TEST_F(NewOrDataDir, IsNoFolderOfOthers) {
  Write("notes.txt", "mine");
  ExpectRefused();
  fs::remove(dir_ + "/notes.txt");
  Write("log/app.log", "mine");
  ExpectRefused();
  Write("replays/chess.pgn", "mine");
  ExpectRefused();
  Write("lock", "12345\n");
  ExpectRefused();
}

TEST_F(NewOrDataDir, IsADataDirectoryWithWhatPeopleHavePutBesideIt) {
  { const File lock = LockDataDir(dir_).value(); }
  EXPECT_EQ(CheckNewOrDataDir(dir_), absl::OkStatus()) << "its referee was killed as it started";
  Write("notes.txt", "mine");
  ExpectRefused();
  fs::create_directory(dir_ + "/log");
  fs::create_directory(dir_ + "/replays");
  EXPECT_EQ(CheckNewOrDataDir(dir_), absl::OkStatus());
}

TEST_F(NewOrDataDir, IsNoFile) {
  testing::WriteFile(dir_, "mine");
  EXPECT_FALSE(CheckNewOrDataDir(dir_).ok());
}

}  // namespace
}  // namespace referee::replay
