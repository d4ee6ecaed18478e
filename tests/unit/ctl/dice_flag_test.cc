#include "referee/ctl/dice_flag.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/ascii.h"

namespace referee::ctl {
namespace {

TEST(DiceFlag, ReadsNumbersAndSeeds) {
  EXPECT_EQ(ReadDiceSeed("7")->pinned_number, 7u);
  EXPECT_EQ(ReadDiceSeed("18446744073709551615")->pinned_number, 18446744073709551615u);
  const std::string hex = std::string(62, 'a') + "01";
  EXPECT_EQ(ReadDiceSeed(hex)->pinned_seed->bytes[31], 1);
  EXPECT_FALSE(ReadDiceSeed(hex)->pinned_number.has_value());
  EXPECT_EQ(DiceSeedText(*ReadDiceSeed(absl::AsciiStrToUpper(hex))), hex);
}

TEST(DiceFlag, RefusesAllElse) {
  for (const char* text : {"", "-1", "18446744073709551616", "0x7", "7 ", "abcdef"}) {
    EXPECT_FALSE(ReadDiceSeed(text)) << text;
  }
  EXPECT_THAT(DiceSeed()("-1"), ::testing::HasSubstr("neither a number of 0 or more nor 64 hex"));
  EXPECT_EQ(DiceSeed()("7"), "");
}

TEST(DiceFlag, DrawsAnotherSeedEachTime) {
  EXPECT_NE(DiceSeedText(DrawDiceSeed()), DiceSeedText(DrawDiceSeed()));
}

}  // namespace
}  // namespace referee::ctl
