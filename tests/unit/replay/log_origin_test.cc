// Tests of how the log of a data directory is distinguished from a copy.
#include "referee/replay/log_origin.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace referee::replay {
namespace {

using std::filesystem::copy_options;

class LogOriginTest : public ::testing::Test {
 protected:
  LogOriginTest() {
    EXPECT_TRUE(MarkLog(data_).ok());
    std::ofstream(data_ + "/log/0.log") << "matches";
  }
  bool IsCopied(const std::string& data_dir) { return IsCopiedLog(data_dir, true).value(); }

  const testing::TempFolder folder_{testing::TempFolderOn::kMemory};
  const std::string data_ = folder_.Path("data");
  const std::string copy_ = folder_.Path("copy");
};

TEST_F(LogOriginTest, IsItsOwnWhateverItsDirectoryIsCalled) {
  EXPECT_FALSE(IsCopied(data_));
  std::filesystem::rename(data_, copy_);
  EXPECT_FALSE(IsCopied(copy_));
}

TEST_F(LogOriginTest, CopyIsKnownAndOneOfTheCopyToo) {
  std::filesystem::copy(data_, copy_, copy_options::recursive);
  EXPECT_TRUE(IsCopied(copy_));
  ASSERT_TRUE(MarkLog(copy_).ok());
  EXPECT_FALSE(IsCopied(copy_));
  EXPECT_FALSE(IsCopied(data_));
  std::filesystem::copy(copy_, folder_.Path("third"), copy_options::recursive);
  EXPECT_TRUE(IsCopied(folder_.Path("third")));
}

TEST_F(LogOriginTest, EarlierCopyThatIsPutBackIsKnown) {
  std::filesystem::copy(data_, copy_, copy_options::recursive);
  ASSERT_TRUE(MarkLog(data_).ok());  // the next start
  std::filesystem::copy(copy_, data_, copy_options::recursive | copy_options::overwrite_existing);
  EXPECT_TRUE(IsCopied(data_));
}

TEST_F(LogOriginTest, LogWithoutAnOriginIsACopyOnlyWhereARefereeWas) {
  std::filesystem::remove(data_ + "/log/origin");
  EXPECT_FALSE(IsCopiedLog(data_, false).value());
  EXPECT_TRUE(IsCopied(data_));
  EXPECT_FALSE(IsCopiedLog(folder_.Path("none"), false).value());
}

TEST_F(LogOriginTest, CopyIsMovedWholeAndNothingIsLost) {
  std::filesystem::create_directory(data_ + "/memory");
  std::ofstream(data_ + "/memory/0.log") << "more";
  for (const char* const folder : {"/copied/1", "/copied/2"}) {
    std::filesystem::remove_all(copy_ + "/log");
    std::filesystem::copy(data_, copy_, copy_options::recursive);
    ASSERT_EQ(MoveCopiedLog(copy_).value(), copy_ + folder);
    EXPECT_FALSE(std::filesystem::exists(copy_ + "/log"));
    EXPECT_FALSE(std::filesystem::exists(copy_ + "/memory"));
    EXPECT_TRUE(std::filesystem::exists(copy_ + folder + "/log/0.log"));
    EXPECT_TRUE(std::filesystem::exists(copy_ + folder + "/memory/0.log"));
  }
}

}  // namespace
}  // namespace referee::replay
