// refctl duel with bots that play well: what it plays, prints and refuses.
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/duel_fixture.h"
#include "tests/end_to_end/open_matches.h"
#include "tests/end_to_end/program.h"

namespace referee::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

TEST_F(Duel, LeavesReplaysThatAllVerify) {
  const Ran ran = Play({greedy_, random_},
                       {"--matches", "6", "--concurrency", "3", "--replay-dir", Path("data")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(StartsWith("hypnosia: 6 matches"), HasSubstr("greedy against random"),
                             HasSubstr(Path("data") + "/replays")));
  std::vector<std::string> verify = {"refctl", "replay", "verify", "--key", Path("data/key.pub")};
  const std::vector<std::string> files = sandbox_.Files("data/replays", ".rpl");
  ASSERT_THAT(files, SizeIs(6));
  verify.insert(verify.end(), files.begin(), files.end());
  const Ran verified = sandbox_.Run(verify);
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
}

TEST_F(Duel, PlaysAnyGameOfTheCatalogue) {
  game_ = "isaac";
  const Ran ran = Play({random_, random_}, {"--matches", "4", "--option", "counter_advance=EXACT",
                                            "--replay-dir", Path("data")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("isaac: 4 matches"));
  const std::vector<std::string> files = sandbox_.Files("data/replays", ".rpl");
  ASSERT_THAT(files, SizeIs(4));
  for (const std::string& file : files) {
    const Ran verified = sandbox_.Run({"refctl", "replay", "verify", file});
    EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
    const Ran shown = sandbox_.Run({"refctl", "replay", "show", "--turn", "last", file});
    EXPECT_THAT(shown.out, HasSubstr("\n    0   1   2   3   4   5   6   7   8   9\n"));
  }
  for (const std::string& transcript : Transcripts("data")) {
    EXPECT_THAT(transcript, AllOf(HasSubstr("\noption counter_advance=EXACT\n"),
                                  HasSubstr("\nfirst "), HasSubstr("\nend NO_MOVES\n")));
  }
}

TEST_F(Duel, WithATestStopsWhenItIsDecidedAndTheSameWhateverTheConcurrency) {
  std::vector<Json> tests;
  for (const char* concurrency : {"1", "6"}) {
    const Json duel = PlayForJson({greedy_, random_},
                                  {"--sprt", "elo0=0,elo1=200", "--seed", "1", "--concurrency",
                                   concurrency, "--option", "turn_limit=40"});
    EXPECT_NE(duel["sprt"]["accepted"], nullptr);
    EXPECT_EQ(duel["status"], duel["sprt"]["accepted"] == "H1" ? 0 : 1);
    EXPECT_EQ(duel["matches_played"], 2 * duel["pentanomial"]["blocks"].get<int>());
    tests.push_back(duel["pentanomial"]["counts"]);
    tests.push_back(duel["sprt"]["llr"]);
  }
  EXPECT_EQ(tests[0], tests[2]);
  EXPECT_EQ(tests[1], tests[3]);
}

TEST_F(Duel, WithATestEndsUndecidedAtTheMostMatches) {
  const Ran ran = Play({random_, random_}, {"--sprt", "elo0=0,elo1=1", "--matches", "5"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("SPRT elo0=0,elo1=1,alpha=0.05,beta=0.05: LLR "),
                             HasSubstr("not decided"), StartsWith("hypnosia: 6 matches, ")));
}

TEST_F(Duel, RotatesSeatsAndNamesTwinsApart) {
  const Json duel = PlayForJson({random_, random_, "third=" + random_},
                                {"--matches", "3", "--seed", "1", "--option", "turn_limit=30"});
  EXPECT_EQ(duel["status"], 0);
  EXPECT_EQ(duel["options"]["turn_limit"], "30");
  std::vector<std::string> seats;
  for (const Json& match : duel["matches"]) {
    for (const Json& seat : match["seats"]) seats.push_back(seat["bot"]);
  }
  EXPECT_EQ(seats, (std::vector<std::string>{"random", "random-2", "third", "random-2", "third",
                                             "random", "third", "random", "random-2"}));
}

TEST_F(Duel, KeepsNoReplaysUnlessAsked) {
  const Ran ran = Play({greedy_, random_}, {"--matches", "2", "--bot-logs", Path("logs")});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(sandbox_.Files(".", ".rpl"), IsEmpty());
  EXPECT_THAT(sandbox_.Files("logs", ".log"), SizeIs(2));
}

TEST_F(Duel, OfMoreBotsThanSeatsPlaysThemAllAgainstEachOther) {
  game_ = "isaac";
  const Ran ran = Play({greedy_, random_, random_}, {"--replay-dir", Path("data")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(StartsWith("isaac: 6 matches, "),
                             HasSubstr("\nduel: finished, 3 blocks counted\n"),
                             HasSubstr("random-2"), HasSubstr("superiority")));
  EXPECT_THAT(sandbox_.Files("data/replays", ".rpl"), SizeIs(6));
}

TEST_F(Duel, OfMoreBotsThanSeatsHasTheFormatsOfCompetitions) {
  const std::vector<std::string> bots = {greedy_, random_, random_, random_};
  const std::vector<std::string> quick = {"--option", "turn_limit=20", "--seats", "2", "--format"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), quick.begin(), quick.end());
    return more;
  };
  EXPECT_THAT(Play(bots, with({"gauntlet", "--rounds", "2"})).out,
              StartsWith("hypnosia: 12 matches, "));
  EXPECT_THAT(Play(bots, with({"swiss"})).out, StartsWith("hypnosia: 8 matches, "));
  EXPECT_THAT(Play(bots, with({"knockout"})).out, HasSubstr("\ngreedy"));
  const Json duel = PlayForJson(bots, with({"knockout", "--best-of", "3"}));
  EXPECT_EQ(duel["status"], 0);
  EXPECT_EQ(duel["standings"].size(), 4u);
  EXPECT_EQ(duel["ties"].size(), 3u);
}

// --- Bad command lines ---

TEST_F(Duel, RefusesWhatMakesNoSense) {
  std::filesystem::create_directory(Path("others"));
  std::ofstream(Path("others/random.log")) << "of somebody else";
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--game", "chess"}, "--game"},
      {{"--time", "soon"}, "--time"},
      {{"--time", "none"}, "--time"},
      {{"--matches", "0"}, "--matches"},
      {{"--concurrency", "0"}, "--concurrency"},
      {{"--seed", "-1"}, "--seed"},
      {{"--sprt", "elo0=5,elo1=0"}, "--sprt"},
      {{"--option", "turn_limit"}, "--option"},
      {{"--option", "turn_limit=many"}, "turn_limit"},
      {{"--option", "board=/nonexistent"}, "board"},
      {{"--start-timeout", "-1s"}, "--start-timeout"},
      {{"--replay-dir", "/proc/no"}, "/proc/no"},
      {{"--bot-logs", "/proc/no"}, "--bot-logs"},
      {{"--bot-logs", Path("others")}, "holds other files, and no bot-logs.manifest"},
      {{"--replay-dir", Path("others")},
       "--replay-dir: '" + Path("others") + "': holds other files"},
      {{"--resume", Path("others")}, "--resume: '" + Path("others") + "': holds other files"},
      {{"--bot", "third="}, "--bot"},
  };
  for (const auto& [more, named] : cases) {
    std::vector<std::string> command = {"refctl", "duel", "--bot", random_, "--bot", random_};
    if (more.front() != "--game") command.insert(command.end(), {"--game", "hypnosia"});
    command.insert(command.end(), more.begin(), more.end());
    const Ran ran = sandbox_.Run(command);
    EXPECT_EQ(ran.status, 2) << more.front() << ran.out;
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, AllOf(StartsWith("refctl: "), HasSubstr(named)));
  }
}

