#include "referee/replay/archive.h"

#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/files.h"
#include "tests/support/match_id.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using ::testing::IsEmpty;

// Files at made-up times, named only.
class ArchiveTest : public ::testing::Test {
 protected:
  void Put(absl::Time created, uint8_t number) {
    const MatchId id = testing::NumberedId(number, created);
    testing::WriteFile(archive_.PathOf(id), "replay");
    ids_.insert(ids_.begin(), id.text());
  }

  const testing::TempFolder directory_{testing::TempFolderOn::kMemory};
  const Archive archive_{directory_.path()};
  std::vector<std::string> ids_;  // newest first
};

TEST_F(ArchiveTest, ListsNewestFirstInPages) {
  for (uint8_t day = 0; day < 40; ++day) {
    for (uint8_t i = 0; i < 3; ++i) {
      Put(absl::FromUnixSeconds(1'700'000'000) + absl::Hours(24) * day, i);
    }
  }
  for (const int page_size : {1, 2, 7, 119, 120, 500}) {
    std::vector<std::string> seen;
    std::string token;
    do {
      const ArchivePage page = archive_.List(page_size, token).value();
      EXPECT_LE(page.replays.size(), static_cast<size_t>(page_size));
      for (const ArchivedReplay& replay : page.replays) seen.push_back(replay.id.text());
      token = page.next_page_token;
    } while (!token.empty());
    EXPECT_EQ(seen, ids_) << page_size;
  }
}

TEST_F(ArchiveTest, PassesOverWhatIsNoReplay) {
  Put(absl::FromUnixSeconds(1'700'000'000), 1);
  std::ofstream(directory_.path() + "/replays/2023/notes.txt") << "x";
  std::ofstream(archive_.PathOf(MatchId::Parse(ids_[0]).value()) + ".tmp") << "x";
  EXPECT_EQ(archive_.List(0, "")->replays.size(), 1u);
}

TEST_F(ArchiveTest, RefusesATokenThatItDidNotGive) {
  EXPECT_TRUE(absl::IsInvalidArgument(archive_.List(0, "yesterday").status()));
}

TEST_F(ArchiveTest, OfNothingIsEmpty) {
  EXPECT_THAT(archive_.List(0, "")->replays, IsEmpty());
  EXPECT_TRUE(absl::IsNotFound(archive_.Read(testing::NumberedId(1)).status()));
}

}  // namespace
}  // namespace referee::replay
