// Tests of the archive in packs.
//
// A stored replay is there at once, and after any end of the process. The index always agrees with
// the packs.
#include "referee/replay/pack_shelf.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/verifier.h"
#include "referee/sqlite/sqlite.h"
#include "tests/unit/replay/pack_shelf_under_test.h"

namespace referee::replay {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

TEST_F(PackShelfTest, GivesAReplayThatVerifiesByteForByte) {
  Open();
  const MatchId id = Put(0, 1);
  const std::string file = shelf_->Read(id).value();
  EXPECT_EQ(file, FileOf(ReplayOf(0, 1)));
  EXPECT_EQ(Verify(file).problem, "");
  EXPECT_TRUE(shelf_->Has(id));
  EXPECT_EQ(shelf_->archive().ReadPart(id, 10, 20)->bytes, file.substr(10, 20));
  EXPECT_EQ(shelf_->archive().ReadPart(id, file.size(), 20)->bytes, "");
  EXPECT_EQ(shelf_->archive().ReadPart(id, 0, 1)->total, file.size());
  const MatchId other = ReplayOf(0, 2).setup.id;
  EXPECT_FALSE(shelf_->Has(other));
  EXPECT_TRUE(absl::IsNotFound(shelf_->Read(other).status()));
}

TEST_F(PackShelfTest, ListsAtOnceWhatWasPutNewestFirstInPages) {
  Open();
  std::vector<std::string> ids;
  for (int day = 0; day < 3; ++day) {
    for (uint8_t i = 0; i < 5; ++i) {
      ids.insert(ids.begin(), Put(day, i).text());
      EXPECT_EQ(List(shelf_->archive()), ids);
    }
  }
  ASSERT_TRUE(shelf_->WaitForIndex().ok());
  for (const int page_size : {1, 4, 14, 15, 100}) {
    EXPECT_EQ(List(shelf_->archive(), page_size), ids) << page_size;
    EXPECT_EQ(List(Archive(dir()), page_size), ids) << page_size;
  }
}

TEST_F(PackShelfTest, TellsOthersAtOnceWhatIsNotInTheIndexYet) {
  Open();
  const Archive elsewhere(dir());
  EXPECT_THAT(List(elsewhere), IsEmpty());
  for (uint8_t i = 0; i < 20; ++i) {
    const MatchId id = Put(0, i);
    EXPECT_TRUE(elsewhere.Has(id));
    EXPECT_EQ(List(elsewhere).size(), i + 1u);
  }
}

TEST_F(PackShelfTest, HasAnIndexThatCanBeMadeAgainFromThePacks) {
  Open();
  for (int day = 0; day < 3; ++day) {
    for (uint8_t i = 0; i < 4; ++i) Put(day, i);
  }
  ASSERT_TRUE(shelf_->WaitForIndex().ok());
  const std::vector<std::string> written = IndexText();
  EXPECT_EQ(written.size(), 12u + 24u + 3u);
  shelf_ = nullptr;
  ASSERT_TRUE(PackIndex::Remove(dir()).ok());
  Open();
  ASSERT_TRUE(shelf_->WaitForIndex().ok());
  EXPECT_EQ(IndexText(), written);
}

TEST_F(PackShelfTest, ReadsWithoutAnIndexAndWithADamagedOne) {
  Open();
  const MatchId id = Put(0, 1);
  ASSERT_TRUE(shelf_->WaitForIndex().ok());
  const std::vector<std::string> written = IndexText();
  shelf_ = nullptr;
  for (const std::string bytes : {"", "no database", "SQLite format 3"}) {
    ASSERT_TRUE(PackIndex::Remove(dir()).ok());
    std::ofstream(PackIndex::PathIn(dir()), std::ios::binary) << bytes;
    const Archive archive(dir());
    EXPECT_TRUE(archive.Has(id)) << bytes;
    EXPECT_THAT(List(archive), ElementsAre(id.text())) << bytes;
    Open();
    ASSERT_TRUE(shelf_->WaitForIndex().ok());
    EXPECT_EQ(IndexText(), written) << bytes;
    shelf_ = nullptr;
  }
  ASSERT_TRUE(PackIndex::Remove(dir()).ok());
  EXPECT_TRUE(Archive(dir()).Has(id));
}

TEST_F(PackShelfTest, TakesUpWhatAKilledProcessPutAndDidNotIndex) {
  Open();
  const MatchId first = Put(0, 1);
  ASSERT_TRUE(shelf_->WaitForIndex().ok());
  shelf_ = nullptr;
  const Replay second = ReplayOf(0, 2);
  std::ofstream(PackOf(first), std::ios::binary | std::ios::app)
      << EncodePackEntry(second.setup.id, FileOf(second));
  EXPECT_EQ(List(Archive(dir())).size(), 2u);
  Open();
  EXPECT_EQ(shelf_->Read(second.setup.id).value(), FileOf(second));
  ASSERT_TRUE(shelf_->WaitForIndex().ok());
  EXPECT_EQ(IndexText().size(), 2u + 4u + 1u);
}

// Cut at every byte of the last entry.
TEST_F(PackShelfTest, CutsOffWhatAKilledProcessDidNotFinish) {
  Open();
  const MatchId first = Put(0, 1);
  ASSERT_TRUE(shelf_->WaitForIndex().ok());
  shelf_ = nullptr;
  const uint64_t size = fs::file_size(PackOf(first));
  const Replay second = ReplayOf(0, 2);
  const std::string entry = EncodePackEntry(second.setup.id, FileOf(second));
  for (size_t kept = 1; kept < entry.size(); kept += kept < 40 ? 1 : 97) {
    std::ofstream(PackOf(first), std::ios::binary | std::ios::app) << entry.substr(0, kept);
    EXPECT_FALSE(Archive(dir()).Has(second.setup.id));
    Open();
    EXPECT_EQ(fs::file_size(PackOf(first)), size) << kept;
    EXPECT_TRUE(shelf_->Has(first));
    EXPECT_FALSE(shelf_->Has(second.setup.id));
    shelf_ = nullptr;
  }
  EXPECT_THAT(Log(), Contains(HasSubstr("cut off a write that was not finished")));
  Open();
  Put(0, 2);
  EXPECT_EQ(shelf_->Read(second.setup.id).value(), FileOf(second));
}

TEST_F(PackShelfTest, LeavesAPackThatEndsInZerosAndGoesOnInAnother) {
  Open();
  const MatchId first = Put(0, 1);
  shelf_ = nullptr;
  std::ofstream(PackOf(first), std::ios::binary | std::ios::app) << std::string(500, '\0');
  const uint64_t size = fs::file_size(PackOf(first));
  Open();
  const MatchId second = Put(0, 2);
  EXPECT_EQ(fs::file_size(PackOf(first)), size);
  EXPECT_EQ(shelf_->archive().Find(second)->path,
            PackPath(dir(), PackName::OfDay(first.created()).next()));
  Open();
  EXPECT_THAT(List(shelf_->archive()), ElementsAre(second.text(), first.text()));
}

TEST_F(PackShelfTest, MakesAnIndexAnewThatSaysMoreThanThePacksHave) {
  Open();
  const MatchId first = Put(0, 1);
  const uint64_t size = fs::file_size(PackOf(first));
  const MatchId lost = Put(0, 2);
  ASSERT_TRUE(shelf_->WaitForIndex().ok());
  shelf_ = nullptr;
  fs::resize_file(PackOf(first), size);
  Open();
  EXPECT_FALSE(shelf_->Has(lost));
  const MatchId third = Put(0, 3);
  ASSERT_TRUE(shelf_->WaitForIndex().ok());
  EXPECT_THAT(List(Archive(dir())), ElementsAre(third.text(), first.text()));
  EXPECT_EQ(shelf_->Read(third).value(), FileOf(ReplayOf(0, 3)));
}

TEST_F(PackShelfTest, KeepsTheSameReplayOnceAndTheLastOfSeveral) {
  Open();
  const MatchId id = Put(0, 1);
  const uint64_t size = fs::file_size(PackOf(id));
  Put(0, 1);
  EXPECT_EQ(fs::file_size(PackOf(id)), size);
  Replay other = ReplayOf(0, 1);
  other.setup.referee = "another";
  ASSERT_TRUE(shelf_->Put(Summarise(other), FileOf(other)).ok());
  EXPECT_EQ(shelf_->Read(id).value(), FileOf(other));
  ASSERT_TRUE(shelf_->WaitForIndex().ok());
  EXPECT_EQ(shelf_->Read(id).value(), FileOf(other));
  EXPECT_EQ(Archive(dir()).Read(id).value(), FileOf(other));
  EXPECT_THAT(List(shelf_->archive()), ElementsAre(id.text()));
  EXPECT_EQ(IndexText().size(), 1u + 2u + 1u);
}

TEST_F(PackShelfTest, ReadsWhatIsInFoldersOfDays) {
  Open();
  const MatchId packed = Put(1, 1);
  const Replay old = ReplayOf(0, 1);
  const fs::path path = shelf_->archive().PathOf(old.setup.id);
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << FileOf(old);
  EXPECT_EQ(shelf_->Read(old.setup.id).value(), FileOf(old));
  for (const int page_size : {1, 2, 3}) {
    EXPECT_THAT(List(shelf_->archive(), page_size),
                ElementsAre(packed.text(), old.setup.id.text()));
  }
}

TEST_F(PackShelfTest, OnAFullDiskKeepsWhatThereIsAndGoesOnLater) {
  Open();
  const MatchId first = Put(0, 1);
  const uint64_t size = fs::file_size(PackOf(first));
  const Replay second = ReplayOf(0, 2);
  for (const uint64_t room : {0, 1, 7, 30, 200}) {
    const FullDisk full(size + room);
    const absl::Status put = shelf_->Put(Summarise(second), FileOf(second));
    EXPECT_TRUE(absl::IsResourceExhausted(put)) << put;
    EXPECT_EQ(fs::file_size(PackOf(first)), size);
    EXPECT_FALSE(shelf_->Has(second.setup.id));
  }
  Put(0, 2);
  ASSERT_TRUE(shelf_->WaitForIndex().ok() || shelf_->WaitForIndex().ok());
  EXPECT_EQ(List(Archive(dir())).size(), 2u);
}

TEST_F(PackShelfTest, SyncsFirstWhatAnEarlierProcessPut) {
  Open();
  const std::string pack = PackOf(Put(0, 1));
  Put(1, 2);
  Open();
  EXPECT_TRUE(shelf_->Sync().ok());
  Open();
  fs::remove(pack);
  fs::create_symlink("/dev/null", pack);  // which cannot be synced
  EXPECT_FALSE(shelf_->Sync().ok());
}

// What a sync could not put there the system takes for written: only to write it again helps.
TEST_F(PackShelfTest, SyncsWhatItCouldNotSyncBeforeOnceItIsWrittenAgain) {
  Open();
  const std::string pack = PackOf(Put(0, 1));
  EXPECT_TRUE(shelf_->Sync().ok());
  Put(0, 2);
  const std::string before = ReadWholeFile(pack, 1 << 20).value();
  fs::rename(pack, pack + ".away");
  fs::create_symlink("/dev/null", pack);  // which cannot be synced
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(shelf_->Sync().ok());
  fs::rename(pack + ".away", pack);
  const fs::file_time_type long_ago = fs::last_write_time(pack) - std::chrono::hours(1);
  fs::last_write_time(pack, long_ago);
  EXPECT_TRUE(shelf_->Sync().ok());
  EXPECT_GT(fs::last_write_time(pack), long_ago);
  EXPECT_EQ(ReadWholeFile(pack, 1 << 20).value(), before);
  fs::last_write_time(pack, long_ago);
  EXPECT_TRUE(shelf_->Sync().ok());
  EXPECT_EQ(fs::last_write_time(pack), long_ago);
  Put(0, 3);
  EXPECT_TRUE(shelf_->Sync().ok());
  EXPECT_EQ(List(Archive(dir())).size(), 3u);
}

TEST_F(PackShelfTest, SaysWhenWhatItCouldNotSyncIsGone) {
  Open();
  const std::string pack = PackOf(Put(0, 1));
  fs::rename(pack, pack + ".away");
  fs::create_symlink("/dev/null", pack);
  EXPECT_FALSE(shelf_->Sync().ok());
  fs::rename(pack + ".away", pack);
  std::fstream(pack, std::ios::binary | std::ios::in | std::ios::out).seekp(100) << "lost";
  const absl::Status lost = shelf_->Sync();
  EXPECT_TRUE(absl::IsDataLoss(lost)) << lost;
  EXPECT_THAT(std::string(lost.message()), HasSubstr("from byte 0 on"));
}

TEST_F(PackShelfTest, DoesNotTakeDamageThatWasThereBeforeForLost) {
  Open();
  const std::string pack = PackOf(Put(0, 1));
  shelf_ = nullptr;
  ASSERT_TRUE(PackIndex::Remove(dir()).ok());
  std::fstream(pack, std::ios::binary | std::ios::in | std::ios::out).seekp(100) << "lost";
  Open();
  fs::rename(pack, pack + ".away");
  fs::create_symlink("/dev/null", pack);
  EXPECT_FALSE(shelf_->Sync().ok());
  fs::rename(pack + ".away", pack);
  const absl::Status synced = shelf_->Sync();
  EXPECT_TRUE(synced.ok()) << synced;
}

TEST_F(PackShelfTest, SyncsAndGoesOn) {
  Open();
  EXPECT_TRUE(shelf_->Sync().ok());
  for (int day = 0; day < 8; ++day) Put(day, 1);
  EXPECT_TRUE(shelf_->Sync().ok());
  EXPECT_EQ(List(Archive(dir())).size(), 8u);
}

TEST_F(PackShelfTest, TakesFromManyThreadsWhileOthersList) {
  Open();
  constexpr int kThreads = 3;
  constexpr int kEach = 20;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([this, thread] {
      for (int i = 0; i < kEach; ++i) {
        const MatchId id = Put(i % 3, static_cast<uint8_t>(thread * kEach + i));
        EXPECT_TRUE(shelf_->Has(id));
        EXPECT_THAT(List(shelf_->archive()), Contains(id.text()));
        EXPECT_TRUE(shelf_->Sync().ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(shelf_->WaitForIndex().ok());
  EXPECT_EQ(List(shelf_->archive(), 7).size(), static_cast<size_t>(kThreads * kEach));
  EXPECT_EQ(List(Archive(dir())), List(shelf_->archive()));
}

TEST_F(PackShelfTest, GivesNoReplayOfADamagedEntry) {
  Open();
  const MatchId id = Put(0, 1);
  std::fstream file(PackOf(id), std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(100);
  file.put('!');
  file.close();
  const absl::Status read = shelf_->Read(id).status();
  EXPECT_TRUE(absl::IsDataLoss(read)) << read;
  EXPECT_THAT(std::string(read.message()), HasSubstr("is damaged; put back a copy"));
}

// A trigger fails each row that is added, as damage would.
TEST_F(PackShelfTest, AddsNothingToAnIndexUntilAllPacksCouldBeRead) {
  Open();
  const MatchId first = Put(0, 1);
  Put(1, 1);
  ASSERT_TRUE(shelf_->WaitForIndex().ok());
  const fs::path hidden = PackOf(first) + ".hidden";
  {
    const auto index = PackIndex::Open(dir());
    ASSERT_TRUE(index.ok()) << index.status();
    ASSERT_TRUE((*index)
                    ->db()
                    ->RunScript("CREATE TRIGGER broken BEFORE INSERT ON replay BEGIN SELECT "
                                "RAISE(ABORT, 'broken'); END;")
                    .ok());
  }
  fs::rename(PackOf(first), hidden);
  fs::create_directory(PackOf(first));  // which cannot be read
  Put(2, 1);
  EXPECT_FALSE(shelf_->WaitForIndex().ok());
  fs::remove(PackOf(first));
  fs::rename(hidden, PackOf(first));
  absl::Status indexed = shelf_->WaitForIndex();
  for (int i = 0; i < 30 && !indexed.ok(); ++i) indexed = shelf_->WaitForIndex();
  EXPECT_TRUE(indexed.ok()) << indexed;
  EXPECT_EQ(IndexText().size(), 3u + 6u + 3u);
  EXPECT_TRUE(shelf_->Has(first));
  EXPECT_EQ(List(Archive(dir())).size(), 3u);
}

TEST_F(PackShelfTest, MakesAnIndexAnewThatHasAPackThatIsGone) {
  Open();
  const MatchId gone = Put(0, 1);
  const MatchId kept = Put(1, 1);
  ASSERT_TRUE(shelf_->WaitForIndex().ok());
  shelf_ = nullptr;
  fs::remove(PackOf(gone));
  Open();
  ASSERT_TRUE(shelf_->WaitForIndex().ok());
  EXPECT_FALSE(shelf_->Has(gone));
  EXPECT_THAT(List(Archive(dir())), ElementsAre(kept.text()));
}

TEST_F(PackShelfTest, GivesNothingOfAPackThatWasRemovedMeanwhile) {
  Open();
  const MatchId gone = Put(0, 1);
  ASSERT_TRUE(shelf_->WaitForIndex().ok());
  ASSERT_TRUE(shelf_->Has(gone));
  ASSERT_TRUE(shelf_->Read(gone).ok());
  fs::remove(PackOf(gone));
  const MatchId next = Put(0, 2);
  EXPECT_EQ(shelf_->Read(next).value(), FileOf(ReplayOf(0, 2)));
  EXPECT_TRUE(absl::IsDataLoss(shelf_->Read(gone).status()));
  EXPECT_TRUE(absl::IsDataLoss(shelf_->archive().ReadPart(gone, 0, 100).status()));
}

TEST_F(PackShelfTest, NotesNothingOfAPackThatWasForgotten) {
  const MatchId id = ReplayOf(0, 1).setup.id;
  const MatchId other = ReplayOf(1, 1).setup.id;
  Packs packs(dir(), Packs::Writer::kHere);
  packs.Note({{id, PackName::OfDay(id.created()), 60, 10},
              {other, PackName::OfDay(other.created()), 60, 10}});
  ASSERT_TRUE(packs.Find(id).value().has_value());
  packs.ForgetPack(PackName::OfDay(id.created()));
  EXPECT_FALSE(packs.Find(id).value().has_value());
  EXPECT_TRUE(packs.Find(other).value().has_value());
}

}  // namespace
}  // namespace referee::replay
