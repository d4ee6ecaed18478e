#include "referee/launch/isolation.h"

#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace referee::launch {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

class IsolationTest : public ::testing::Test {
 protected:
  IsolationTest() {
    // It is looked for, not run.
    MakeFile("bin/bwrap");
    MakeFile("duels/alice/bot");
    MakeFile("duels/bob/bot");
    MakeFile("duels/replays/key");
    where_.folder = Path("duels");
    where_.home = Path("home");
    where_.environment = {{"PATH", Path("bin")}};
    options_.socket = "/tmp/duel/bot0";
  }

  std::string Path(const std::string& name) const { return root_ + "/" + name; }
  void MakeFile(const std::string& name) const { testing::WriteProgram(Path(name), "x"); }
  std::string Wrapped() const {
    return absl::StrJoin(Isolation::Make(options_, where_)->Wrap({"/bin/sh"}), " ");
  }

  const testing::TempFolder folder_;
  const std::string root_ = fs::canonical(folder_.path()).string();
  Surroundings where_;
  Isolation::Options options_;
};

TEST_F(IsolationTest, NeedsBubblewrapAndSaysHowToGetIt) {
  where_.environment = {{"PATH", Path("duels")}};
  const absl::Status status = Isolation::Make(options_, where_).status();
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  EXPECT_THAT(status.message(), HasSubstr("apt install bubblewrap"));
}

TEST_F(IsolationTest, RunsWhatItWrapsInTheFolderOfTheDuelWithLimits) {
  options_.command = "alice/bot";
  options_.memory_bytes = 12345678;
  EXPECT_THAT(Wrapped(), EndsWith("--chdir " + Path("duels") +
                                  " -- /usr/bin/env --default-signal=TERM /usr/bin/prlimit "
                                  "--data=12345678 --nproc=512 --core=0 -- "
                                  "/bin/sh"));
}

TEST_F(IsolationTest, ShowsTheBotsOwnFolderAndNoOther) {
  options_.command = "alice/bot";
  options_.hidden = {Path("duels/bob"), Path("duels/replays")};
  const std::string alice = Path("duels/alice");
  EXPECT_THAT(Wrapped(), HasSubstr("--ro-bind " + alice + " " + alice));
  EXPECT_THAT(Wrapped(), Not(HasSubstr(Path("duels/bob"))));
  EXPECT_THAT(Wrapped(), Not(HasSubstr("--ro-bind " + Path("duels") + " ")));
}

TEST_F(IsolationTest, HidesWhatIsBelowItsOwnFolder) {
  MakeFile("duels/own");
  options_.command = "./own";
  options_.hidden = {Path("duels/bob"), Path("duels/replays/key"), Path("duels/not-there")};
  EXPECT_THAT(Wrapped(), HasSubstr("--tmpfs " + Path("duels/bob")));
  EXPECT_THAT(Wrapped(), HasSubstr("--ro-bind /dev/null " + Path("duels/replays/key")));
  EXPECT_THAT(Wrapped(), Not(HasSubstr("not-there")));
}

TEST_F(IsolationTest, HidesAFileUnderEachOfItsNames) {
  MakeFile("real/own");
  MakeFile("real/replays/key");
  fs::create_directory_symlink(Path("real"), Path("duels/link"));
  options_.command = "link/own";
  options_.hidden = {Path("duels/link/replays")};
  EXPECT_THAT(Wrapped(), HasSubstr("--tmpfs " + Path("real/replays")));
  EXPECT_THAT(Wrapped(), HasSubstr("--tmpfs " + Path("duels/link/replays")));
}

TEST_F(IsolationTest, ItsSocketMayBeInAFolderThatIsHidden) {
  MakeFile("duels/own");
  MakeFile("duels/tmp/socket");
  options_.command = "./own";
  options_.hidden = {Path("duels/tmp")};
  options_.socket = Path("duels/tmp/socket");
  const std::string wrapped = Wrapped();
  const size_t hides = wrapped.find("--tmpfs " + Path("duels/tmp"));
  const size_t binds = wrapped.find("--ro-bind " + options_.socket);
  const size_t closes = wrapped.find("--remount-ro " + Path("duels/tmp"));
  ASSERT_NE(closes, std::string::npos) << wrapped;
  EXPECT_LT(hides, binds);
  EXPECT_LT(binds, closes);
}

// Bots that share a folder, such as versions of one, cannot be hidden from each other.
TEST_F(IsolationTest, DoesNotHideWhatItNeedsItself) {
  options_.command = "alice/bot";
  options_.hidden = {Path("duels/alice"), Path("duels")};
  EXPECT_THAT(Wrapped(), Not(HasSubstr("--tmpfs " + Path("duels"))));
}

TEST_F(IsolationTest, PassesOnNoVariableThatMayBeSecret) {
  const auto isolation = Isolation::Make(options_, where_);
  EXPECT_THAT(isolation->Filter({"PATH=/bin", "AWS_SECRET_ACCESS_KEY=x", "REFEREE_TOKEN=t",
                                 "REFEREE_STORE=postgres://", "LC_ALL=C", "PYTHONPATH=/x",
                                 "PYTHONPATHS=/y"}),
              ElementsAre("PATH=/bin", "REFEREE_TOKEN=t", "LC_ALL=C", "PYTHONPATH=/x"));
}

}  // namespace
}  // namespace referee::launch
