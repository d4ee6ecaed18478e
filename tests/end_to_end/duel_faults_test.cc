// refctl duel with bots that lose matches by their faults: the duel goes on.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/duel_fixture.h"
#include "tests/end_to_end/program.h"

namespace referee::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(Duel, BotThatHangsLosesOnTime) {
  const Json duel = PlayForJson({random_, Faulty("--hang-at=3")},
                                {"--matches", "2", "--time", "100ms", "--seed", "3"});
  EXPECT_EQ(duel["status"], 0);
  EXPECT_EQ(duel["bots"][0]["wins"], 2);
  EXPECT_EQ(duel["bots"][1]["forfeits"]["timeout"], 2);
}

TEST_F(Duel, BotThatPlaysIllegallyForfeits) {
  for (const char* fault : {"--illegal-at=3", "--garbled-at=3"}) {
    const Json duel = PlayForJson({random_, Faulty(fault)}, {"--matches", "2", "--seed", "3"});
    EXPECT_EQ(duel["status"], 0);
    EXPECT_EQ(duel["bots"][0]["wins"], 2);
    EXPECT_EQ(duel["bots"][1]["forfeits"]["illegal"], 2);
  }
}

TEST_F(Duel, SaysWhyABotForfeitedAndWhereItIsSeen) {
  const Ran ran = Play({random_, Faulty("--illegal-at=3")},
                       {"--matches", "2", "--seed", "3", "--replay-dir", Path("data")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  const std::string why = "ILLEGAL: illegal move - in turn ";
  EXPECT_THAT(ran.out, HasSubstr("\nfaulty: first forfeit in match 1, turn "));
  EXPECT_THAT(ran.out, HasSubstr(why));
  const size_t at = ran.out.find("refctl replay show ");
  ASSERT_NE(at, std::string::npos) << ran.out;
  const size_t begin = at + std::string("refctl replay show ").size();
  const std::string file = ran.out.substr(begin, ran.out.find('\n', begin) - begin);
  const Ran shown = sandbox_.Run({"refctl", "replay", "show", "--turn", "last", file});
  EXPECT_THAT(shown.out, AllOf(HasSubstr(why), Not(HasSubstr("before turn"))));
  EXPECT_THAT(sandbox_.Run({"refctl", "replay", "times", file}).out, HasSubstr("forfeit, " + why));
}

TEST_F(Duel, ShowsWhatABotHadWrittenWhenItForfeited) {
  const std::vector<std::string> more = {"--matches", "2", "--concurrency", "1", "--seed", "3"};
  const Ran ran = Play({random_, Faulty("--resign-at=3")}, more);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, ContainsRegex("RESIGNED: resigned in turn [0-9]+: no idea\n"));
  EXPECT_THAT(
      ran.out,
      ContainsRegex(
          "\n  its last output .--bot-logs DIR keeps it all.:\n  . resign-at turn [0-9]+\n"));
  const Json duel = PlayForJson({random_, Faulty("--resign-at=3")}, more);
  EXPECT_THAT(duel["bots"][1]["first_fault"]["written"][0].get<std::string>(),
              StartsWith("resign-at turn "));
}

// It says that it thinks about 16 turns at once, and thinks about one.
TEST_F(Duel, SaysThatTurnsWereLostWhileTheyWaitedForOthers) {
  const Ran ran = Play({random_, Faulty("--late-ms=60")},
                       {"--matches", "8", "--concurrency", "8", "--time", "200ms"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("to think about: the result shows how long turns waited in the "
                                 "bot; try --concurrency "));
}

TEST_F(Duel, GivesABotNoMoreMatchesThanItThinksAboutUnlessAsked) {
  // Eight turns that wait for one another take 4.8 s, and four of them are late already.
  const std::string slow = Faulty("--late-ms=600 --parallel-turns=1");
  std::vector<std::string> more = {"--matches", "8", "--concurrency", "8",           "--time", "2s",
                                   "--seed",    "1", "--option",      "turn_limit=4"};
  EXPECT_EQ(PlayForJson({random_, slow}, more)["bots"][1]["forfeits"]["timeout"], 0);
  more.push_back("--oversubscribe");
  EXPECT_GT(PlayForJson({random_, slow}, more)["bots"][1]["forfeits"]["timeout"], 0);
}

TEST_F(Duel, FailsOnForfeitIfItIsTo) {
  EXPECT_EQ(
      Play({random_, Faulty("--illegal-at=3")}, {"--matches", "2", "--fail-on-forfeit"}).status, 4);
  EXPECT_EQ(Play({random_, random_}, {"--matches", "2", "--fail-on-forfeit"}).status, 0);
}

TEST_F(Duel, StartsABotThatCrashesAgainIfItIsTo) {
  const Json duel =
      PlayForJson({random_, Faulty("--crash-at=3")},
                  {"--matches", "4", "--concurrency", "1", "--time", "500ms", "--recover"});
  EXPECT_EQ(duel["status"], 0) << duel["problem"];
  EXPECT_EQ(duel["matches_played"], 4);
  EXPECT_EQ(duel["bots"][1]["forfeits"]["disconnected"], 4);
  EXPECT_EQ(duel["bots"][1]["recoveries"], 3);
  EXPECT_EQ(duel["bots"][0]["recoveries"], 0);
}

// Its links are shorter than the duel takes to look around.
TEST_F(Duel, GoesOnHoweverSoonABotCrashesOnceItHasConnected) {
  const Json duel =
      PlayForJson({random_, Faulty("--crash-at=1")},
                  {"--matches", "12", "--concurrency", "1", "--time", "50ms", "--recover"});
  EXPECT_EQ(duel["status"], 0) << duel["problem"];
  EXPECT_EQ(duel["matches_played"], 12);
}

TEST_F(Duel, ABotThatNeverComesUpIsNotStartedAgainForEver) {
  const Ran ran =
      Play({random_, absl::StrCat("if test -e ", Path("once"), "; then exit 3; fi; touch ",
                                  Path("once"), "; exec ", Faulty("--crash-at=1"))},
           {"--matches", "4", "--time", "100ms", "--recover"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err,
              HasSubstr("was started again 3 times in a row, and no match ended meanwhile; the "
                        "last time it exited with status 3"));
}

TEST_F(Duel, CountsTurnsThatTheRefereePlaysInABotsPlace) {
  const Json late = PlayForJson(
      {random_, Faulty("--hang-at=3")},
      {"--matches", "2", "--time", "100ms", "--seed", "3", "--on-timeout", "substitute:2"});
  EXPECT_EQ(late["bots"][1]["substituted"]["timeout"], 4);
  EXPECT_EQ(late["bots"][1]["forfeits"]["timeout"], 2);
  EXPECT_EQ(late["bots"][0]["substituted"]["timeout"], 0);
  const Json illegal =
      PlayForJson({random_, Faulty("--illegal-at=3")},
                  {"--matches", "2", "--seed", "3", "--on-illegal", "substitute:4"});
  EXPECT_EQ(illegal["bots"][1]["substituted"]["illegal"], 8);
  EXPECT_EQ(illegal["bots"][1]["forfeits"]["illegal"], 2);
}

TEST_F(Duel, BotMayResign) {
  const Json duel =
      PlayForJson({random_, Faulty("--resign-at=3")}, {"--matches", "2", "--seed", "3"});
  EXPECT_EQ(duel["status"], 0);
  EXPECT_EQ(duel["bots"][1]["forfeits"]["resigned"], 2);
}

TEST_F(Duel, WhatABotWritesWithoutEndFillsNoDisk) {
  const Ran ran = Play({random_, "yes this bot talks & exec " + random_},
                       {"--matches", "4", "--bot-logs", Path("logs")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  uint64_t bytes = 0;
  for (const std::string& file : sandbox_.Files("logs", ".log")) {
    bytes += std::filesystem::file_size(file);
  }
  EXPECT_LT(bytes, 3'000'000u);
}

}  // namespace
}  // namespace referee::end_to_end
