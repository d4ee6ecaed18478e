#include "referee/base/plain_text.h"

#include <string>

#include "gtest/gtest.h"
#include "referee/base/errors.h"

namespace referee {
namespace {

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

}  // namespace
}  // namespace referee
