// refctl duel with bots that make it impossible: it ends, and names the bot and the cause.
#include <string>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/duel_fixture.h"
#include "tests/end_to_end/program.h"

namespace referee::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(Duel, BotThatCrashesForfeitsWhatRunsAndEndsTheDuel) {
  const Json duel = PlayForJson({random_, Faulty("--crash-at=3")},
                                {"--matches", "50", "--concurrency", "2", "--time", "100ms"});
  EXPECT_EQ(duel["status"], 2);
  EXPECT_GE(duel["matches_played"], 1);
  EXPECT_LT(duel["matches_played"], 50);
  EXPECT_EQ(duel["bots"][1]["forfeits"]["disconnected"], duel["matches_played"]);
  EXPECT_EQ(duel["bots"][0]["wins"], duel["matches_played"]);
  EXPECT_THAT(std::string(duel["problem"]),
              AllOf(HasSubstr("bot 'faulty' was killed by signal 6"), HasSubstr("crash-at turn")));
}

TEST_F(Duel, BotThatIsNeverReadyEndsTheDuelAndIsCalledThat) {
  const Json duel = PlayForJson({random_, Faulty("--never-ready")},
                                {"--matches", "50", "--time", "100ms,ready=200ms"});
  EXPECT_EQ(duel["status"], 2);
  EXPECT_LT(duel["matches_played"], 50);
  EXPECT_EQ(duel["bots"][1]["not_ready"], duel["matches_played"]);
  EXPECT_EQ(duel["bots"][1]["first_fault"]["detail"], "was not ready within 200ms");
  EXPECT_THAT(std::string(duel["problem"]),
              AllOf(HasSubstr("bot 'faulty' was not ready in "),
                    HasSubstr(" matches in a row, so the duel ends here; the last time it was not "
                              "ready within 200ms; an SDK resigns")));
}

TEST_F(Duel, BotThatResignsBeforeTheStartEndsTheDuelAtOnce) {
  const absl::Time from = absl::Now();
  const Json duel =
      PlayForJson({random_, Faulty("--resign-first")},
                  {"--matches", "50", "--concurrency", "1", "--time", "1s,ready=60s"});
  EXPECT_LT(absl::Now() - from, absl::Seconds(60));
  EXPECT_EQ(duel["status"], 2);
  const int played = duel["matches_played"];
  EXPECT_GE(played, 3);
  EXPECT_LT(played, 50) << "some may have begun by then";
  EXPECT_EQ(duel["bots"][0]["wins"], played);
  EXPECT_EQ(duel["bots"][1]["forfeits"]["resigned"], played);
  EXPECT_EQ(duel["bots"][1]["not_ready"], played);
  EXPECT_THAT(std::string(duel["problem"]),
              HasSubstr("bot 'faulty' was not ready in 3 matches in a row, so the duel ends here; "
                        "the last time it resigned before the first turn"));
}

TEST_F(Duel, BotThatLeavesForGoodEndsTheDuel) {
  const Json duel = PlayForJson({random_, Faulty("--leave-at=3")},
                                {"--matches", "50", "--time", "100ms", "--start-timeout", "5s"});
  EXPECT_EQ(duel["status"], 2);
  EXPECT_GE(duel["bots"][1]["forfeits"]["disconnected"], 1);
  EXPECT_THAT(std::string(duel["problem"]), HasSubstr("'faulty' runs, but has been disconnected"));
}

TEST_F(Duel, NamesTheBotWhoseCommandDoesNotExist) {
  const Ran ran = Play({random_, "/nonexistent/bot --fast"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err,
              AllOf(StartsWith("refctl: bot 'bot' exited with status 127 (no such command)"),
                    HasSubstr("/nonexistent/bot")));
}

TEST_F(Duel, ShowsTheLastWordsOfABotThatExitsAtOnce) {
  const Ran ran = Play({"mine=" + Faulty("--exit=3"), random_});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, AllOf(StartsWith("refctl: bot 'mine' exited with status 3"),
                             EndsWith("  | faulty: I was told to leave\n")));
}

TEST_F(Duel, NamesTheBotThatNeverSaysHello) {
  const Ran ran = Play({random_, Faulty("--no-hello")}, {"--start-timeout", "5s"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("bot 'faulty' runs, but has not connected within 5s"));
}

TEST_F(Duel, SaysThatNoMatchBeginsWithABotThatPlaysAnotherGame) {
  const Ran ran = Play({random_, Faulty("--isaac-only")}, {"--start-timeout", "5s"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("does not play hypnosia"));
}

TEST_F(Duel, BotsMayNotCreateOrCancelMatches) {
  const std::string create = Program("refctl") + " match create --game hypnosia --bot a --bot b";
  const Ran ran = Play({random_, "cheat=" + create + "; exit 3"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("only an organiser may do this"));
}

TEST_F(Duel, KillsBotsThatDoNotMindBeingTerminatedAndWhatTheyStarted) {
  const Ran ran = Play({random_, "trap '' TERM; sleep 1000 & sleep 1000; sleep 1000"},
                       {"--start-timeout", "200ms"});
  EXPECT_EQ(ran.status, 2);
}

}  // namespace
}  // namespace referee::end_to_end
