// Fixture for tests of the archive in packs, with its log lines.
#ifndef REFEREE_TESTS_UNIT_REPLAY_PACK_SHELF_UNDER_TEST_H_
#define REFEREE_TESTS_UNIT_REPLAY_PACK_SHELF_UNDER_TEST_H_

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "referee/base/mutex.h"
#include "referee/replay/pack_shelf.h"
#include "referee/sqlite/sqlite.h"
#include "tests/support/match_id.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {

class PackShelfTest : public ::testing::Test {
 protected:
  void Open() {
    shelf_ = nullptr;
    auto shelf = PackShelf::Open({dir(), [this](absl::string_view line) {
                                    const MutexLock lock(&mutex_);
                                    log_.emplace_back(line);
                                  }});
    ASSERT_TRUE(shelf.ok()) << shelf.status();
    shelf_ = *std::move(shelf);
  }
  // The sample match under another id.
  static Replay ReplayOf(int day, uint8_t number) {
    return SampleAs(testing::IdOfDay(day, number));
  }
  MatchId Put(int day, uint8_t number) {
    const Replay replay = ReplayOf(day, number);
    const absl::Status put = shelf_->Put(Summarise(replay), FileOf(replay));
    EXPECT_TRUE(put.ok()) << put;
    return replay.setup.id;
  }
  static std::string FileOf(const Replay& replay) { return Encode(replay, SampleSigner()); }

  static std::vector<std::string> List(const Archive& archive, int page_size = 0) {
    std::vector<std::string> seen;
    std::string token;
    do {
      const absl::StatusOr<ArchivePage> page = archive.List(page_size, token);
      EXPECT_TRUE(page.ok()) << page.status();
      if (!page.ok()) break;
      for (const ArchivedReplay& replay : page->replays) seen.push_back(replay.id.text());
      token = page->next_page_token;
    } while (!token.empty());
    return seen;
  }
  // The content of the index, in order.
  std::vector<std::string> IndexText() const {
    const auto index = PackIndex::OpenToRead(dir());
    EXPECT_TRUE(index.ok()) << index.status();
    std::vector<std::string> lines;
    for (const char* const sql :
         {"SELECT place || ' ' || id || ' ' || size || ' ' || create_ms || ' ' || end_us || ' ' || "
          "(SELECT text FROM word WHERE number = game) || ' ' || turns || ' ' || ending || ' ' || "
          "opening_roll FROM replay ORDER BY place",
          "SELECT place || ' ' || seat || ' ' || (SELECT text FROM word WHERE number = bot) || ' ' "
          "|| rank || ' ' || used_us FROM seat ORDER BY place, seat",
          "SELECT number || ' ' || covered FROM pack ORDER BY number"}) {
      sqlite::Statement rows = (*index)->db()->Prepare(sql);
      while (rows.Step()) lines.push_back(rows.String(0));
      EXPECT_TRUE(rows.status().ok()) << rows.status();
    }
    return lines;
  }
  std::vector<std::string> Log() {
    const MutexLock lock(&mutex_);
    return log_;
  }
  const std::string& dir() const { return directory_.path(); }
  std::string PackOf(const MatchId& id) const {
    return PackPath(dir(), PackName::OfDay(id.created()));
  }

  const testing::TempFolder directory_{testing::TempFolderOn::kMemory};
  Mutex mutex_;
  std::vector<std::string> log_ ABSL_GUARDED_BY(mutex_);
  std::unique_ptr<PackShelf> shelf_;
};

}  // namespace referee::replay

#endif  // REFEREE_TESTS_UNIT_REPLAY_PACK_SHELF_UNDER_TEST_H_
