#include "referee/base/duration_text.h"

#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace referee {
namespace {

TEST(RoundedText, IsShortAndHasAUnit) {
  EXPECT_EQ(RoundedText(absl::Nanoseconds(7'296'975'655)), "7.3 s");
  EXPECT_EQ(RoundedText(absl::ZeroDuration()), "0 s");
  EXPECT_EQ(RoundedText(absl::Nanoseconds(1'500)), "2 us");
  EXPECT_EQ(RoundedText(absl::Microseconds(412)), "412 us");
  EXPECT_EQ(RoundedText(absl::Microseconds(208'400)), "208 ms");
  EXPECT_EQ(RoundedText(absl::Seconds(2)), "2 s");
  EXPECT_EQ(RoundedText(absl::Milliseconds(45'300)), "45 s");
  EXPECT_EQ(RoundedText(absl::Seconds(725)), "12 min 5 s");
  EXPECT_EQ(RoundedText(absl::Minutes(200)), "3 h 20 min");
  EXPECT_EQ(RoundedText(absl::Hours(2)), "2 h");
  EXPECT_EQ(RoundedText(-absl::Seconds(2)), "-2 s");
  EXPECT_EQ(RoundedText(absl::InfiniteDuration()), "unlimited");
}

TEST(RoundedText, TakesTheNextUnitWhereItIsRoundedUp) {
  EXPECT_EQ(RoundedText(absl::Nanoseconds(999'999)), "1 ms");
  EXPECT_EQ(RoundedText(absl::Microseconds(999'900)), "1 s");
  EXPECT_EQ(RoundedText(absl::Milliseconds(9'990)), "10 s");
  EXPECT_EQ(RoundedText(absl::Milliseconds(59'900)), "1 min");
}

}  // namespace
}  // namespace referee
