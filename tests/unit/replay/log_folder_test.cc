#include "referee/replay/log_folder.h"

#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/files.h"
#include "referee/replay/log_format.h"
#include "referee/replay/log_memory.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr size_t kBytes = 8 * kLogPageBytes;

// The head and, behind it, a text.
std::string SegmentOf(uint64_t number, uint64_t salt, const std::string& text) {
  std::string bytes = EncodeHead({number, false, salt});
  bytes.resize(kLogPageBytes);
  return bytes + text;
}

class LogFolderTest : public ::testing::Test {
 protected:
  LogFolderTest() { EXPECT_TRUE(folder_.Make().ok()); }

  LogFolder FolderWith(const std::string& memory) const {
    return {directory_.path(), LogMemory(directory_.path(), memory)};
  }
  std::string InFile(size_t offset, size_t size) const {
    return ReadWholeFile(directory_.path() + "/log/0.log", kBytes)->substr(offset, size);
  }
  // What a process leaves that ends after it has written to a segment, and saved nothing.
  void WriteAndEnd(LogFolder* folder, const std::string& bytes) const {
    const auto segment = folder->Open(0, kBytes, false).value();
    EXPECT_TRUE(segment->Hold().ok());
    EXPECT_TRUE(segment->Write(0, bytes).ok());
  }

  const testing::TempFolder directory_;
  const testing::TempFolder memory_;
  LogFolder folder_ = FolderWith(memory_.path());
};

TEST_F(LogFolderTest, HasWhatWasWrittenThoughNobodyClosedIt) {
  for (const bool lasts : {false, true}) {
    const uint32_t slot = lasts ? 1 : 0;
    const auto segment = folder_.Open(slot, kBytes, lasts).value();
    EXPECT_EQ(segment->size(), kBytes);
    EXPECT_EQ(folder_.Read(slot).value(), std::string(kBytes, '\0'));
    EXPECT_TRUE(segment->Write(5000, "text").ok());
    EXPECT_EQ(folder_.Read(slot)->substr(5000, 5), std::string("text\0", 5));
    EXPECT_TRUE(segment->Save(5000, 5004, lasts).ok());
  }
  EXPECT_THAT(folder_.Slots().value(), ElementsAre(0, 1));
}

TEST_F(LogFolderTest, TouchesNoFileUntilWhatWasWrittenIsSaved) {
  const auto segment = folder_.Open(0, kBytes, true).value();
  ASSERT_TRUE(segment->Hold().ok());
  ASSERT_TRUE(segment->Write(0, SegmentOf(1, 7, "text")).ok());
  EXPECT_EQ(InFile(0, kBytes), std::string(kBytes, '\0'));
  EXPECT_EQ(folder_.Read(0)->substr(kLogPageBytes, 4), "text");
  EXPECT_EQ(LogFolder::Of(directory_.path()).Read(0)->substr(kLogPageBytes, 4), "text");

  EXPECT_TRUE(segment->Save(0, kLogPageBytes + 2, true).ok());
  EXPECT_EQ(InFile(kLogPageBytes, 4), std::string("te\0\0", 4));
  EXPECT_TRUE(segment->Save(kLogPageBytes, 2 * kLogPageBytes, true).ok());
  segment->Release();
  EXPECT_EQ(InFile(kLogPageBytes, 4), "text");
  ASSERT_TRUE(segment->Write(kLogPageBytes, "next").ok());
  EXPECT_EQ(InFile(kLogPageBytes, 4), "next");
}

TEST_F(LogFolderTest, TakesToTheDiskWhatAnEarlierProcessLeftInItsMemoryWhereverThatWas) {
  WriteAndEnd(&folder_, SegmentOf(1, 7, "text"));
  LogFolder next = FolderWith("");
  ASSERT_TRUE(next.Make().ok());
  EXPECT_EQ(InFile(kLogPageBytes, 4), "text");
  EXPECT_TRUE(std::filesystem::is_empty(memory_.path()));

  WriteAndEnd(&next, SegmentOf(2, 8, "more"));
  ASSERT_TRUE(folder_.Make().ok());
  EXPECT_EQ(InFile(kLogPageBytes, 4), "more");
  folder_.Leave();
  EXPECT_TRUE(std::filesystem::is_empty(memory_.path()));
}

