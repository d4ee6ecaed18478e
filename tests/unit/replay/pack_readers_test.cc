// Tests of readers of packs that are torn, missing or being written.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/archive.h"
#include "referee/replay/archive_query.h"
#include "referee/replay/pack.h"
#include "tests/unit/replay/pack_shelf_under_test.h"

namespace referee::replay {
namespace {

using ::testing::HasSubstr;

namespace fs = std::filesystem;

using PackReaders = PackShelfTest;

// The sizes below `whole` at which a pack is cut, the largest first: each one near an end of an
// entry or of the file, and one of 17 between them, since each cut writes to the disk.
std::vector<uint64_t> SizesOfCuts(uint64_t whole, const std::vector<uint64_t>& ends) {
  std::vector<uint64_t> sizes;
  for (uint64_t size = whole; size > 0;) {
    --size;
    const bool near = std::any_of(ends.begin(), ends.end(), [&](uint64_t end) {
      return size + 40 >= end && size <= end + 40;
    });
    if (near || size % 17 == 0) sizes.push_back(size);
  }
  return sizes;
}

// With an index and without one: whatever is missing is named.
TEST_F(PackReaders, NameAPackThatIsCutAnywhere) {
  Open();
  const MatchId id = Put(0, 1);
  const uint64_t first_end = fs::file_size(PackOf(id));
  Put(0, 2);
  Put(1, 3);
  ASSERT_TRUE(shelf_->WaitForIndex().ok());
  shelf_ = nullptr;
  const uint64_t whole = fs::file_size(PackOf(id));
  const auto problems_of = [&] {
    const Archive archive(dir());
    const std::vector<std::string> listed = List(archive);
    const auto index = WholeIndex::Look(dir());
    EXPECT_TRUE(index.ok()) << index.status();
    const std::vector<absl::Status> problems = archive.Problems();
    if (index.ok()) {
      EXPECT_EQ(index->problems(), problems);
    }
    for (const absl::Status& problem : problems) {
      EXPECT_THAT(std::string(problem.message()), HasSubstr(PackOf(id) + ": "));
    }
    return problems.size();
  };
  EXPECT_EQ(problems_of(), 0u);
  const std::vector<uint64_t> sizes = SizesOfCuts(whole, {0, first_end, whole});
  for (const uint64_t size : sizes) {
    fs::resize_file(PackOf(id), size);
    EXPECT_EQ(problems_of(), 1u) << size << ", with the index";
  }
  ASSERT_TRUE(PackIndex::Remove(dir()).ok());
  const std::string bytes = EncodePackEntry(id, FileOf(ReplayOf(0, 1))) +
                            EncodePackEntry(ReplayOf(0, 2).setup.id, FileOf(ReplayOf(0, 2)));
  std::ofstream(PackOf(id), std::ios::binary) << PackHeader() << bytes;
  for (const uint64_t size : sizes) {
    fs::resize_file(PackOf(id), size);
    const bool at_an_end = size == first_end || size == PackHeader().size();
    EXPECT_EQ(problems_of(), at_an_end ? 0u : 1u) << size << ", without an index";
  }
}

TEST_F(PackReaders, MissAPackThatIsGone) {
  Open();
  const MatchId gone = Put(0, 1);
  const MatchId there = Put(1, 2);
  ASSERT_TRUE(shelf_->WaitForIndex().ok());
  shelf_ = nullptr;
  fs::remove(PackOf(gone));
  const Archive archive(dir());
  EXPECT_TRUE(archive.Read(there).ok());
  List(archive);
  ASSERT_EQ(archive.Problems().size(), 1u);
  EXPECT_THAT(std::string(archive.Problems()[0].message()),
              HasSubstr(PackOf(gone) + ": is missing"));
}

TEST_F(PackReaders, SayOfAMatchThatItMayBeInWhatCannotBeRead) {
  Open();
  const MatchId first = Put(0, 1);
  shelf_ = nullptr;
  std::ofstream(PackOf(first), std::ios::binary | std::ios::app) << "torn";
  const absl::Status missing = Archive(dir()).Read(ReplayOf(0, 2).setup.id).status();
  EXPECT_TRUE(absl::IsNotFound(missing)) << missing;
  EXPECT_THAT(std::string(missing.message()), HasSubstr(PackOf(first) + ": it is torn"));
}

// Entries of megabytes are written page by page, and readers see the pages come.
TEST_F(PackReaders, SeeNothingTornWhileItAppends) {
  Open();
  std::atomic<bool> done{false};
  std::thread writer([&] {
    const std::string large(4 << 20, 'x');
    for (uint8_t i = 0; i < 30; ++i) {
      const Replay replay = ReplayOf(0, i);
      EXPECT_TRUE(shelf_->Put(Summarise(replay), large).ok());
    }
    done = true;
  });
  const std::string path = PackOf(ReplayOf(0, 0).setup.id);
  uint64_t end = 0;
  for (bool last = false; !last;) {
    last = done;
    if (!fs::exists(path)) continue;
    const auto scan = ScanPack(path, PackName(), end, [](const PackedReplay&) {});
    ASSERT_TRUE(scan.ok()) << scan.status();
    EXPECT_TRUE(PackProblem(path, *scan).ok()) << PackProblem(path, *scan);
    end = scan->end;
  }
  writer.join();
  EXPECT_EQ(end, fs::file_size(path));
}

}  // namespace
}  // namespace referee::replay
