// refctl rerun: bots against what they have played.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/program.h"

namespace referee::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

class RerunCommand : public ::testing::TestWithParam<const char*> {
 protected:
  // Two matches between random and greedy, as old and new.
  void SetUp() override {
    const Ran duel =
        sandbox_.Run({"refctl", "duel", "--game", GetParam(), "--matches", "2", "--seed", "3",
                      "--time", "10s", "--bot", absl::StrCat("old=", random_), "--bot",
                      absl::StrCat("new=", greedy_), "--replay-dir", data_});
    ASSERT_EQ(duel.status, 0) << duel.err;
  }

  Ran Rerun(const std::vector<std::string>& more, const Sandbox::Environment& environment = {}) {
    std::vector<std::string> command = {"refctl", "rerun", data_};
    command.insert(command.end(), more.begin(), more.end());
    return sandbox_.Run(command, environment);
  }

  Sandbox sandbox_;
  const std::string data_ = absl::StrCat(sandbox_.path(), "/data");
  const std::string random_ = Program("bots/random");
  const std::string greedy_ = Program("bots/greedy");
};

TEST_P(RerunCommand, ABotPlaysWhatItHasPlayedChanceIncluded) {
  for (const auto& [name, bot] : {std::make_pair("old", random_), std::make_pair("new", greedy_)}) {
    const Ran ran = Rerun({"--bot", name, "--bot-cmd", bot, "--repeat", "2"});
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("turns asked, 0 played otherwise"));
  }
}

TEST_P(RerunCommand, AnotherBotPlaysOtherwiseAndTheTurnsSayHow) {
  const Ran ran = Rerun({"--seat", "a", "--bot-cmd", random_});
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr(" a  played "), HasSubstr("  now "), Not(HasSubstr("  still "))));
}

TEST_P(RerunCommand, JsonHasEachTurnAsItWasAsked) {
  const Ran ran =
      Rerun({"--bot", "old", "--bot-cmd", random_, "--turn", "1", "--time", "3s", "--json"});
  const Json json = Json::parse(ran.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << ran.out << ran.err;
  // One of two matches it has begun.
  EXPECT_EQ(json["asked"], 1);
  EXPECT_EQ(json["turns"][0]["turn"], 1);
  EXPECT_EQ(json["turns"][0]["limit_ns"], 3'000'000'000);
  EXPECT_EQ(json["turns"][0]["answers"][0]["move"], json["turns"][0]["played"]);
}

TEST_P(RerunCommand, BotSpeaksPlainTextWhateverOtherRefereesWant) {
  const Ran ran = Rerun({"--bot", "old", "--bot-cmd", random_, "--turn", "1"},
                        {{"REFEREE_TLS_CA", "/nonexistent"}});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
}

TEST_P(RerunCommand, SaysWhoIsMissing) {
  const Ran nobody = Rerun({"--bot", "carol", "--bot-cmd", random_});
  EXPECT_EQ(nobody.status, 2);
  EXPECT_THAT(nobody.err, AllOf(HasSubstr("'carol'"), HasSubstr("among its bots: ")));
  const Ran gone = Rerun({"--bot", "old", "--bot-cmd", "exit 5"});
  EXPECT_EQ(gone.status, 2);
  EXPECT_THAT(gone.err, HasSubstr("exited with status 5"));
  EXPECT_EQ(Rerun({"--bot-cmd", random_}).status, 2);
}

INSTANTIATE_TEST_SUITE_P(Games, RerunCommand, ::testing::Values("hypnosia", "isaac"));

}  // namespace
}  // namespace referee::end_to_end
