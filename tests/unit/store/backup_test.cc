// Tests of backups: restoring gives the same data, and a second backup copies only what is new.
//
// A backup that fails leaves the previous one intact.
#include "referee/store/backup.h"

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/data_dir.h"
#include "referee/replay/file_recorder.h"
#include "referee/replay/folders.h"
#include "referee/replay/key_files.h"
#include "referee/replay/pack_shelf.h"
#include "referee/replay/summary.h"
#include "referee/replay/verifier.h"
#include "referee/store/known_blocks.h"
#include "referee/store/sqlite_store.h"
#include "tests/support/files.h"
#include "tests/support/match_id.h"
#include "tests/unit/replay/sample.h"

namespace referee::store {
namespace {

using ::testing::HasSubstr;

namespace fs = std::filesystem;

const replay::Replay& Played() {
  static const auto* const played = new replay::Replay(replay::PlaySample({}));
  return *played;
}

class BackupTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(data_);
    store_ = OpenSqliteStore(data_ + "/store.db", {}).value();
    shelf_ = replay::PackShelf::Open({data_}).value();
    EXPECT_TRUE(replay::LoadOrMakeKeys(data_, kNow).ok());
  }
  // Puts a replay that was made by a call of this request id.
  MatchId Put(uint8_t number, const std::string& request_id = "") {
    replay::Replay replay = replay::SampleAs(testing::NumberedId(number, kNow - absl::Minutes(1)));
    replay.setup.request_id = request_id;
    const absl::Status put =
        shelf_->Put(replay::Summarise(replay), replay::Encode(replay, replay::SampleSigner()));
    EXPECT_TRUE(put.ok()) << put;
    return replay.setup.id;
  }
  BackupReport Back() {
    // With the slash that a shell completes a name with.
    const auto report = Backup(data_ + "/", to_ + "/", kNow);
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? *report : BackupReport();
  }
  // Restores it to an archive.
  replay::Archive Restored() {
    const std::string dir = absl::StrCat(directory_.path(), "/restored-", ++restored_);
    const auto report = Restore(to_, dir);
    EXPECT_TRUE(report.ok()) << report.status();
    return replay::Archive(dir);
  }
  std::string PathOfRestored(const std::string& name) const {
    return absl::StrCat(directory_.path(), "/restored-", restored_, "/", name);
  }
  // The files of the backup whose paths have this in them.
  std::vector<std::string> Stored(const std::string& part) {
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(to_)) {
      const std::string path = entry.path().string();
      if (entry.is_regular_file() && path.find(part) != std::string::npos) found.push_back(path);
    }
    return found;
  }

  const absl::Time kNow = absl::FromUnixSeconds(1'700'050'000);
  const testing::TempFolder directory_{testing::TempFolderOn::kMemory};
  const std::string data_ = directory_.path() + "/data";
  const std::string to_ = directory_.path() + "/backup";
  std::unique_ptr<Store> store_;
  std::unique_ptr<replay::PackShelf> shelf_;
  int restored_ = 0;
};

TEST_F(BackupTest, ComesBackAsItWas) {
  const MatchId id = Put(1);
  ASSERT_TRUE(replay::Quarantine(data_, "a.records", "secret", "damaged").ok());
  Back();
  const replay::Archive archive = Restored();
  EXPECT_EQ(archive.Read(id).value(), shelf_->Read(id).value());
  EXPECT_EQ(testing::ReadFile(PathOfRestored("quarantine/a.records")), "secret");
  EXPECT_EQ(testing::ReadFile(PathOfRestored("quarantine/a.records.reason")), "damaged\n");
  EXPECT_EQ(fs::status(PathOfRestored("quarantine")).permissions(), fs::perms::owner_all);
  EXPECT_EQ(testing::ReadFile(PathOfRestored("key")), testing::ReadFile(data_ + "/key"));
  EXPECT_TRUE(OpenSqliteStoreToRead(PathOfRestored("store.db")).ok());
  const auto indexed = replay::PackIndex::OpenToRead(PathOfRestored(""));
  ASSERT_TRUE(indexed.ok()) << indexed.status();
  EXPECT_TRUE((*indexed)->Find(id).value().has_value());
}

TEST_F(BackupTest, CopiesWhatIsWholeOfATornPackAndNamesTheRestEachTime) {
  const MatchId id = Put(1);
  const std::string pack = replay::PackPath(data_, replay::PackName::OfDay(id.created()));
  std::ofstream(pack, std::ios::binary | std::ios::app) << "torn";
  for (int i = 0; i < 2; ++i) {
    const BackupReport report = Back();
    ASSERT_EQ(report.problems.size(), 1u);
    EXPECT_THAT(std::string(report.problems[0].message()), HasSubstr(pack + ": it is torn"));
  }
  EXPECT_TRUE(Restored().Read(id).ok());
}

