// What earlier releases left: what refereed --check says of it, and that a referee goes on with it.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/competition_fixture.h"

namespace referee::end_to_end {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// By path: whether it is a folder, its bytes, and when it was written last.
using Contents = std::map<std::string, std::tuple<bool, std::string, fs::file_time_type>>;

Contents ContentsOf(const std::string& folder) {
  Contents contents;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    contents[entry.path()] = {
        entry.is_directory(),
        entry.is_directory() ? "" : std::string(std::istreambuf_iterator<char>(file), {}),
        entry.last_write_time()};
  }
  return contents;
}

class UpgradeTest : public CompetitionFixture {
 protected:
  static std::vector<std::string> Archives() {
    std::vector<std::string> archives;
    for (const auto& entry : fs::directory_iterator(REFEREE_GOLDEN_DATA_DIRS)) {
      if (entry.path().extension() == ".gz") archives.push_back(entry.path());
    }
    std::sort(archives.begin(), archives.end());
    return archives;
  }
  void Unpack(const std::string& archive) {
    fs::remove_all(Path("data"));
    ForgetAccounts();
    const std::string command = absl::StrCat("tar -C '", sandbox_.path(), "' -xzf '", archive, "'");
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
  }
  // What is said of the data directory, which stays as it is.
  Ran Check(const std::vector<std::string>& more = {}) {
    std::vector<std::string> command = {"refereed", "--check", Path("data")};
    command.insert(command.end(), more.begin(), more.end());
    const Contents before = ContentsOf(Path("data"));
    Ran ran = sandbox_.Run(command);
    EXPECT_EQ(ContentsOf(Path("data")), before);
    return ran;
  }
  nlohmann::json Part(const std::string& name) {
    const nlohmann::json said = nlohmann::json::parse(Check({"--json"}).out);
    for (const nlohmann::json& part : said.at("parts")) {
      if (part.at("part") == name) return part;
    }
    ADD_FAILURE() << "no part " << name << " in " << said;
    return {};
  }
  // A bot with the account of this name, with a new token.
  void StartBotAgain(const std::string& name) {
    const Ran ran = Refctl({"bot", "rotate", name});
    ASSERT_EQ(ran.status, 0) << ran.err;
    sandbox_.Start({"bots/random"},
                   {{"REFEREE_ADDRESS", "unix:" + Path("socket")},
                    {"REFEREE_TOKEN", std::string(absl::StripAsciiWhitespace(ran.out))}});
  }
};

TEST_F(UpgradeTest, WhatAFormerReleaseLeftIsReadyAndIsNotChangedByLooking) {
  ASSERT_THAT(Archives(), Not(IsEmpty()));
  for (const std::string& archive : Archives()) {
    SCOPED_TRACE(archive);
    Unpack(archive);
    const Ran ran = Check({"--json"});
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    const nlohmann::json said = nlohmann::json::parse(ran.out);
    EXPECT_TRUE(said.at("ready"));
    EXPECT_GT(said.at("open_matches"), 0);
    EXPECT_GT(said.at("open_blocks"), 0);
    EXPECT_EQ(said.at("damaged_matches"), 0);
    EXPECT_EQ(said.at("blocks_of_others"), 0);
    EXPECT_EQ(Part("keys").at("would"), "use");
    EXPECT_EQ(Part("log").at("found_version"), 1);
    EXPECT_GT(Part("replays").at("files"), 0);
    const nlohmann::json store = Part("store");
    EXPECT_EQ(store.at("would"),
              store.at("found_version") < store.at("known_version") ? "migrate" : "use");
  }
}

TEST_F(UpgradeTest, RefereeGoesOnWithWhatAFormerReleaseLeft) {
  for (const std::string& archive : Archives()) {
    SCOPED_TRACE(archive);
    Unpack(archive);
    StartReferee({"--min-free", "0"});
    EXPECT_THAT(Refctl({"bot", "list"}).out, HasSubstr("carol"));
    EXPECT_THAT(Refctl({"ban", "list"}).out, HasSubstr("mallory"));
    EXPECT_THAT(Refctl({"bot", "audit"}).out, HasSubstr("never comes"));
    EXPECT_THAT(Well({"show", "over"}), HasSubstr("finished"));
    const int64_t counted = BlocksCounted("open");
    StartBotAgain("alice");
    StartBotAgain("bob");
    AwaitBlocks("open", counted + 5);
    StopReferee();
    const Ran audit = Audit();
    EXPECT_EQ(audit.status, 0) << audit.out << audit.err;
    EXPECT_EQ(Part("store").at("would"), "use");
  }
}

TEST_F(UpgradeTest, CheckBesideARunningRefereeSaysWhatTheNextStartWouldDo) {
  StartReferee();
  const Ran ran = sandbox_.Run({"refereed", "--check", Path("data")});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("in use     by a referee that runs now"));
  EXPECT_THAT(ran.out, HasSubstr("would start on this once that one has stopped"));
}

TEST_F(UpgradeTest, CheckOfNoDirectoryMakesNone) {
  const Ran ran = sandbox_.Run({"refereed", "--check", Path("data")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("directory  make"));
  EXPECT_FALSE(fs::exists(Path("data")));
}

TEST_F(UpgradeTest, CheckNamesWhatIsRefusedAndTheRemedy) {
  Unpack(Archives().back());
  fs::remove(Path("data/key"));
  const Ran ran = Check();
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, HasSubstr("the referee's secret key is missing"));
  EXPECT_THAT(ran.out, HasSubstr("would not start on this"));
}

TEST_F(UpgradeTest, StoreOfADatabaseIsRefusedWithoutItsUrl) {
  Unpack(Archives().back());
  std::ofstream(Path("data/store.elsewhere")) << "database referee on db1:5432\n";
  const Ran ran = Check();
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, HasSubstr("give --store and its URL"));
}

TEST_F(UpgradeTest, JsonIsOfCheckOnly) {
  const Ran ran = sandbox_.Run({"refereed", "--data-dir", Path("data"), "--json"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("--check"));
}

}  // namespace
}  // namespace referee::end_to_end
