#include "referee/ctl/match/flags.h"

#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/limits.h"
#include "tests/unit/ctl/countdown.h"

namespace referee::ctl {
namespace {

using games::Countdown;
using games::Option;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A file in the test's own directory.
std::string WriteFile(const std::string& name, const std::string& bytes) {
  const std::string path = ::testing::TempDir() + "game_options_test_" + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string ErrorOf(const std::vector<std::string>& texts) {
  const absl::Status status = ReadOptions(Countdown(), texts).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

TEST(ReadOptions, SplitsAtTheFirstEqualsSign) {
  EXPECT_THAT(*ReadOptions(Countdown(), {"mood=a=b", "colour="}),
              ElementsAre(Option{"mood", "a=b"}, Option{"colour", ""}));
}

TEST(ReadOptions, RefusesTextsWithoutNameOrEqualsSign) {
  for (const char* text : {"", "mood", "=calm"}) {
    EXPECT_THAT(ErrorOf({text}), HasSubstr("name=value")) << text;
  }
}

TEST(ReadOptions, RefusesAnOptionGivenTwice) {
  EXPECT_THAT(ErrorOf({"mood=calm", "mood=calm"}), HasSubstr("'mood': given twice"));
}

TEST(ReadOptions, LeavesUnknownNamesToTheGame) {
  ASSERT_TRUE(ReadOptions(Countdown(), {"colour=red"}).ok());
  EXPECT_EQ(MakeGame(Countdown(), 2, {"colour=red"}).status(),
            absl::InvalidArgumentError("no such option"));
}

TEST(ReadOptions, KeepsABuiltInName) {
  EXPECT_THAT(*ReadOptions(Countdown(), {"heap=large"}), ElementsAre(Option{"heap", "large"}));
}

TEST(ReadOptions, KeepsContentsGivenOutright) {
  EXPECT_THAT(*ReadOptions(Countdown(), {"heap=heap 9"}), ElementsAre(Option{"heap", "heap 9"}));
}

TEST(ReadOptions, ReadsAFileByItsName) {
  const std::string path = WriteFile("good", "heap 12");
  EXPECT_THAT(*ReadOptions(Countdown(), {"heap=" + path}), ElementsAre(Option{"heap", "heap 12"}));
}

TEST(ReadOptions, ReadsAFileWithAByteOrderMarkOfUtf8Only) {
  const std::string path = WriteFile("marked", "\xef\xbb\xbfheap 12");
  EXPECT_THAT(*ReadOptions(Countdown(), {"heap=" + path}), ElementsAre(Option{"heap", "heap 12"}));
  EXPECT_THAT(ErrorOf({"heap=" + WriteFile("wide", "\xff\xfeh")}), HasSubstr("UTF-16"));
}

TEST(ReadOptions, ReadsFilesOnlyWhereTheGameTakesThem) {
  const std::string path = WriteFile("mood", "calm");
  EXPECT_THAT(*ReadOptions(Countdown(), {"mood=" + path}), ElementsAre(Option{"mood", path}));
}

TEST(ReadOptions, NamesTheFileWhoseContentsTheGameRefuses) {
  const std::string path = WriteFile("bad", "heap of sand");
  EXPECT_EQ(ErrorOf({"heap=" + path}),
            "--option heap: " + path + ": heap: neither small, large nor 'heap N'");
}

TEST(ReadOptions, SaysThatThereIsNoSuchFileEither) {
  const std::string error = ErrorOf({"heap=smal"});
  EXPECT_THAT(error, HasSubstr("neither small, large"));
  EXPECT_THAT(error, HasSubstr("nor is there a file of this name"));
}

TEST(ReadOptions, RefusesADirectory) {
  EXPECT_THAT(ErrorOf({"heap=/"}), HasSubstr("'/' cannot be read"));
}

TEST(ReadOptions, RefusesAFileThatIsTooLarge) {
  const std::string path = WriteFile("large", std::string(limits::kMaxOptionBytes + 1, ' '));
  EXPECT_THAT(ErrorOf({"heap=" + path}), HasSubstr("more than 65536 bytes"));
}

}  // namespace
}  // namespace referee::ctl
