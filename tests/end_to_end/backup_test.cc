// Backups of a referee while a ladder goes on: each, restored, agrees with itself, and a referee
// goes on from it.
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/competition_fixture.h"

namespace referee::end_to_end {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;

constexpr char kLadder[] = "ladder";

class BackupOfLadder : public CompetitionFixture {
 protected:
  void SetUp() override {
    StartReferee();
    for (const std::string& bot : kBots) AddBot(bot);
    Well({"create", kLadder, "--format", "ladder", "--game", "hypnosia", "--option",
          "turn_limit=20", "--max-running", "16", "--pace", "0", "--bots",
          absl::StrJoin(kBots, ","), "--start"});
    StartBots();
    AwaitBlocks(kLadder, 1);
  }
  void StartBots() {
    for (const std::string& bot : kBots) StartBot(bot, {"bots/random"});
  }
  nlohmann::json Backup() {
    const Ran ran = Refctl({"backup", Path("backup"), "--data-dir", Path("data"), "--json"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    return nlohmann::json::parse(ran.out, nullptr, false);
  }
  void Restore(const std::string& to) {
    const Ran ran = Refctl({"restore", Path("backup"), "--data-dir", Path(to)});
    EXPECT_EQ(ran.status, 0) << ran.err;
  }
  Ran AuditOf(const std::string& dir) {
    return Refctl({"archive", "audit", "--data-dir", Path(dir), "--json"});
  }

  const std::vector<std::string> kBots = {"ann", "ben", "cem", "dot"};
};

// More backups than three: REFEREE_BACKUPS=20 backup_command_test
TEST_F(BackupOfLadder, EveryOneRestoresCleanAndHasMoreThanTheFormer) {
  const char* const wanted = std::getenv("REFEREE_BACKUPS");
  const int backups = wanted == nullptr ? 3 : std::atoi(wanted);
  int64_t blocks = 0;
  for (int i = 0; i < backups; ++i) {
    AwaitBlocks(kLadder, blocks + 3);
    const nlohmann::json backup = Backup();
    EXPECT_EQ(backup["backup"], i + 1);
    const std::string restored = absl::StrCat("restored-", i);
    Restore(restored);
    const Ran audit = AuditOf(restored);
    ASSERT_EQ(audit.status, 0) << audit.out << audit.err;
    const nlohmann::json report = nlohmann::json::parse(audit.out);
    EXPECT_GE(report["blocks"], blocks + 3);
    blocks = report["blocks"];
    fs::remove_all(Path(restored));
  }
}

TEST_F(BackupOfLadder, RestoredRefereeGoesOnWithTheLadder) {
  AwaitBlocks(kLadder, 5);
  Backup();
  KillReferee();
  fs::rename(Path("data"), Path("lost"));
  Restore("data");
  StartReferee();
  StartBots();
  const int64_t counted = BlocksCounted(kLadder);
  EXPECT_GE(counted, 5);
  AwaitBlocks(kLadder, counted + 5);
  StopReferee();
  const Ran audit = AuditOf("data");
  EXPECT_EQ(audit.status, 0) << audit.out << audit.err;
}

TEST_F(BackupOfLadder, IsForItsOwnerOnlyAndWithoutTheLog) {
  Backup();
  for (const auto& entry : fs::recursive_directory_iterator(Path("backup"))) {
    struct stat info;
    ASSERT_EQ(stat(entry.path().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, entry.is_directory() ? 0700u : 0600u) << entry.path();
    EXPECT_NE(entry.path().filename(), "log");
  }
}

TEST_F(BackupOfLadder, RestoreRefusesADirectoryWithSomethingInIt) {
  Backup();
  const Ran ran = Refctl({"restore", Path("backup"), "--data-dir", Path("data")});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("not empty"));
}

}  // namespace
}  // namespace referee::end_to_end
