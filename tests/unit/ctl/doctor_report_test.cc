#include "referee/ctl/doctor/report.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/conformance/check.h"

namespace referee::ctl {
namespace {

using ::testing::HasSubstr;

TEST(DoctorReport, SaysWhatWouldBeRightBelowWhatWasSeen) {
  const conformance::Result ill{
      {"pong", "pings are answered", nullptr},
      conformance::Fail("it did not answer a ping;\n  | its log", "a Pong")};
  EXPECT_EQ(FindingText(ill, /*colour=*/false),
            "FAIL     pong          it did not answer a ping;\n"
            "                         | its log\n"
            "                       right: a Pong\n");
  EXPECT_THAT(FindingText(ill, /*colour=*/true), HasSubstr("\x1b[31mFAIL   \x1b[0m"));
  EXPECT_EQ(SummaryText("mine", {ill,
                                 {ill.check, conformance::Pass("")},
                                 {ill.check, conformance::Note("a", "b")}}),
            "mine: 1 passed, 1 failed, 1 notes, 0 skipped\n");
}

}  // namespace
}  // namespace referee::ctl
