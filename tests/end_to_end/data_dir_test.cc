// refereed and its data directory: it does not become another referee, it does not touch what it
// does not know, and it archives in the end what it could not at first.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/end_to_end/open_matches.h"
#include "tests/end_to_end/recovery.h"

namespace referee::end_to_end {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class DataDir : public Recovery {
 protected:
  std::string Path(const std::string& name) const {
    return absl::StrCat(sandbox_.path(), "/data/", name);
  }
  // The bytes of all files, and the folders, by path.
  std::map<std::string, std::string> Bytes() const {
    std::map<std::string, std::string> bytes;
    for (const auto& entry : fs::recursive_directory_iterator(Path(""))) {
      bytes[entry.path()] = entry.is_directory() ? "" : testing::ReadFile(entry.path());
    }
    return bytes;
  }
  // A data directory in which a referee was that has ended.
  void LeaveOne(const std::vector<std::string>& flags = {}) {
    LaunchReferee("data", flags);
    ASSERT_TRUE(AwaitReady());
    StopReferee();
  }
  void StopReferee() {
    const Ran ran = Stop();
    EXPECT_EQ(ran.status, 0) << ran.err;
  }
  // What a referee says that is to refuse to start, and to change nothing.
  std::string Refusal(const std::vector<std::string>& flags = {}) {
    const std::map<std::string, std::string> before = Bytes();
    LaunchReferee("data", flags);
    EXPECT_FALSE(AwaitReady());
    const Ran ran = Stop();
    EXPECT_EQ(ran.status, 2) << ran.err;
    EXPECT_EQ(Bytes(), before);
    // Which is what was to be expected.
    const Ran check = sandbox_.Run({"refereed", "--check", absl::StrCat(sandbox_.path(), "/data")});
    EXPECT_EQ(check.status, 1) << check.out;
    EXPECT_THAT(check.out, HasSubstr(absl::StripPrefix(ran.err, "refereed: ")));
    EXPECT_EQ(Bytes(), before);
    return ran.err;
  }
  // A replay of that referee.
  std::string PlayOne() {
    LaunchReferee("data");
    EXPECT_TRUE(AwaitReady());
    StartBot("alice");
    StartBot("bob");
    EXPECT_TRUE(Create({"alice", "bob", 1}, "").ok());
    EXPECT_TRUE(Eventually([&] { return Archived("data").size() == 1; }));
    StopReferee();
    return Archived("data")[0];
  }
  Ran Refctl(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "refctl");
    return sandbox_.Run(arguments);
  }
};

// --- Keys. ---

TEST_F(DataDir, RefereeWithoutItsKeyDoesNotBecomeAnother) {
  LeaveOne();
  fs::remove(Path("key"));
  EXPECT_THAT(Refusal(), AllOf(HasSubstr(Path("key") + ": the referee's secret key is missing"),
                               HasSubstr("refctl key rotate --data-dir")));
}

TEST_F(DataDir, LostKeyIsReplacedAndWhatItSignedGoesOnVerifying) {
  const std::string replay = PlayOne();
  fs::remove(Path("key"));
  EXPECT_EQ(Refctl({"key", "rotate", "--data-dir", Path("")}).status, 2);
  const Ran rotated = Refctl({"key", "rotate", "--lost", "--data-dir", Path("")});
  EXPECT_EQ(rotated.status, 0) << rotated.err;
  LeaveOne();
  const Ran verified = Refctl({"replay", "verify", "--key", Path("key.ring"), replay});
  EXPECT_EQ(verified.status, 0) << verified.out;
  EXPECT_EQ(Refctl({"archive", "audit", "--data-dir", Path("")}).status, 0);
  EXPECT_THAT(Refctl({"bot", "audit", "--data-dir", Path("")}).out,
              AllOf(HasSubstr("local  key.rotate  "), HasSubstr("in place of ")));
}

TEST_F(DataDir, KeyIsNotReplacedWhileTheRefereeUsesIt) {
  LaunchReferee("data");
  ASSERT_TRUE(AwaitReady());
  const std::string key = testing::ReadFile(Path("key"));
  const Ran rotated = Refctl({"key", "rotate", "--data-dir", Path("")});
  EXPECT_EQ(rotated.status, 2);
  EXPECT_THAT(rotated.err, HasSubstr("another referee"));
  EXPECT_EQ(testing::ReadFile(Path("key")), key);
  StopReferee();
}

// --- Versions. ---

using UnknownVersion = DataDir;

TEST_F(UnknownVersion, OfTheLogStopsTheStartAndChangesNothing) {
  LeaveOne();
  testing::WriteFile(Path("log/7.log"), "reflogs\x02 what is to come, and enough of it");
  EXPECT_THAT(Refusal(), AllOf(HasSubstr(Path("log/7.log")), HasSubstr("a log of format version 2"),
                               HasSubstr("--set-aside-unknown")));
}

TEST_F(UnknownVersion, OfAReplayStopsTheStartAndChangesNothing) {
  LeaveOne();
  const std::string replay = Path("replays/2023/11/14/01hf7ygxa0s000000000000000.rpl");
  testing::WriteFile(replay, "refrepl\x02 what is to come");
  EXPECT_THAT(Refusal(), AllOf(HasSubstr(replay), HasSubstr("a replay of format version 2")));
}

TEST_F(UnknownVersion, OfTheStoreStopsTheStartAndChangesNothing) {
  LeaveOne();
  // SQLite keeps the version of the tables in bytes 60 to 63, most significant first.
  std::string store = testing::ReadFile(Path("store.db"));
  store[62] = '\x7f';
  testing::WriteFile(Path("store.db"), store);
  EXPECT_THAT(Refusal({"--durability=match"}),
              AllOf(HasSubstr(Path("store.db")), HasSubstr("a store of version 32")));
}

TEST_F(UnknownVersion, IsSetAsideWhereThatIsAskedFor) {
  LeaveOne();
  testing::WriteFile(Path("log/7.log"), "reflogs\x02 what is to come, and enough of it");
  LeaveOne({"--set-aside-unknown"});
  EXPECT_EQ(testing::ReadFile(Path("quarantine/7.log")),
            "reflogs\x02 what is to come, and enough of it");
}

// --- The archive. ---

TEST_F(DataDir, MatchThatCouldNotBeArchivedIsArchivedOnceItCanBe) {
  LeaveOne();
  fs::remove_all(Path("replays"));
  LaunchReferee("data");
  ASSERT_TRUE(AwaitReady());
  // A file where the folders of days should be.
  fs::remove_all(Path("replays"));
  testing::WriteFile(Path("replays"), "in the way");
  StartBot("alice");
  StartBot("bob");
  ASSERT_TRUE(Create({"alice", "bob", 1}, "").ok());
  const auto log = [&] { return sandbox_.Written(referee()).err; };
  EXPECT_TRUE(Eventually([&] { return log().find("could not be archived") != std::string::npos; }));
  EXPECT_THAT(OpenMatches(Path("")), SizeIs(1));
  fs::remove(Path("replays"));
  EXPECT_TRUE(Eventually([&] { return Archived("data").size() == 1; })) << log();
  EXPECT_TRUE(Eventually([&] { return log().find("is in the archive now") != std::string::npos; }));
  EXPECT_THAT(OpenMatches(Path("")), IsEmpty());
  StopReferee();
  ExpectAllVerify("data");
}

}  // namespace
}  // namespace referee::end_to_end