TEST_F(LogFolderTest, LeavesAFileAloneThatAnotherProgramHasUsedSince) {
  WriteAndEnd(&folder_, SegmentOf(1, 7, "text"));
  for (const auto& [number, salt] : {std::pair(1, 8), std::pair(2, 7)}) {
    const std::string later = SegmentOf(number, salt, "later");
    LogFolder other = FolderWith("");
    const auto segment = other.Open(0, kBytes, false).value();
    ASSERT_TRUE(segment->Write(0, later).ok());
    EXPECT_EQ(folder_.Read(0)->substr(0, later.size()), later);
  }
  ASSERT_TRUE(folder_.Make().ok());
  EXPECT_EQ(InFile(kLogPageBytes, 5), "later");
}

TEST_F(LogFolderTest, TakesWhatWasHeldAndNotBegunForNothing) {
  const auto segment = folder_.Open(0, kBytes, false).value();
  const std::string before = SegmentOf(1, 7, "text");
  ASSERT_TRUE(segment->Write(0, before).ok());
  ASSERT_TRUE(segment->Hold().ok());
  EXPECT_EQ(folder_.Read(0)->substr(0, before.size()), before);
}

TEST_F(LogFolderTest, GivesACopyOfADataDirectoryAMemoryOfItsOwn) {
  WriteAndEnd(&folder_, SegmentOf(1, 7, "text"));
  const testing::TempFolder copy;
  std::filesystem::copy(directory_.path(), copy.path(), std::filesystem::copy_options::recursive);
  EXPECT_EQ(LogFolder::Of(copy.path()).Read(0).value(), std::string(kBytes, '\0'));
  ASSERT_TRUE(LogFolder(copy.path(), LogMemory(copy.path(), memory_.path())).Make().ok());
  EXPECT_EQ(folder_.Read(0)->substr(kLogPageBytes, 4), "text");
}

TEST_F(LogFolderTest, RemovesTheMemoryOfDataDirectoriesThatAreGone) {
  {
    const testing::TempFolder gone;
    LogFolder folder(gone.path(), LogMemory(gone.path(), memory_.path()));
    ASSERT_TRUE(folder.Make().ok());
    WriteAndEnd(&folder, SegmentOf(1, 7, "text"));
  }
  WriteAndEnd(&folder_, SegmentOf(1, 7, "text"));
  const testing::TempFolder other;
  ASSERT_TRUE(LogFolder(other.path(), LogMemory(other.path(), memory_.path())).Make().ok());
  using Entries = std::filesystem::directory_iterator;
  EXPECT_EQ(std::distance(Entries(memory_.path()), Entries()), 2);
  EXPECT_EQ(folder_.Read(0)->substr(kLogPageBytes, 4), "text");
}

TEST_F(LogFolderTest, SaysWhatToDoWhereThereIsNoMemory) {
  {
    const auto segment = folder_.Open(0, kBytes, false).value();
    const FullDisk full(100);
    const absl::Status held = segment->Hold();
    EXPECT_TRUE(absl::IsResourceExhausted(held));
    EXPECT_THAT(held.message(), HasSubstr("--log-memory"));
  }
  EXPECT_TRUE(absl::IsNotFound(LogMemory::Of(directory_.path()).Read(0).status()));
  EXPECT_THAT(FolderWith(memory_.path() + "/none").Make().message(), HasSubstr("--log-memory"));
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

TEST_F(LogFolderTest, SaveOfAPageChangesNoOthersThatASyncWouldHaveToWrite) {
  constexpr size_t kPages = 512;
  for (const bool again : {false, true}) {
    const auto segment = folder_.Open(0, kPages * kLogPageBytes, /*lasts=*/true).value();
    ASSERT_TRUE(segment->Save(0, segment->size(), true).ok());
    ASSERT_TRUE(segment->Hold().ok());
    for (size_t page = 0; page < kPages; page += 32) {
      EXPECT_TRUE(segment->Write(page * kLogPageBytes, "text").ok());
    }
    const size_t before = BytesChanged();
    for (size_t page = 0; page < kPages; page += 32) {
      const size_t offset = page * kLogPageBytes;
      EXPECT_TRUE(segment->Save(offset, offset + 4, false).ok());
    }
    EXPECT_LE(BytesChanged() - before, kPages / 32 * kLogPageBytes) << again;
    EXPECT_TRUE(segment->Save(0, segment->size(), true).ok());
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
  EXPECT_THAT(LogFolder::Of(directory_.path() + "/none").Slots().value(), IsEmpty());
}

}  // namespace
}  // namespace referee::replay
