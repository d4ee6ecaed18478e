#include "referee/replay/log_folder.h"

#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/log_format.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr size_t kBytes = 8 * kLogPageBytes;

class LogFolderTest : public ::testing::Test {
 protected:
  LogFolderTest() { EXPECT_TRUE(folder_.Make().ok()); }
  const testing::TempFolder directory_;
  LogFolder folder_{directory_.path() + "/log"};
};

TEST_F(LogFolderTest, HasWhatWasWrittenThoughNobodyClosedIt) {
  for (const bool lasts : {false, true}) {
    const uint32_t slot = lasts ? 1 : 0;
    const auto segment = folder_.Open(slot, kBytes, lasts).value();
    EXPECT_EQ(segment->size(), kBytes);
    EXPECT_EQ(folder_.Read(slot).value(), std::string(kBytes, '\0'));
    EXPECT_TRUE(segment->Write(5000, "text").ok());
    segment->Prepare(4096, kBytes);
    EXPECT_EQ(folder_.Read(slot)->substr(5000, 5), std::string("text\0", 5));
    EXPECT_TRUE(segment->Sync(5000, 5004).ok());
  }
  EXPECT_THAT(folder_.Slots().value(), ElementsAre(0, 1));
}

// What this process has changed in files, as the system counts it: in whole pages.
size_t BytesChanged() {
  std::ifstream counts("/proc/self/io");
  std::string name;
  size_t value = 0;
  while (counts >> name >> value) {
    if (name == "write_bytes:") break;
  }
  return value;
}

TEST_F(LogFolderTest, StoreIntoAPageChangesNoOthersThatASyncWouldHaveToWrite) {
  constexpr size_t kPages = 512;
  for (const bool again : {false, true}) {
    const auto segment = folder_.Open(0, kPages * kLogPageBytes, /*lasts=*/true).value();
    EXPECT_TRUE(segment->Sync(0, segment->size()).ok());
    const size_t before = BytesChanged();
    for (size_t page = 0; page < kPages; page += 32) {
      EXPECT_TRUE(segment->Write(page * kLogPageBytes, "text").ok());
    }
    EXPECT_LE(BytesChanged() - before, kPages / 32 * kLogPageBytes) << again;
    EXPECT_TRUE(segment->Sync(0, segment->size()).ok());
    EXPECT_TRUE(folder_.Read(0).ok());
  }
}

TEST_F(LogFolderTest, RefusesToWriteBeyondASegment) {
  const auto segment = folder_.Open(0, kBytes, false).value();
  EXPECT_TRUE(absl::IsInternal(segment->Write(kBytes - 3, "text")));
  EXPECT_TRUE(absl::IsInternal(segment->Write(kBytes + 1, "")));
  EXPECT_TRUE(segment->Write(kBytes - 4, "text").ok());
}

TEST_F(LogFolderTest, OpensWhatIsThereAsLargeAsItIs) {
  EXPECT_TRUE(folder_.Open(3, kBytes, false).value()->Write(5000, "text").ok());
  const auto again = folder_.Open(3, 2 * kBytes, false).value();
  EXPECT_EQ(again->size(), kBytes);
  EXPECT_EQ(folder_.Read(3)->substr(5000, 4), "text");
}

TEST_F(LogFolderTest, LeavesNothingOfASegmentForWhichThereIsNoRoom) {
  const FullDisk full(100);
  EXPECT_TRUE(absl::IsResourceExhausted(folder_.Open(0, kBytes, false).status()));
  EXPECT_THAT(folder_.Slots().value(), IsEmpty());
}

TEST_F(LogFolderTest, RemovesASegmentOnce) {
  ASSERT_TRUE(folder_.Open(0, kBytes, false).ok());
  EXPECT_TRUE(folder_.Remove(0).ok());
  EXPECT_THAT(folder_.Slots().value(), IsEmpty());
  EXPECT_TRUE(folder_.Remove(0).ok());
}

TEST_F(LogFolderTest, IsEmptyWhereThereIsNone) {
  EXPECT_THAT(LogFolder(directory_.path() + "/none").Slots().value(), IsEmpty());
}

}  // namespace
}  // namespace referee::replay
