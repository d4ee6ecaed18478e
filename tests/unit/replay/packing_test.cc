// Tests of moving an archive of files into packs: no interruption loses a replay.
#include "referee/replay/packing.h"

#include <map>
#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/limits.h"
#include "referee/replay/folders.h"
#include "tests/support/files.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

namespace fs = std::filesystem;

class Packing : public ::testing::Test {
 protected:
  Packing() {
    Replay replay = PlaySample({});
    for (uint8_t number = 0; number < 6; ++number) {
      const uint8_t random[10] = {number};
      replay.setup.id =
          MatchId::Make(absl::FromUnixSeconds(1'700'000'000) + absl::Hours(13) * number, random);
      const std::string file = Encode(replay, SampleSigner());
      Write(replay.setup.id, file);
      files_[replay.setup.id] = file;
    }
  }
  void Write(const MatchId& id, const std::string& bytes) {
    testing::WriteFile(folders_.PathOf(id), bytes);
  }
  PackingReport Pack() {
    const auto shelf = PackShelf::Open({dir()}).value();
    const absl::StatusOr<PackingReport> report = PackFolders(dir(), shelf.get(), nullptr);
    EXPECT_TRUE(report.ok()) << report.status();
    EXPECT_TRUE(shelf->WaitForIndex().ok());
    return report.value_or(PackingReport());
  }
  void ExpectAllThere() {
    const Archive archive(dir());
    for (const auto& [id, file] : files_) EXPECT_EQ(archive.Read(id).value_or(""), file);
    EXPECT_EQ(archive.List(100, "")->replays.size(), files_.size());
  }
  const std::string& dir() const { return directory_.path(); }

  const testing::TempFolder directory_{testing::TempFolderOn::kMemory};
  const Folders folders_{directory_.path()};
  std::map<MatchId, std::string> files_;
};

TEST_F(Packing, KeepsEveryReplayByteForByteAndRemovesTheFiles) {
  ExpectAllThere();
  EXPECT_EQ(Pack().packed, 6);
  EXPECT_THAT(folders_.Ids(), IsEmpty());
  EXPECT_FALSE(fs::exists(dir() + "/replays/2023"));
  ExpectAllThere();
  EXPECT_EQ(Pack().packed, 0);
}

// As after a kill between a replay's going into a pack and its file's going.
TEST_F(Packing, GoesOnWhereItWasBrokenOff) {
  Pack();
  const auto some = std::next(files_.begin(), 2);
  Write(some->first, some->second);
  ExpectAllThere();
  const uint64_t before = fs::file_size(PackPath(dir(), PackName::OfDay(some->first.created())));
  EXPECT_EQ(Pack().packed, 1);
  EXPECT_EQ(fs::file_size(PackPath(dir(), PackName::OfDay(some->first.created()))), before);
  ExpectAllThere();
}

TEST_F(Packing, LeavesWhatIsNoReplayAndSaysSo) {
  const auto cut = files_.begin();
  Write(cut->first, cut->second.substr(0, 100));
  const PackingReport report = Pack();
  EXPECT_EQ(report.packed, 5);
  ASSERT_THAT(report.left, SizeIs(1));
  EXPECT_THAT(std::string(report.left[0].message()), HasSubstr(folders_.PathOf(cut->first)));
  EXPECT_THAT(folders_.Ids(), SizeIs(1));
}

TEST_F(Packing, LeavesWhatIsMisplacedTooLargeOrNoFileAndPacksTheOthers) {
  auto file = files_.begin();
  const fs::path misplaced = folders_.PathOf(file->first);
  fs::create_directories(dir() + "/replays/2020/01/01");
  fs::rename(misplaced, dir() + "/replays/2020/01/01/" + misplaced.filename().string());
  const std::string large = folders_.PathOf((++file)->first);
  fs::resize_file(large, limits::kMaxReplayBytes + 1);
  const std::string folder = folders_.PathOf((++file)->first);
  fs::remove(folder);
  fs::create_directory(folder);
  const PackingReport report = Pack();
  EXPECT_EQ(report.packed, 3);
  ASSERT_THAT(report.left, SizeIs(3));
  EXPECT_THAT(std::string(report.left[0].message()), HasSubstr(misplaced.string()));
  EXPECT_THAT(std::string(report.left[1].message()), HasSubstr(large));
  EXPECT_THAT(std::string(report.left[2].message()), HasSubstr(folder));
}

TEST_F(Packing, LeavesAnotherReplayOfAMatchThatIsPacked) {
  Pack();
  const auto some = files_.begin();
  Write(some->first, Encode(Parse(some->second).value(), SampleSigner(2)));
  const PackingReport report = Pack();
  ASSERT_THAT(report.left, SizeIs(1));
  EXPECT_THAT(std::string(report.left[0].message()), HasSubstr("another replay"));
  ExpectAllThere();
}

TEST_F(Packing, OnAFullDiskRemovesNothingThatIsNotPacked) {
  {
    const auto shelf = PackShelf::Open({dir()}).value();
    const FullDisk full(1000);
    EXPECT_FALSE(PackFolders(dir(), shelf.get(), nullptr).ok());
  }
  ExpectAllThere();
}

}  // namespace
}  // namespace referee::replay
