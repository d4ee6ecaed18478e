#include "referee/launch/visible_paths.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/files.h"
#include "tests/support/temp_folder.h"

namespace referee::launch {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;
namespace fs = std::filesystem;

class VisiblePaths : public ::testing::Test {
 protected:
  VisiblePaths() {
    where_.home = Path("home");
    where_.folder = Path("duels");
    where_.environment = {{"PATH", Path("home/.pyenv/shims") + ":/usr/bin"}};
    fs::create_directories(where_.home);
    fs::create_directories(where_.folder);
  }

  std::string Path(const std::string& name) const { return root_ + "/" + name; }
  void MakeFile(const std::string& name) const { testing::WriteProgram(Path(name), "x"); }

  const testing::TempFolder folder_;
  const std::string root_ = fs::canonical(folder_.path()).string();
  Surroundings where_;
};

TEST_F(VisiblePaths, OwnAreTheFoldersOfFilesThatTheCommandNames) {
  MakeFile("duels/alice/bot.py");
  MakeFile("duels/bob/bot.py");
  MakeFile("models/alice/net");
  EXPECT_THAT(OwnPaths("python3 -u alice/bot.py --net=" + Path("models/alice/net"), where_),
              UnorderedElementsAre(Path("duels/alice"), Path("models/alice")));
  EXPECT_THAT(OwnPaths("cd bob && exec ./bot.py", where_), ElementsAre(Path("duels/bob")));
}

TEST_F(VisiblePaths, OwnIsTheFolderOfTheDuelWhereTheCommandNamesNone) {
  EXPECT_THAT(OwnPaths("python3 -m bot", where_), ElementsAre(Path("duels")));
}

TEST_F(VisiblePaths, TheHomeFolderIsNeverVisibleAsAWhole) {
  MakeFile("home/bot.py");
  where_.folder = where_.home;
  EXPECT_THAT(OwnPaths("python3 bot.py", where_), ElementsAre(Path("home/bot.py")));
  EXPECT_THAT(OwnPaths("python3 -m bot", where_), IsEmpty());
  EXPECT_THAT(OwnPaths("sh -c 'cd " + root_ + "; ls /'", where_), IsEmpty());
}

TEST_F(VisiblePaths, AVirtualEnvironmentIsVisibleWithTheInterpreterThatItIsMadeOf) {
  MakeFile("home/pythons/3.12/bin/python3.12");
  MakeFile("home/pythons/3.12/lib/os.py");
  MakeFile("duels/alice/venv/pyvenv.cfg");
  fs::create_directories(Path("duels/alice/venv/bin"));
  fs::create_symlink(Path("home/pythons/3.12/bin/python3.12"), Path("duels/alice/venv/bin/python"));
  EXPECT_THAT(OwnPaths("alice/venv/bin/python -m bot", where_),
              UnorderedElementsAre(Path("duels/alice/venv"), Path("home/pythons/3.12")));
}

TEST_F(VisiblePaths, PackagesForNodeAreVisibleAlsoThoseThatAreLinks) {
  MakeFile("duels/alice/bot.js");
  MakeFile("duels/package.json");
  MakeFile("sdk/index.js");
  fs::create_directories(Path("duels/node_modules/@arena"));
  fs::create_directory_symlink(Path("sdk"), Path("duels/node_modules/@arena/sdk"));
  EXPECT_THAT(OwnPaths("node alice/bot.js", where_),
              UnorderedElementsAre(Path("duels/alice"), Path("duels/package.json"),
                                   Path("duels/node_modules"),
                                   Path("duels/node_modules/@arena/sdk"), Path("sdk")));
}

TEST_F(VisiblePaths, RuntimesAreWhatVariablesAndUserSitesHave) {
  MakeFile("home/.pyenv/shims/python3");
  MakeFile("home/.pyenv/libexec/pyenv");
  MakeFile("home/.local/lib/python3.11/site-packages/numpy.py");
  MakeFile("home/.local/bin/tool");
  MakeFile("home/.local/share/keyrings/login");
  MakeFile("home/.ssh/id");
  MakeFile("libs/common.py");
  where_.environment.emplace_back("PYTHONPATH", Path("libs"));
  where_.environment[0].second += ":" + Path("home/.local/bin");
  EXPECT_THAT(RuntimePaths(where_),
              UnorderedElementsAre(Path("home/.pyenv"), Path("libs"), Path("home/.local/bin"),
                                   Path("home/.local/lib")));
}

TEST_F(VisiblePaths, FoldersOfTheSystemAreNotNamedAgain) {
  EXPECT_THAT(OwnPaths("/usr/bin/env sleep 1", where_), ElementsAre(Path("duels")));
  EXPECT_THAT(RuntimePaths(where_), Not(Contains("/usr")));
}

TEST(IsWithin, LooksAtWholeNames) {
  EXPECT_TRUE(IsWithin("/a/b", "/a"));
  EXPECT_TRUE(IsWithin("/a", "/a"));
  EXPECT_TRUE(IsWithin("/a", "/"));
  EXPECT_FALSE(IsWithin("/ab", "/a"));
  EXPECT_FALSE(IsWithin("/a", "/a/b"));
}

}  // namespace
}  // namespace referee::launch
