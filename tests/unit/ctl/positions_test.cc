// Tests of reading a file of positions, and of the errors for bad lines.

#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/limits.h"
#include "referee/ctl/match/flags.h"
#include "referee/games/catalogue.h"
#include "referee/games/options.h"
#include "referee/launch/temp_dir.h"
#include "tests/unit/ctl/countdown.h"

namespace referee::ctl {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class PositionsFile : public ::testing::Test {
 protected:
  absl::StatusOr<std::vector<std::string>> Read(const std::string& text,
                                                const std::vector<games::Option>& options = {}) {
    std::ofstream(path_) << text;
    const games::GameType& type = *games::Find("hypnosia")->type;
    return ReadPositions(path_, type, *type.Create(2, options).value());
  }
  std::string WhyNot(const std::string& text, const std::vector<games::Option>& options = {}) {
    return std::string(Read(text, options).status().message());
  }

  const launch::TempDir directory_ = launch::TempDir::Make().value();
  const std::string path_ = absl::StrCat(directory_.path(), "/openings.txt");
};

TEST_F(PositionsFile, HasAPositionALineAndComments) {
  EXPECT_THAT(Read("# both at the start\n\n"
                   "36/24/12 1111,1111 - 0,0 - a -\r\n"
                   "   # b begins; its dice are rolled\n"
                   "  36/24/12 1111,1111 - 0,0 - b 54 \n")
                  .value(),
              ElementsAre("36/24/12 1111,1111 - 0,0 - a -", "36/24/12 1111,1111 - 0,0 - b -"));
  EXPECT_THAT(Read("36/24/12 1111,1111 - 0,0 - a -").value(),
              ElementsAre("36/24/12 1111,1111 - 0,0 - a -"))
      << "the last line need not end";
}

TEST_F(PositionsFile, MayBeginWithAByteOrderMarkOfUtf8Only) {
  EXPECT_THAT(Read("\xef\xbb\xbf"
                   "36/24/12 1111,1111 - 0,0 - a -\r\n")
                  .value(),
              ElementsAre("36/24/12 1111,1111 - 0,0 - a -"));
  EXPECT_THAT(WhyNot("\xff\xfe\n"), HasSubstr("UTF-16: save it as UTF-8"));
}

TEST_F(PositionsFile, IsRefusedWithTheLineThatIsWrong) {
  const std::string good = "36/24/12 1111,1111 - 0,0 - a -\n";
  const std::string why = WhyNot("# openings\n" + good + "nonsense\n" + good);
  EXPECT_THAT(why, StartsWith(absl::StrCat("--positions '", path_, "', line 3: ")));
  EXPECT_THAT(why, HasSubstr("position: rings"));
  EXPECT_THAT(WhyNot(good + "36/24/12 1111,1111,1111 - 0,0,0 - b -\n"), HasSubstr("line 2: "));
  EXPECT_THAT(WhyNot("# nothing\n"), HasSubstr("has no position; give one a line"));
}

TEST_F(PositionsFile, IsRefusedWhereItGetsTooLong) {
  std::string text;
  const std::string line = "36/24/12 1111,1111 - 0,0 - a -\n";
  const size_t most = limits::kMaxPositionsBytes / (line.size() - 1);
  for (size_t i = 0; i < most; ++i) text += line;
  EXPECT_EQ(Read(text).value().size(), most);
  EXPECT_THAT(WhyNot(text + line),
              HasSubstr(absl::StrCat("line ", most + 1, ": with this there are ", most + 1)));
}

TEST_F(PositionsFile, IsRefusedBesideTheOptionAndForAGameThatHasNone) {
  const std::string line = "36/24/12 1111,1111 - 0,0 - a -\n";
  EXPECT_EQ(WhyNot(line, {{"position", "36/24/12 1111,1111 - 0,0 - b -"}}),
            "--positions: all matches start from the one that the option 'position' says; leave "
            "that option out, or the positions");
  const games::GameType& countdown = games::Countdown();
  const absl::Status status =
      ReadPositions(path_, countdown, *countdown.Create(2, {}).value()).status();
  EXPECT_THAT(std::string(status.message()),
              EndsWith("it has no option 'position'; leave positions out"));
}

TEST_F(PositionsFile, MayBeLeftOut) {
  const games::GameType& countdown = games::Countdown();
  EXPECT_THAT(ReadPositions("", countdown, *countdown.Create(2, {}).value()).value(), IsEmpty());
  EXPECT_TRUE(absl::IsNotFound(ReadPositions(path_ + "x", *games::Find("hypnosia")->type,
                                             *games::Find("hypnosia")->type->Create(2, {}).value())
                                   .status()));
}

}  // namespace
}  // namespace referee::ctl
