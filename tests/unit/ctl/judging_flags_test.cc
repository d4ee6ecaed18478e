#include "referee/ctl/match/flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace referee::ctl {
namespace {

using ::testing::HasSubstr;

TEST(JudgingFlags, DefaultsAreThoseOfAMatch) {
  const Judging judging = ReadJudging({}).value();
  EXPECT_EQ(judging.time_control, match::TimeControl());
  EXPECT_EQ(judging.policies, match::Policies());
}

TEST(JudgingFlags, EachFlagIsReadAndNamedInItsError) {
  JudgingFlags flags;
  flags.time = "1s,first=2s";
  flags.on_timeout = "substitute:random:5";
  flags.on_illegal = "retry:2";
  flags.on_lost_link = "grace:30s";
  flags.lag_compensation = "20ms";
  const Judging judging = ReadJudging(flags).value();
  EXPECT_EQ(judging.time_control.first_move, absl::Seconds(2));
  EXPECT_EQ(judging.policies.on_timeout.max_strikes, 5);
  EXPECT_EQ(judging.policies.on_illegal.max_tries, 2);
  EXPECT_EQ(judging.policies.link_grace, absl::Seconds(30));
  EXPECT_EQ(judging.policies.lag.per_move, absl::Milliseconds(20));

  const std::pair<std::string JudgingFlags::*, const char*> all[] = {
      {&JudgingFlags::time, "--time"},
      {&JudgingFlags::on_timeout, "--on-timeout"},
      {&JudgingFlags::on_illegal, "--on-illegal"},
      {&JudgingFlags::on_lost_link, "--on-lost-link"},
      {&JudgingFlags::lag_compensation, "--lag-compensation"}};
  for (const auto& [field, name] : all) {
    JudgingFlags bad = flags;
    bad.*field = "maybe";
    EXPECT_THAT(std::string(ReadJudging(bad).status().message()), HasSubstr(name));
  }
}

TEST(JudgingFlags, TimeoutsCannotBeTriedAgain) {
  JudgingFlags flags;
  flags.on_timeout = "retry";
  EXPECT_THAT(std::string(ReadJudging(flags).status().message()), HasSubstr("--on-timeout"));
}

}  // namespace
}  // namespace referee::ctl
