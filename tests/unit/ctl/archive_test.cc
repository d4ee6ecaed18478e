// Tests that refctl archive audit never changes the data directory.
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/archive.h"
#include "referee/replay/key_files.h"
#include "referee/replay/replay.h"
#include "referee/store/schema.h"
#include "referee/store/sqlite_store.h"
#include "tests/support/files.h"
#include "tests/unit/ctl/refctl_run.h"
#include "tests/unit/replay/sample.h"

namespace referee::ctl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ArchiveAudit : public RefctlTest {
 protected:
  ArchiveAudit() {
    const replay::Signer signer = replay::LoadOrMakeKeys(Path(""), absl::Now()).value().signer;
    const replay::Replay replay = replay::PlaySample({});
    const std::filesystem::path file = replay::Archive(Path("")).PathOf(replay.setup.id);
    testing::WriteFile(file, replay::Encode(replay, signer));
  }

  void MakeStore() const {
    const std::unique_ptr<store::Store> store =
        store::OpenSqliteStore(Path("store.db"), {}).value();
    store::Competition competition;
    competition.id = store::CompetitionId("01hf7ygxa0s000000000000000");
    competition.spec.name = "spring";
    competition.spec.entrants = {"alice", "bob"};
    ASSERT_TRUE(store->CreateCompetition(competition, absl::nullopt).ok());
  }

  // The bytes of all files, and the folders, by path.
  std::map<std::string, std::string> Bytes() const {
    std::map<std::string, std::string> bytes;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(Path(""))) {
      bytes[entry.path()] = entry.is_directory() ? "" : testing::ReadFile(entry.path());
    }
    return bytes;
  }

  // Runs an audit, which is to change nothing.
  Exit Audit() {
    const auto before = Bytes();
    const Exit exit = Refctl({"archive", "audit", "--data-dir", Path("")});
    EXPECT_EQ(Bytes(), before);
    return exit;
  }
};

TEST_F(ArchiveAudit, ChangesNothing) {
  MakeStore();
  EXPECT_EQ(Audit(), Exit::kOk) << out_ << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("competitions: 1,"), HasSubstr("of no competition: 1; OK")));
}

TEST_F(ArchiveAudit, NamesWhatItCannotRead) {
  MakeStore();
  const std::string pack = Path("replays/packs/2023-11-14.0.pack");
  std::filesystem::create_directories(Path("replays/packs"));
  std::ofstream(pack, std::ios::binary) << replay::PackHeader() << "torn";
  EXPECT_EQ(Audit(), Exit::kUsage) << out_;
  EXPECT_THAT(out_, HasSubstr("of no competition: 1; no findings, but not all could be read"));
  EXPECT_THAT(err_, HasSubstr("2023-11-14.0.pack: it is torn: the entry at byte 8"));
}

TEST_F(ArchiveAudit, ChangesNothingThatIsWrong) {
  MakeStore();
  ASSERT_TRUE(store::Connection::Open(Path("store.db"), false, absl::Seconds(10))
                  .value()
                  ->RunScript("UPDATE entrant SET wins = 7 WHERE name = 'bob'")
                  .ok());
  EXPECT_EQ(Audit(), Exit::kNegative);
  EXPECT_THAT(out_, HasSubstr("competition 'spring': bot 'bob': 7 wins in the store, 0 by"));
}

TEST_F(ArchiveAudit, MakesNoStoreWhereThereIsNone) {
  EXPECT_EQ(Audit(), Exit::kUsage);
  EXPECT_THAT(err_, AllOf(HasSubstr("--data-dir"), HasSubstr("store.db: there is no store")));
}

TEST_F(ArchiveAudit, LeavesAStoreOfAnotherVersionAsItIs) {
  MakeStore();
  ASSERT_TRUE(store::Connection::Open(Path("store.db"), false, absl::Seconds(10))
                  .value()
                  ->RunScript("PRAGMA user_version = 99")
                  .ok());
  EXPECT_EQ(Audit(), Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr("a store of version 99"));
}

}  // namespace
}  // namespace referee::ctl
