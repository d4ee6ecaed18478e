// refctl duel that is stopped or killed: its processes end, and --resume goes on with its matches.
#include <signal.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/duel_fixture.h"
#include "tests/end_to_end/program.h"

namespace referee::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class StoppedDuel : public Duel, public ::testing::WithParamInterface<int> {};

TEST_P(StoppedDuel, PrintsWhatWasPlayedAndLeavesNothing) {
  const pid_t duel = sandbox_.Start(
      Command({greedy_, random_}, {"--matches", "100000", "--replay-dir", Path("data")}));
  ASSERT_TRUE(Eventually([this] { return sandbox_.Files("data/replays", ".rpl").size() > 3; }));
  kill(duel, GetParam());
  const Ran ran = sandbox_.Await(duel);
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.out, AllOf(StartsWith("hypnosia: "), HasSubstr(" of 100000")));
  EXPECT_THAT(ran.err, HasSubstr("stopped by a signal"));
}

INSTANTIATE_TEST_SUITE_P(Signals, StoppedDuel, ::testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST_F(Duel, BotsDieWithAProgramThatIsKilled) {
  const pid_t duel =
      sandbox_.Start(Command({Faulty("--hang-at=1"), Faulty("--hang-at=1")}, {"--time", "1h"}));
  // A guard with each bot.
  ASSERT_TRUE(Eventually([this] { return sandbox_.Running().size() == 5; }));
  kill(duel, SIGKILL);
  EXPECT_EQ(sandbox_.Await(duel).status, 128 + SIGKILL);
  EXPECT_TRUE(Eventually([this] { return sandbox_.Running().empty(); }));
  EXPECT_FALSE(sandbox_.TempIsEmpty());
  EXPECT_EQ(Play({random_, random_}, {"--matches", "2"}).status, 0);
  EXPECT_TRUE(sandbox_.TempIsEmpty()) << "the next takes away what was left";
}

TEST_F(Duel, WhatBotsHaveStartedDiesWithAProgramThatIsKilled) {
  const pid_t duel =
      sandbox_.Start(Command({random_, "sleep 1000 & (sleep 1000; true) & sleep 1000; true"}, {}));
  const auto sleeping = [this] {
    const std::vector<std::string> running = sandbox_.Running();
    return std::count_if(running.begin(), running.end(), [](const std::string& command) {
      return absl::StartsWith(command, "sleep");
    });
  };
  ASSERT_TRUE(Eventually([&] { return sleeping() == 3; }));
  kill(duel, SIGKILL);
  EXPECT_EQ(sandbox_.Await(duel).status, 128 + SIGKILL);
  EXPECT_TRUE(Eventually([this] { return sandbox_.Running().empty(); }));
  sandbox_.EmptyTemp();
}

TEST_F(Duel, ThatWasKilledGoesOnWithTheSameMatches) {
  const std::vector<std::string> whole = {"--matches", "40", "--seed", "11"};
  const Json reference = PlayForJson({greedy_, random_}, whole);
  std::vector<std::string> kept = whole;
  kept.insert(kept.end(), {"--resume", Path("state")});
  const pid_t duel = sandbox_.Start(Command({greedy_, random_}, kept));
  ASSERT_TRUE(Eventually([this] { return sandbox_.Files("state/replays", ".rpl").size() > 8; }));
  kill(duel, SIGKILL);
  sandbox_.Await(duel);
  // The seed is that of the folder.
  const Json rest = PlayForJson({greedy_, random_}, {"--matches", "40", "--resume", Path("state")});
  EXPECT_EQ(rest["status"], 0) << rest["problem"];
  EXPECT_GE(rest["matches_resumed"], 2);
  EXPECT_EQ(rest["matches_played"], 40);
  int same = 0;
  for (int i = 0; i < 40; ++i) {
    // What was cut off is played again, with other dice.
    if (rest["matches"][i]["seed"] != reference["matches"][i]["seed"]) continue;
    ++same;
    for (int seat = 0; seat < 2; ++seat) {
      EXPECT_EQ(rest["matches"][i]["seats"][seat]["score"],
                reference["matches"][i]["seats"][seat]["score"]);
    }
  }
  EXPECT_GE(same, 20);
  const Ran other = Play({random_, greedy_}, {"--matches", "40", "--resume", Path("state")});
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, AllOf(HasSubstr("--resume"),
                               HasSubstr("of another duel, with another list of bots")));
}

// Commands are bytes to a shell, and text to a competition.
TEST_F(Duel, TakesCommandsThatAreNoPlainTextAndKnowsThemAgain) {
  const std::string lines = absl::StrCat("true\nexec ", random_, " # \xe9");
  const std::string long_one = absl::StrCat(random_, " #", std::string(2000, 'x'));
  for (const std::string& command : {lines, long_one}) {
    const std::string kept = Path(absl::StrCat("kept", command.size()));
    const std::vector<std::string> more = {"--matches", "2", "--resume", kept};
    EXPECT_EQ(Play({"odd=" + command, random_}, more).status, 0);
    EXPECT_EQ(PlayForJson({"odd=" + command, random_}, more)["matches_resumed"], 2);
    const Ran other = Play({"odd=" + command + "y", random_}, more);
    EXPECT_EQ(other.status, 2);
    EXPECT_THAT(other.err, HasSubstr("of another duel, with another command of a bot"));
  }
}

}  // namespace
}  // namespace referee::end_to_end