TEST_F(Duel, RefusesTooFewAndTooManyBots) {
  EXPECT_THAT(Play({random_}).err, HasSubstr("2 to 6 seats, not by 1"));
  EXPECT_THAT(Play({random_, random_, random_}, {"--sprt", "elo0=0,elo1=5"}).err,
              HasSubstr("--sprt: tells the strength of one bot from that of another"));
  EXPECT_THAT(Play({random_, random_}, {"--seats", "7"}).err, HasSubstr("2 to 6 seats, not by 7"));
}

TEST_F(Duel, NamesAFileThatIsMissingBeforeAllElse) {
  const Ran ran = Play({random_}, {"--positions", Path("none"), "--on-timeout", "never"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("--positions: cannot read"), HasSubstr("check the path")));
}

TEST_F(Duel, RefusesAReplayDirInUse) {
  const pid_t first = sandbox_.Start(
      Command({Faulty("--hang-at=1"), random_}, {"--time", "1h", "--replay-dir", Path("data")}));
  ASSERT_TRUE(Eventually([this] { return !OpenMatches(Path("data")).empty(); }));
  const Ran second = Play({random_, random_}, {"--replay-dir", Path("data")});
  EXPECT_EQ(second.status, 2);
  EXPECT_THAT(second.err, HasSubstr(Path("data")));
  kill(first, SIGTERM);
  EXPECT_EQ(sandbox_.Await(first).status, 2);
  // What was stopped is kept as void, and says so.
  EXPECT_THAT(sandbox_.Files("data/replays", ".rpl"), Not(IsEmpty()));
  EXPECT_THAT(OpenMatches(Path("data")), IsEmpty());
}

}  // namespace
}  // namespace referee::end_to_end
