#include "referee/base/errors.h"

#include <string>

#include "gtest/gtest.h"

namespace referee {
namespace {

TEST(Quoted, ShowsShortTextWhole) { EXPECT_EQ(Quoted("1:L1>A0"), "'1:L1>A0'"); }

TEST(Quoted, ShowsNothingAsNothing) { EXPECT_EQ(Quoted(""), "''"); }

TEST(Quoted, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(Quoted("\x1b[31m\n"), "'\\x1b[31m\\n'");
  EXPECT_EQ(Quoted("\xc2\x9b"), "'\\xc2\\x9b'");  // CSI, in one character
  EXPECT_EQ(Quoted("it's"), "'it\\'s'");
}

TEST(Quoted, KeepsUtf8) { EXPECT_EQ(Quoted("Zürich"), "'Zürich'"); }

TEST(Quoted, CutsAfterEightyBytes) {
  EXPECT_EQ(Quoted(std::string(80, 'x')), "'" + std::string(80, 'x') + "'");
  EXPECT_EQ(Quoted(std::string(81, 'x')), "'" + std::string(80, 'x') + "...'");
}

TEST(Quoted, NeverCutsACharacterInTwo) {
  const std::string text = std::string(79, 'x') + "üü";
  EXPECT_EQ(Quoted(text), "'" + std::string(79, 'x') + "...'");
}

TEST(Quoted, EscapesWhatIsNotUtf8) {
  EXPECT_EQ(Quoted("a\xff"
                   "b\xc3"),
            "'a\\xff"
            "b\\xc3'");
  EXPECT_EQ(Quoted("\xc0\xaf"), "'\\xc0\\xaf'");           // overlong
  EXPECT_EQ(Quoted("\xed\xa0\x80"), "'\\xed\\xa0\\x80'");  // a surrogate
}

TEST(IsPlainText, TakesUtf8WithoutControlCharacters) {
  EXPECT_TRUE(IsPlainText(""));
  EXPECT_TRUE(IsPlainText("Zo\xc3\xab 'the' \\\xf0\x9f\x8e\xb2"));
  for (const std::string text : {"a\n", "\x7f", "\x1b[31m", "\xc2\x85", "\xff", "a\xc3"}) {
    EXPECT_FALSE(IsPlainText(text)) << Quoted(text);
  }
}

TEST(At, PutsThePlaceBeforeTheMessageAndKeepsTheCode) {
  const absl::Status status = At("line 3", absl::NotFoundError("no such seat"));
  EXPECT_EQ(status, absl::NotFoundError("line 3: no such seat"));
}

TEST(BadValue, SaysFieldValueAndWhatWouldBeRight) {
  const absl::Status status = BadValue("option turn_limit", "0", "a number from 1 to 100000");
  EXPECT_EQ(status,
            absl::InvalidArgumentError("option turn_limit: '0' is not a number from 1 to 100000"));
}

TEST(BadName, SaysWhoseNameItIs) {
  const std::string message(BadName("bot", "").message());
  EXPECT_EQ(message.rfind("bot ''", 0), 0u) << message;
}

}  // namespace
}  // namespace referee
