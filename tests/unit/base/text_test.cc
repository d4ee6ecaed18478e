#include "referee/base/text.h"

#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "referee/base/errors.h"

namespace referee {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

std::vector<json> Lines(const std::string& name) {
  std::ifstream file(REFEREE_SOURCE_DIR "/tests/golden/" + name);
  std::vector<json> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(json::parse(line));
  EXPECT_FALSE(lines.empty());
  return lines;
}

std::string BytesOf(const json& one) {
  return absl::HexStringToBytes(one["bytes"].get<std::string>());
}

TEST(PlainText, IsWhatAllProgramsTakeInNames) {
  for (const json& one : Lines("plain_text.jsonl")) {
    const std::string text = BytesOf(one);
    EXPECT_EQ(IsPlainText(text), one["plain"].get<bool>()) << one;
    EXPECT_TRUE(IsPlainText(OneLine(text))) << one;
    EXPECT_EQ(OneLine(text) == text, one["plain"].get<bool>()) << one;
    EXPECT_TRUE(IsPlainText(Quoted(text))) << one;
  }
}

TEST(Token, IsReadAsByAllPrograms) {
  for (const json& one : Lines("tokens.jsonl")) {
    const TokenSource source =
        one["source"] == "file" ? TokenSource::kFile : TokenSource::kVariable;
    const absl::StatusOr<std::string> token = ReadToken(BytesOf(one), source);
    if (one.contains("token")) {
      ASSERT_TRUE(token.ok()) << one << token.status();
      EXPECT_EQ(*token, one["token"].get<std::string>());
      continue;
    }
    EXPECT_TRUE(absl::IsInvalidArgument(token.status())) << one;
    const std::string message(token.status().message());
    EXPECT_TRUE(IsPlainText(message)) << message;
    if (one.contains("byte") && message.find("UTF-16") == std::string::npos) {
      EXPECT_THAT(message, HasSubstr("byte " + one["byte"].dump() + " is ")) << one;
    }
  }
}

TEST(TextOfFile, HasNoByteOrderMark) {
  EXPECT_EQ(*TextOfFile("\xef\xbb\xbf"
                        "ann\r\n"),
            "ann\r\n");
  EXPECT_EQ(*TextOfFile("ann"), "ann");
  EXPECT_THAT(std::string(TextOfFile(std::string("\xff\xfe"
                                                 "a\0",
                                                 4))
                              .status()
                              .message()),
              HasSubstr("UTF-16: save it as UTF-8"));
}

TEST(CheckUtf8, NamesTheFirstByteThatIsNone) {
  EXPECT_TRUE(CheckUtf8("M\xc3\xbcller").ok());
  EXPECT_THAT(std::string(CheckUtf8("M\xfcller").message()), HasSubstr("byte 2 is \\xfc"));
}

TEST(EscapedBytes, EscapeWhatIsNoUtf8AndBackslashes) {
  EXPECT_EQ(EscapedBytes(""), "");
  EXPECT_EQ(EscapedBytes("./M\xfcller"), "./M\\xfcller");
  EXPECT_EQ(EscapedBytes("a\\xfcb"), "a\\x5cxfcb");
  EXPECT_EQ(EscapedBytes("M\xc3\xbcller"), "M\xc3\xbcller");
}

TEST(PlainText, StaysAsItIs) {
  EXPECT_EQ(PlainText("KeyError: 'h\xc3\xb6' \xf0\x9f\x98\x80", 200),
            "KeyError: 'h\xc3\xb6' \xf0\x9f\x98\x80");
  EXPECT_EQ(PlainText("", 200), "");
}

TEST(PlainText, HasNoControlCharactersAndNoBytesThatAreNoUtf8) {
  const std::string text = PlainText("a\nb\tc\r\n\x1b[2J \xc2\x9b \xff\xfe! \xe2\x82", 200);
  EXPECT_EQ(text, "a b c  ?[2J ? ?! ?");
  EXPECT_TRUE(IsPlainText(text));
}

TEST(PlainText, IsCutBetweenTwoCharacters) {
  EXPECT_EQ(PlainText("abc\xc3\xb6", 5), "abc\xc3\xb6");
  EXPECT_EQ(PlainText("abc\xc3\xb6", 4), "abc");
  EXPECT_EQ(PlainText("\xff\xff\xff", 1), "?");
}

TEST(FlagsGivenTwice, AreSaidSo) {
  EXPECT_EQ(GivenTwice("--time: At Most 1 required but received 2"), "--time is given twice");
  EXPECT_EQ(GivenTwice("--time: At Most 1 required but received 3"), "--time is given 3 times");
  for (const char* other : {"", "--game is required", "--bot: At Most 8 required but received 9"}) {
    EXPECT_EQ(GivenTwice(other), other);
  }
}

}  // namespace
}  // namespace referee