TEST_F(BackupTest, CopyIsUnderNobodysLease) {
  const Lease lease{"daemon", store_->RenewLease("daemon", absl::Hours(1)).value()};
  Back();
  Restored();
  const auto restored = OpenSqliteStore(PathOfRestored("store.db"), {}).value();
  EXPECT_TRUE(absl::IsAborted(restored->ClaimExpired(lease).status()));
  EXPECT_GT(restored->RenewLease("daemon", absl::Hours(1)).value(), lease.term);
  EXPECT_TRUE(store_->ClaimExpired(lease).ok());
}

TEST_F(BackupTest, HasNoSecretOfAFleet) {
  const auto draw = [](absl::Span<uint8_t> bytes) {
    std::fill(bytes.begin(), bytes.end(), static_cast<uint8_t>('F'));
  };
  const std::string secret = store_->FleetSecret(draw).value();
  Back();
  Restored();
  std::ifstream file(PathOfRestored("store.db"), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  ASSERT_FALSE(bytes.empty());
  EXPECT_THAT(bytes, Not(HasSubstr(secret)));
  EXPECT_EQ(store_->FleetSecret(draw).value(), secret);
}

TEST_F(BackupTest, SecondCopiesOnlyWhatIsNew) {
  const MatchId first = Put(1);
  Back();
  const std::vector<std::string> packs = Stored(".pack");
  const uint64_t without = Back().copied;
  const MatchId second = Put(2);
  const BackupReport more = Back();
  EXPECT_EQ(more.number, 3);
  EXPECT_EQ(more.copied - without,
            replay::EncodePackEntry(second, shelf_->Read(second).value()).size());
  EXPECT_EQ(Stored(".pack"), packs);
  const replay::Archive archive = Restored();
  EXPECT_TRUE(archive.Has(first));
  EXPECT_TRUE(archive.Has(second));
}

TEST_F(BackupTest, OneThatFailsLeavesTheFormerWhole) {
  const MatchId first = Put(1);
  Back();
  Put(2);
  {
    const replay::FullDisk full(testing::ReadFile(Stored(".pack")[0]).size() + 100);
    EXPECT_FALSE(Backup(data_, to_, kNow).ok());
  }
  {
    const replay::Archive archive = Restored();
    EXPECT_TRUE(archive.Has(first));
  }
  const MatchId third = Put(3);
  Back();
  EXPECT_TRUE(Restored().Has(third));
}

TEST_F(BackupTest, PackThatIsAnotherOneIsCopiedAnew) {
  Put(1);
  Put(2);
  Back();
  shelf_ = nullptr;
  fs::remove_all(data_ + "/replays");
  shelf_ = replay::PackShelf::Open({data_}).value();
  const MatchId other = Put(9);
  Back();
  EXPECT_EQ(Stored(".pack").size(), 1u);
  const replay::Archive archive = Restored();
  EXPECT_EQ(archive.Read(other).value(), shelf_->Read(other).value());
  EXPECT_EQ(archive.List(0, "")->replays.size(), 1u);
}

TEST_F(BackupTest, LeavesOutWhatTheStoreHasNotHeardOf) {
  const MatchId before = Put(1);
  const MatchId unheard = Put(2, "c/7zzzzzzzzzzzzzzzzzzzzzzzzz/0/0");
  const MatchId after = Put(3);
  Back();
  {
    const replay::Archive archive = Restored();
    EXPECT_TRUE(archive.Has(before));
    EXPECT_FALSE(archive.Has(unheard));
    EXPECT_TRUE(archive.Has(after));
  }
  // The next has all of them in the pack again, and each once.
  const MatchId last = Put(4);
  Back();
  const replay::Archive archive = Restored();
  EXPECT_TRUE(archive.Has(after));
  EXPECT_TRUE(archive.Has(last));
}

// The log has a match that is over, which a full disk kept out of the archive, and one that runs.
class BackupOfLogTest : public BackupTest {
 protected:
  void SetUp() override {
    BackupTest::SetUp();
    shelf_ = nullptr;
    replay::RefereeKeys keys = replay::LoadOrMakeKeys(data_, kNow).value();
    ring_ = std::move(keys.ring);
    replay::FileRecorder::Options options;
    options.data_dir = data_;
    recorder_ = replay::FileRecorder::Make(options, std::move(keys.signer)).value();
    running_ = Played().setup;
    const uint8_t random[10] = {8};
    running_.id = MatchId::Make(kNow, random);
    open_ = recorder_->Open(running_, replay::SampleSeed({})).value();
    over_ = recorder_->Open(Played().setup, replay::SampleSeed({})).value();
    for (const match::Record& record : Played().records) over_->Add(record);
    ASSERT_TRUE(over_->Flush().ok());
  }

  replay::KeyRing ring_;
  match::Setup running_;
  std::unique_ptr<replay::FileRecorder> recorder_;
  std::unique_ptr<replay::Recording> open_;
  std::unique_ptr<replay::Recording> over_;
};

TEST_F(BackupOfLogTest, RestoredHasTheReplayOfAMatchThatIsOverAndNothingOfOneThatRuns) {
  Back();
  const replay::Archive archive = Restored();
  const absl::StatusOr<std::string> file = archive.Read(Played().setup.id);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(replay::Verify(*file, ring_).problem, "");
  const auto index = replay::PackIndex::OpenToRead(PathOfRestored(""));
  ASSERT_TRUE(index.ok()) << index.status();
  EXPECT_TRUE((*index)->Find(Played().setup.id).value().has_value());
  EXPECT_FALSE(archive.Has(running_.id));
  EXPECT_TRUE(Stored(running_.id.text()).empty());
  ASSERT_TRUE(over_->Seal().ok());
  EXPECT_EQ(replay::Archive(data_).Read(Played().setup.id).value(), *file);
}

TEST_F(BackupOfLogTest, ReplayThatTheArchiveHasBeforeItLeavesTheLogIsInItOnce) {
  const fs::path path = replay::Folders(data_).PathOf(Played().setup.id);
  fs::create_directories(path.parent_path());
  const replay::Signer signer = replay::LoadOrMakeKeys(data_, kNow)->signer;
  std::ofstream(path, std::ios::binary) << replay::Encode(Played(), signer);
  Back();
  EXPECT_EQ(Restored().Read(Played().setup.id).value(), replay::Encode(Played(), signer));
}

TEST_F(BackupOfLogTest, ReplayThatTheArchiveHasByNowIsInItOnce) {
  Back();
  ASSERT_TRUE(over_->Seal().ok());
  Back();
  const std::string name = absl::StrCat(Played().setup.id.text(), ".rpl");
  EXPECT_EQ(Stored(name).size(), 1u);
  EXPECT_EQ(replay::Verify(Restored().Read(Played().setup.id).value(), ring_).problem, "");
}

TEST_F(BackupTest, EachRestoredStoreHasPinnedDiceOfItsOwn) {
  Competition cup;
  cup.id = CompetitionId("cup");
  cup.spec.name = "cup";
  cup.spec.format = schedule::Format::kLadder;
  cup.spec.entrants = {"a", "b"};
  cup.spec.pinned = true;
  cup.dice_seed = dice::PinnedSeed(7);
  ASSERT_TRUE(store_->CreateCompetition(cup, absl::nullopt).ok());
  Back();
  std::vector<dice::Seed> seeds = {*PinnedSeedOf(store_->GetCompetition(cup.id).value(), 0, 0)};
  for (int i = 0; i < 2; ++i) {
    Restored();
    const auto store = OpenSqliteStore(PathOfRestored("store.db"), {}).value();
    const Competition restored = store->GetCompetition(cup.id).value();
    EXPECT_EQ(restored.dice_seed, cup.dice_seed);
    EXPECT_TRUE(IsPinnedSeedOf(restored, 0, 0, seeds[0])) << "of what was played before";
    seeds.push_back(*PinnedSeedOf(restored, 0, 0));
  }
  EXPECT_FALSE(seeds[0] == seeds[1]);
  EXPECT_FALSE(seeds[0] == seeds[2]);
  EXPECT_FALSE(seeds[1] == seeds[2]);
}

TEST_F(BackupTest, RestoreFindsAChangedByteAndLeavesNothing) {
  Put(1);
  Back();
  for (const std::string& path : {Stored(".pack")[0], Stored("store.db")[0], Stored("key")[0]}) {
    std::string bytes = testing::ReadFile(path);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    const std::string good = testing::ReadFile(path);
    std::ofstream(path, std::ios::binary) << bytes;
    const std::string dir = directory_.path() + "/none";
    const absl::Status status = Restore(to_, dir).status();
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(path));
    EXPECT_FALSE(fs::exists(dir));
    EXPECT_FALSE(fs::exists(dir + ".restoring"));
    std::ofstream(path, std::ios::binary) << good;
  }
}

TEST_F(BackupTest, OfADirectoryThatIsNoneMakesNothing) {
  EXPECT_TRUE(absl::IsNotFound(Backup(directory_.path() + "/none", to_, kNow).status()));
  EXPECT_FALSE(fs::exists(to_));
}

TEST_F(BackupTest, DirectoryWithOtherThingsInItIsRefused) {
  fs::create_directories(to_);
  std::ofstream(to_ + "/letter") << "dear";
  EXPECT_TRUE(absl::IsFailedPrecondition(Backup(data_, to_, kNow).status()));
  EXPECT_EQ(testing::ReadFile(to_ + "/letter"), "dear");
  EXPECT_TRUE(absl::IsNotFound(Restore(to_, directory_.path() + "/none").status()));
}

}  // namespace
}  // namespace referee::store
