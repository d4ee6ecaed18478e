// Tests of the check before a start, and of the versions that the documents state.
#include "referee/node/start_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/replay/data_dir.h"
#include "referee/replay/log_origin.h"
#include "referee/replay/pack.h"
#include "referee/replay/versions.h"
#include "referee/store/backup_manifest.h"
#include "referee/store/schema.h"
#include "tests/support/temp_folder.h"

namespace referee::node {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAreArray;

using Versions = std::map<std::string, std::string>;

// The rows of the table of versions in RUNBOOK.md: what, and of which version.
Versions StatedVersions() {
  std::ifstream file(REFEREE_RUNBOOK);
  Versions stated;
  std::string line;
  bool within = false;
  while (std::getline(file, line)) {
    if (absl::StartsWith(line, "| what | version |")) {
      within = true;
      continue;
    }
    if (!within) continue;
    if (!absl::StartsWith(line, "|")) break;
    const std::vector<std::string> cells = absl::StrSplit(line, '|');
    const std::string version(absl::StripAsciiWhitespace(cells[2]));
    if (!absl::StartsWith(version, "---")) {
      stated[std::string(absl::StripAsciiWhitespace(cells[1]))] = version;
    }
  }
  return stated;
}

Versions VersionsOfTheCode() {
  const auto text = [](auto version) { return absl::StrCat(static_cast<int>(version)); };
  return {{"store, a file", text(store::kStoreVersion)},
          {"store, in PostgreSQL", text(store::kStoreVersion)},
          {"log", text(replay::kLogVersion)},
          {"replays", text(replay::kReplayVersion)},
          {"packs of replays", text(replay::kPackVersion)},
          {"index of the archive", text(replay::kArchiveIndexVersion)},
          {"backup", text(store::kManifestVersion)},
          {"wire", std::string(v1::Hello::descriptor()->file()->package())}};
}

TEST(StartCheckTest, DocumentStatesTheVersionsOfTheCode) {
  EXPECT_THAT(StatedVersions(), UnorderedElementsAreArray(VersionsOfTheCode()));
}

TEST(StartCheckTest, NamesAllPartsOfADirectoryThatIsNotThereYet) {
  const testing::TempFolder folder;
  const StartCheck check = CheckStart({folder.Path("data"), ""}, false);
  EXPECT_TRUE(check.ready());
  std::vector<std::string> parts;
  for (const StartCheck::Part& part : check.parts) {
    EXPECT_EQ(part.would, StartCheck::Would::kMake) << part.name;
    parts.push_back(part.name);
  }
  EXPECT_THAT(parts, ElementsAre("directory", "keys", "log", "replays", "packs", "store"));
}

TEST(StartCheckTest, TellsWhetherARefereeRunsThere) {
  const testing::TempFolder folder;
  const store::Place place{folder.Path("data"), ""};
  EXPECT_FALSE(CheckStart(place, false).in_use);
  {
    const auto lock = replay::LockDataDir(place.data_dir);
    ASSERT_TRUE(lock.ok()) << lock.status();
    EXPECT_TRUE(CheckStart(place, false).in_use);
  }
  EXPECT_FALSE(CheckStart(place, false).in_use);
}

TEST(StartCheckTest, LogOfACopiedDirectoryWouldBeSetAside) {
  const testing::TempFolder folder;
  ASSERT_TRUE(replay::MarkLog(folder.Path("data")).ok());
  std::filesystem::copy(folder.Path("data"), folder.Path("copy"),
                        std::filesystem::copy_options::recursive);
  const auto would = [](const std::string& data_dir) {
    const StartCheck check = CheckStart({data_dir, ""}, false);
    EXPECT_TRUE(check.ready());
    for (const StartCheck::Part& part : check.parts) {
      if (part.name == "log") return part.would;
    }
    return StartCheck::Would::kRefuse;
  };
  EXPECT_EQ(would(folder.Path("data")), StartCheck::Would::kMake);
  EXPECT_EQ(would(folder.Path("copy")), StartCheck::Would::kSetAside);
}

TEST(StartCheckTest, FileInPlaceOfTheDirectoryIsRefused) {
  const testing::TempFolder folder;
  std::ofstream(folder.Path("data")) << "in the way";
  const StartCheck check = CheckStart({folder.Path("data"), ""}, false);
  EXPECT_EQ(check.parts.at(0).would, StartCheck::Would::kRefuse);
  EXPECT_THAT(check.parts.at(0).detail, HasSubstr("ot a directory"));
}

TEST(StartCheckTest, NamesATornPackWhichAStartCutsOff) {
  const testing::TempFolder folder;
  const std::string pack = folder.Path("replays/packs/2026-11-23.0.pack");
  std::filesystem::create_directories(folder.Path("replays/packs"));
  std::ofstream(pack, std::ios::binary) << replay::PackHeader() << "torn";
  const StartCheck check = CheckStart({folder.path(), ""}, false);
  EXPECT_TRUE(check.ready());
  EXPECT_THAT(check.archive_problems, ElementsAre(HasSubstr(pack + ": it is torn")));
}

TEST(StartCheckTest, ListOfPausedGamesThatIsNoneIsRefused) {
  const testing::TempFolder folder;
  std::ofstream(folder.Path("paused")) << "isaac\n";
  const StartCheck check = CheckStart({folder.path(), ""}, false);
  EXPECT_FALSE(check.ready());
}

TEST(StartCheckTest, OneRefusedPartIsARefusedStart) {
  const testing::TempFolder folder;
  std::ofstream(folder.Path("instances")) << "not\x01 a name\n";
  const StartCheck check = CheckStart({folder.path(), ""}, false);
  EXPECT_FALSE(check.ready());
  for (const StartCheck::Part& part : check.parts) {
    if (part.would == StartCheck::Would::kRefuse) {
      EXPECT_EQ(part.name, "names");
      EXPECT_THAT(part.detail, HasSubstr("is not a list of names"));
    }
  }
}

TEST(StartCheckTest, LogOfAnUnknownVersionIsSetAsideWhereThatIsAskedFor) {
  const testing::TempFolder folder;
  std::filesystem::create_directory(folder.Path("log"));
  std::ofstream(folder.Path("log/7.log")) << "reflogs\x09 what is to come, and enough of it";
  for (const bool set_aside : {false, true}) {
    std::ofstream(folder.Path("key")) << std::string(64, 'a') << "\n";
    const StartCheck check = CheckStart({folder.path(), ""}, set_aside);
    EXPECT_EQ(check.ready(), set_aside);
    for (const StartCheck::Part& part : check.parts) {
      if (part.name != "log") continue;
      EXPECT_EQ(part.found, 9);
      EXPECT_EQ(part.known, replay::kLogVersion);
      EXPECT_EQ(part.would, set_aside ? StartCheck::Would::kSetAside : StartCheck::Would::kRefuse);
      EXPECT_THAT(part.detail, HasSubstr("--set-aside-unknown"));
    }
  }
}

}  // namespace
}  // namespace referee::node
