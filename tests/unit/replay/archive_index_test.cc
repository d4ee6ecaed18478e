// Claims about listing an archive of any size.
#include "referee/replay/archive_index.h"

#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/files.h"
#include "tests/support/match_id.h"
#include "tests/support/temp_folder.h"

namespace referee::replay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ArchiveIndexTest : public ::testing::Test {
 protected:
  MatchId Put(int day, uint8_t number) {
    const MatchId id = testing::IdOfDay(day, number);
    testing::WriteFile(index_.archive().PathOf(id), "replay");
    return id;
  }
  std::vector<std::string> List(int page_size = 0) {
    std::vector<std::string> seen;
    std::string token;
    do {
      const ArchivePage page = index_.List(page_size, token).value();
      for (const ArchivedReplay& replay : page.replays) seen.push_back(replay.id.text());
      token = page.next_page_token;
    } while (!token.empty());
    return seen;
  }

  const testing::TempFolder directory_;
  ArchiveIndex index_{Archive(directory_.path())};
};

TEST_F(ArchiveIndexTest, ListsWhatTheDirectoriesHave) {
  for (int day = 0; day < 40; ++day) {
    for (uint8_t i = 0; i < 3; ++i) Put(day, i);
  }
  std::vector<std::string> all;
  const ArchivePage whole = Archive(directory_.path()).List(500, "").value();
  for (const ArchivedReplay& replay : whole.replays) all.push_back(replay.id.text());
  ASSERT_EQ(all.size(), 120u);
  for (const int page_size : {1, 7, 119, 120, 500}) EXPECT_EQ(List(page_size), all) << page_size;
}

// So that a page costs the same in an archive of any size.
TEST_F(ArchiveIndexTest, ReadsTheDirectoriesOnceAndNoMore) {
  const MatchId old = Put(0, 1);
  EXPECT_THAT(List(), ElementsAre(old.text()));
  Put(0, 2);
  EXPECT_THAT(List(), ElementsAre(old.text()));
}

TEST_F(ArchiveIndexTest, ListsWhatWasNotedBeforeAndAfterTheDirectoriesWereRead) {
  const MatchId first = Put(0, 1);
  index_.Note(first);
  EXPECT_THAT(List(), ElementsAre(first.text()));
  const MatchId third = Put(2, 1);
  const MatchId second = Put(1, 1);
  index_.Note(third);
  index_.Note(second);
  index_.Note(second);
  EXPECT_THAT(List(), ElementsAre(third.text(), second.text(), first.text()));
}

TEST_F(ArchiveIndexTest, PassesOverWhatWasRemoved) {
  const MatchId kept = Put(0, 1);
  for (uint8_t i = 0; i < 9; ++i) Put(1, i);
  EXPECT_EQ(List().size(), 10u);
  for (uint8_t i = 0; i < 9; ++i)
    std::filesystem::remove(index_.archive().PathOf(testing::IdOfDay(1, i)));
  EXPECT_THAT(List(2), ElementsAre(kept.text()));
}

TEST_F(ArchiveIndexTest, IsEmptyWithoutAnArchive) { EXPECT_THAT(List(), IsEmpty()); }

TEST_F(ArchiveIndexTest, RefusesATokenThatItDidNotGive) {
  EXPECT_EQ(index_.List(0, "nonsense").status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace referee::replay
