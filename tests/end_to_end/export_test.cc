// refgate --export, of a referee with competitions.
#include <sys/stat.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/competition_fixture.h"

namespace referee::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kHarm[] = "<script>alert(1)</script>/../x";
constexpr char kHarmPath[] = "competitions/=3cscript=3ealert=281=29=3c=2fscript=3e=2f..=2fx.html";

class ExportProgram : public CompetitionFixture {
 protected:
  void SetUp() override {
    StartReferee();
    for (const char* bot : {"Ann", "bob"}) {
      AddBot(bot);
      StartBot(bot, {"bots/random"});
    }
    Play("cup");
  }
  // Plays a whole competition.
  void Play(const std::string& name, const std::string& watch_delay = "0s") {
    Well({"create", name, "--format", "round-robin", "--game", "hypnosia", "--option",
          "turn_limit=20", "--bots", "Ann,bob", "--watch-delay", watch_delay, "--start"});
    Well({"watch", name});
  }
  Ran Export(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"--export", Path("site")});
    return Refgate(more);
  }
  std::string Read(const std::string& path) const {
    std::stringstream text;
    text << std::ifstream(Path("site/" + path)).rdbuf();
    return text.str();
  }
  std::set<std::string> Pages() const {
    std::set<std::string> pages;
    for (const std::string& path : sandbox_.Files("/site", ".html")) {
      pages.insert(path.substr(path.find("/site/") + 6));
    }
    return pages;
  }
};

TEST_F(ExportProgram, WritesPagesOnceAndThenOnlyWhatHasChanged) {
  const Ran first = Export();
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_THAT(Pages(),
              AllOf(SizeIs(7), IsSupersetOf({"index.html", "archive.html", "competitions/cup.html",
                                             "bots/=41nn.html", "bots/bob.html"})))
      << "and two replays";
  EXPECT_THAT(first.out, AllOf(HasSubstr("written index.html\n"),
                               EndsWith("7 pages, 7 written, 0 removed\n")));
  EXPECT_EQ(Export().out, "7 pages, 0 written, 0 removed\n");

  Play(kHarm);
  const Ran second = Export();
  EXPECT_THAT(second.out,
              AllOf(HasSubstr(absl::StrCat("written ", kHarmPath, "\n")),
                    HasSubstr("written bots/bob.html\n"), HasSubstr("written index.html\n"),
                    Not(HasSubstr("cup.html")), EndsWith("10 pages, 7 written, 0 removed\n")));
  for (const std::string& page : Pages()) EXPECT_THAT(Read(page), Not(HasSubstr("alert(1)")));
}

TEST_F(ExportProgram, RemovesPagesOfWhatIsGoneAndNoOthers) {
  ASSERT_EQ(Export().status, 0);
  std::ofstream(Path("site/competitions/own.html")) << "somebody else's";
  Well({"remove", "cup", "--yes"});
  const Ran ran = Export({"--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  std::set<std::string> removed;
  nlohmann::json last;
  for (const absl::string_view line : absl::StrSplit(ran.out, '\n', absl::SkipEmpty())) {
    last = nlohmann::json::parse(std::string(line));
    if (last.contains("removed") && last["removed"].is_string()) removed.insert(last["removed"]);
  }
  EXPECT_THAT(removed, AllOf(SizeIs(5), IsSupersetOf({"competitions/cup.html", "bots/bob.html"})));
  EXPECT_EQ(last, (nlohmann::json{{"pages", 2}, {"written", 2}, {"removed", 5}}));
  EXPECT_EQ(Read("competitions/own.html"), "somebody else's");
}

TEST_F(ExportProgram, HasAsManyReplaysAsItIsTold) {
  EXPECT_THAT(Export({"--replays", "1"}).out, EndsWith("7 pages, 7 written, 0 removed\n"))
      << "its last round has both of its matches";
  EXPECT_THAT(Export({"--replays", "0"}).out, EndsWith(" 2 removed\n"));
  EXPECT_THAT(Export({"--replays", "all"}).out, HasSubstr("7 pages, "));
  const Ran bad = Export({"--replays", "-1"});
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.err, HasSubstr("--replays"));
}

TEST_F(ExportProgram, WritesIntoNoFolderOfSomebodyElse) {
  mkdir(Path("site").c_str(), 0755);
  std::ofstream(Path("site/index.html")) << "somebody else's";
  StopReferee();  // the folder is checked first
  const Ran ran = Export({"--wait", "0s"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("holds other files"), HasSubstr("site.manifest")));
  EXPECT_THAT(Pages(), SizeIs(1));
  EXPECT_EQ(Read("index.html"), "somebody else's");
}

TEST_F(ExportProgram, ShowsAnOrganiserNoMoreThanAnObserver) {
  Play("late", "10m");
  EXPECT_THAT(Export().out, EndsWith("8 pages, 8 written, 0 removed\n"))
      << "no replay of a match that observers do not see yet";
}

TEST_F(ExportProgram, SaysThatNoRefereeAnswers) {
  StopReferee();
  const Ran ran = Export({"--wait", "0s"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("no referee"));
  EXPECT_THAT(Pages(), SizeIs(0));
}

}  // namespace
}  // namespace referee::end_to_end
