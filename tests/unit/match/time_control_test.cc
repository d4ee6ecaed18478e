#include "referee/match/time_control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace referee::match {
namespace {

using ::testing::HasSubstr;

TEST(TimeControlNotation, ReadsCapBankAndIncrement) {
  const TimeControl read = ParseTimeControl("500ms+60s+1s").value();
  EXPECT_EQ(read.per_move, absl::Milliseconds(500));
  EXPECT_EQ(read.bank, absl::Seconds(60));
  EXPECT_EQ(read.increment, absl::Seconds(1));
}

TEST(TimeControlNotation, LeavesOutWhatIsNotThere) {
  const TimeControl cap = ParseTimeControl("2s").value();
  EXPECT_FALSE(cap.has_bank());
  EXPECT_EQ(cap.increment, absl::ZeroDuration());
  const TimeControl bank = ParseTimeControl("none+1m").value();
  EXPECT_FALSE(bank.has_per_move());
  EXPECT_EQ(bank.bank, absl::Minutes(1));
}

TEST(TimeControlNotation, RoundTrips) {
  for (const char* text :
       {"500ms", "1ms", "24h", "500ms+1m", "none+1m", "none+1m+1s", "1.5s+1h30m",
        "1.000001ms+168h+24h", "1m0.000000001s", "500ms,first=5s",
        "500ms+1m+1s,first=5s,ready=30s,match=2h", "none,match=10m", "500ms,stall=0s",
        "500ms,stall=2s", "500ms,stall=1s/5s", "500ms,match=2h,stall=20ms/20ms"}) {
    const auto read = ParseTimeControl(text);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(TimeControlText(*read), text);
    EXPECT_EQ(ParseTimeControl(TimeControlText(*read)).value(), *read);
  }
}

TEST(TimeControlNotation, CutsToWholeNanoseconds) {
  EXPECT_EQ(ParseTimeControl("1.0000005ms").value().per_move, absl::Milliseconds(1));
}

TEST(TimeControlNotation, NoIncrementIsNotWritten) {
  EXPECT_EQ(TimeControlText(ParseTimeControl("1s+1m+0s").value()), "1s+1m");
}

TEST(TimeControlNotation, StallsAreGivenBackUnlessItSaysOtherwise) {
  const TimeControl usual = ParseTimeControl("500ms").value();
  EXPECT_EQ(usual.stall_per_move, absl::Seconds(1));
  EXPECT_EQ(usual.stall_per_match, absl::Minutes(1));
  EXPECT_EQ(ParseTimeControl("500ms,stall=1s/1m").value(), usual);
  EXPECT_EQ(ParseTimeControl("500ms,stall=2s").value().stall_per_match, absl::Minutes(2));
  EXPECT_EQ(ParseTimeControl("500ms,stall=0s").value().stall_per_match, absl::ZeroDuration());
}

TEST(TimeControlNotation, RefusesAndNamesTheField) {
  const struct {
    const char* text;
    const char* field;
  } cases[] = {
      {"", "time per move"},
      {"500", "time per move"},
      {"inf", "time per move"},
      {"0s", "time per move"},
      {"-5s", "time per move"},
      {"999us", "time per move"},
      {"24h0.000000001s", "time per move"},
      {"1s+", "bank"},
      {"1s+none", "bank"},
      {"1s,first=25h", "first move"},
      {"1s,ready=0s", "ready"},
      {"1s,ready=2h", "ready"},
      {"1s,match=0s", "match"},
      {"1s,match", "match"},
      {"1s,last=5s", "last=5s"},
      {"1s,", "time control"},
      {"1s,stall=-1ms", "stall"},
      {"1s,stall=61m", "stall"},
      {"1s,stall", "stall"},
      {"1s,stall=2s/", "stall per match"},
      {"1s,stall=2s/1s", "stall per match"},
      {"1s,stall=2s/25h", "stall per match"},
      {"1s+inf", "bank"},
      {"1s+0s", "bank"},
      {"1s+169h", "bank"},
      {"1s++1s", "bank"},
      {"1s+1m+", "increment"},
      {"1s+1m+-1s", "increment"},
      {"1s+1m+25h", "increment"},
      {"1s+1m+1s+1s", "PER_MOVE"},
      {"none", "no limit at all"},
  };
  for (const auto& c : cases) {
    const absl::Status status = ParseTimeControl(c.text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.text;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.field)) << c.text;
  }
}

TEST(TimeControl, IncrementNeedsABank) {
  TimeControl time_control;
  time_control.increment = absl::Seconds(1);
  EXPECT_THAT(std::string(Validate(time_control).message()), HasSubstr("no bank"));
  time_control.bank = absl::Seconds(1);
  EXPECT_TRUE(Validate(time_control).ok());
}

TEST(TimeControl, DefaultIsValid) { EXPECT_TRUE(Validate(TimeControl()).ok()); }

}  // namespace
}  // namespace referee::match
