// refctl competition with a running refereed and real bots: making, starting, playing and watching.
#include <signal.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/competition_command.h"
#include "tests/end_to_end/competition_fixture.h"

namespace referee::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(CompetitionCommand, RenamesAndRemovesWhatIsOverAndAsksFirst) {
  CreateSpring();
  EXPECT_THAT(Well({"rename", "spring", "autumn"}), StartsWith("autumn  new"));
  EXPECT_EQ(Competition({"show", "spring"}).status, 1);
  const Ran asked = Competition({"remove", "autumn"});
  EXPECT_EQ(asked.status, 2);
  EXPECT_THAT(asked.err, HasSubstr("add --yes"));
  Well({"start", "autumn"});
  EXPECT_EQ(Competition({"remove", "autumn", "--yes"}).status, 1) << "it runs";
  const Ran unsure = Competition({"finish", "autumn"});
  EXPECT_EQ(unsure.status, 2);
  EXPECT_THAT(unsure.err, HasSubstr("add --yes"));
  EXPECT_THAT(Well({"show", "autumn"}), HasSubstr("running"));
  Well({"finish", "autumn", "--yes"});
  ASSERT_TRUE(Eventually([&] {
    return Competition({"remove", "autumn", "--yes"}).out == "removed autumn\n";
  }));
  EXPECT_EQ(Competition({"show", "autumn"}).status, 1);
  const Ran log = Refctl({"bot", "audit"});
  EXPECT_THAT(log.out, AllOf(HasSubstr("competition.set"), HasSubstr("competition.remove")));
}

TEST_F(CompetitionCommand, GivesUpABlockThatIsStuck) {
  CreateSpring({"--rounds", "1000"});
  const pid_t stuck = StartBot("alice", {"bots/greedy"});
  StartBot("bob", {"bots/random"});
  StartBot("carol", {"bots/random"});
  Well({"start", "spring"});
  AwaitBlocks("spring", 1);
  ASSERT_EQ(kill(stuck, SIGSTOP), 0);
  std::string number;
  ASSERT_TRUE(Eventually([&] {
    for (const std::string& line : Lines(Well({"blocks", "spring", "--bot", "alice"}))) {
      if (line.find("  running  ") == std::string::npos) continue;
      const std::string now(absl::StripAsciiWhitespace(line.substr(0, line.find("running"))));
      return std::exchange(number, now) == now;
    }
    return false;
  }));
  const Ran unsure = Competition({"drop-block", "spring", number, "--reason", "stuck"});
  EXPECT_EQ(unsure.status, 2);
  EXPECT_THAT(unsure.err, HasSubstr("add --yes"));
  EXPECT_EQ(Well({"drop-block", "spring", number, "--reason", "its machine is stuck", "--yes"}),
            "gave up block " + number + " of spring\n");
  EXPECT_TRUE(Eventually([&] {
    return Well({"blocks", "spring", "--bot", "alice"}).find("its machine is stuck") !=
           std::string::npos;
  })) << Well({"blocks", "spring", "--bot", "alice"});
  const Ran again = Competition({"drop-block", "spring", number, "--reason", "x", "--yes"});
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.err, HasSubstr("is not open"));
  EXPECT_THAT(Refctl({"bot", "audit"}).out, HasSubstr("competition.drop-block  spring  block "));
  EXPECT_EQ(kill(stuck, SIGCONT), 0);
}

TEST_F(CompetitionCommand, WaitsWhileItsGameIsPausedAlsoAfterARestart) {
  CreateSpring();
  EXPECT_EQ(Refctl({"game", "pause", "hypnosia", "--reason", "a rule is wrong"}).status, 0);
  StopReferee();
  StartReferee();
  EXPECT_EQ(Refctl({"game", "list"}).out, "hypnosia  paused: a rule is wrong\n");
  StartBots();
  Well({"start", "spring"});
  EXPECT_TRUE(Eventually([&] {
    return Well({"show", "spring"}).find("a rule is wrong") != std::string::npos;
  })) << Well({"show", "spring"});
  EXPECT_EQ(BlocksCounted("spring"), 0);
  EXPECT_EQ(Refctl({"game", "resume", "hypnosia"}).status, 0);
  EXPECT_EQ(Refctl({"game", "resume", "hypnosia"}).status, 1);
  AwaitBlocks("spring", 3);
  EXPECT_THAT(Refctl({"bot", "audit"}).out,
              AllOf(HasSubstr("game.pause  hypnosia  a rule is wrong"),
                    HasSubstr("game.resume  hypnosia")));
}

TEST_F(CompetitionCommand, ABotLeavesOtherThanALadderOnlyOnceThatIsConfirmed) {
  Well({"create", "cup", "--format", "round-robin", "--game", "isaac", "--bots", "alice,bob"});
  const Ran asked = Competition({"leave", "cup", "--bot", "alice"});
  EXPECT_EQ(asked.status, 2);
  EXPECT_THAT(asked.err, HasSubstr("add --yes"));
  Well({"leave", "cup", "--bot", "alice", "--yes"});
}

TEST_F(CompetitionCommand, MakesAccountsThatEveryCommandLineCanName) {
  for (const char* name : {"=carol", "a,b", "a b", "-x", "h\u00e9"}) {
    const Ran ran = Refctl({"bot", "add", "--", name});
    EXPECT_EQ(ran.status, 2) << name;
    EXPECT_THAT(ran.err, HasSubstr("letters (a to z, A to Z), digits and - _ .")) << name;
  }
}

TEST_F(CompetitionCommand, ABotHearsInItsLogWhatKeepsItFromPlaying) {
  ASSERT_EQ(CreateSpring({"--start"}).status, 0);
  const pid_t bob = StartBot("bob", {"bots/random", "--max-matches=1"});
  EXPECT_TRUE(Eventually([&] {
    return absl::StrContains(sandbox_.Written(bob).err,
                             "the referee says: competition 'spring' cannot begin a block with "
                             "this bot: it takes 1 match at once, and a block has 2");
  }));
}

TEST_F(CompetitionCommand, StartsBlocksFromThePositionsOfAFile) {
  std::ofstream(Path("openings.txt")) << "# two openings\n36/24/12 1111,1111 - 1,-1 - a -\n"
                                      << "3a28B3/2b21/12 0110,0000 b -1,1 - a -\n";
  StartBots();
  const Ran made = CreateSpring({"--start", "--positions", Path("openings.txt")});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(Watch().status, 0);
  EXPECT_THAT(Well({"show", "spring"}), HasSubstr("\nblocks start from 2 positions, "));
  EXPECT_EQ(nlohmann::json::parse(Well({"show", "spring", "--json"}))["spec"]["positions"].size(),
            2u);
  const Ran audit = Audit();
  EXPECT_EQ(audit.status, 0) << audit.out << audit.err;
  EXPECT_THAT(audit.out, HasSubstr("blocks played: 3, their replays: 6"));
}

TEST_F(CompetitionCommand, StartsAtOnceWhenAskedTo) {
  StartBots();
  const Ran made = CreateSpring({"--start", "--request-id", "monday"});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(made.out, StartsWith("spring  running"));
  EXPECT_EQ(Watch().status, 0);
  EXPECT_THAT(CreateSpring({"--start", "--request-id", "monday"}).out,
              StartsWith("spring  finished"))
      << "the same request is the same competition";
}

TEST_F(CompetitionCommand, PausesResumesAndFinishes) {
  ASSERT_EQ(
      Competition({"create", "spring", "--format", "ladder", "--game", "isaac", "--start"}).status,
      0);
  EXPECT_EQ(Well({"join", "spring", "--bot", "alice"}).find("spring  running"), 0u);
  EXPECT_THAT(Well({"pause", "spring"}), StartsWith("spring  paused"));
  const Ran again = Competition({"pause", "spring"});
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.err, AllOf(StartsWith("refctl: competition 'spring'"), HasSubstr("PAUSED")));
  EXPECT_THAT(Well({"resume", "spring"}), StartsWith("spring  running"));
  EXPECT_THAT(Well({"leave", "spring", "--bot", "alice"}), StartsWith("spring  running"));
  Well({"finish", "spring", "--yes"});
  EXPECT_EQ(Watch().status, 0);
  EXPECT_EQ(Competition({"join", "spring", "--bot", "bob"}).status, 1);
}

TEST_F(CompetitionCommand, SaysBeforeTheStartHowUnevenAPlanIs) {
  ASSERT_EQ(CreateSpring({"--seats", "3"}).status, 0);
  const char kUneven[] =
      "\nuneven as planned: two bots meet once, one sits right after the other 0 to 1 times\n";
  EXPECT_THAT(Well({"show", "spring"}), HasSubstr(kUneven));
  EXPECT_THAT(Well({"standings", "spring"}), HasSubstr(kUneven));
  const auto shown = nlohmann::json::parse(Well({"show", "spring", "--json"}));
  EXPECT_EQ(shown["evenness"]["most_after"], 1) << shown;
}

TEST_F(CompetitionCommand, SaysWhatIsWrongAndWhatWouldBeRight) {
  const Ran stranger = Competition(
      {"create", "spring", "--format", "round-robin", "--game", "hypnosia", "--bots", "alice,eve"});
  EXPECT_NE(stranger.status, 0);
  EXPECT_THAT(stranger.err, HasSubstr("'eve'"));
  ASSERT_EQ(CreateSpring().status, 0);
  EXPECT_EQ(CreateSpring().status, 1) << "the name is taken";
  for (const char* command : {"show", "start", "standings", "watch", "blocks", "crosstable"}) {
    const Ran ran = Competition({command, "winter"});
    EXPECT_EQ(ran.status, 1) << command;
    EXPECT_THAT(ran.err, HasSubstr("'winter'")) << command;
  }
  const Ran unwritable = Competition({"export", "spring", "--what", "results", "--format", "csv",
                                      "--output", Path("nowhere/file.csv")});
  EXPECT_EQ(unwritable.status, 2);
  EXPECT_THAT(unwritable.err, HasSubstr("--output"));
  EXPECT_EQ(Competition({"export", "winter", "--what", "results", "--format", "csv", "--output",
                         Path("winter.csv")})
                .status,
            1);
  EXPECT_THAT(sandbox_.Files("", ".csv"), ::testing::IsEmpty());
  EXPECT_THAT(sandbox_.Files("", ".tmp"), ::testing::IsEmpty()) << "a draft was left behind";
}

TEST_F(CompetitionCommand, WatchesThroughARestartAndLeavesWhenToldTo) {
  ASSERT_EQ(CreateSpring({"--start"}).status, 0);
  const pid_t watch = StartCompetitionCommand({"watch", "spring"});
  ASSERT_TRUE(Eventually(
      [&] { return absl::StrContains(sandbox_.Written(watch).out, "running, 0 blocks"); }));
  KillReferee();
  ASSERT_TRUE(Eventually(
      [&] { return absl::StrContains(sandbox_.Written(watch).err, "the referee has gone"); }));
  StartReferee();
  ASSERT_TRUE(Eventually(
      [&] { return absl::StrContains(sandbox_.Written(watch).err, "the referee is back"); }));
  kill(watch, SIGINT);
  EXPECT_EQ(sandbox_.Await(watch).status, 0);
}

TEST_F(CompetitionCommand, GoesOnWithTheSameBotsWhenTheRefereeWasStoppedAndStarted) {
  StartBots();
  Well({"create", "spring", "--format", "ladder", "--game", "hypnosia", "--option", "turn_limit=20",
        "--time", "30s", "--bots", "alice,bob,carol", "--start"});
  const auto counted = [&] {
    const auto standings = nlohmann::json::parse(Well({"standings", "spring", "--json"}));
    return std::stoi(standings["competition"]["blocks_counted"].get<std::string>());
  };
  ASSERT_TRUE(Eventually([&] { return counted() > 0; }, absl::Milliseconds(100)));
  StopReferee();
  StartReferee();
  const int before = counted();
  EXPECT_TRUE(Eventually([&] { return counted() > before + 3; }, absl::Milliseconds(100)));
}

TEST_F(CompetitionCommand, KeepsVersionsOfABotAndSeasonsOfALadderApart) {
  Well({"create", "spring", "--format", "ladder", "--game", "hypnosia", "--option", "turn_limit=20",
        "--time", "30s", "--pace", "120", "--bots", "alice,bob,carol", "--start"});
  StartBot("alice", {"bots/greedy", "--bot-version", "1.0", "--max-matches", "2"});
  StartBot("bob", {"bots/random", "--max-matches", "2"});
  StartBot("carol", {"bots/random", "--max-matches", "2"});
  const auto table = [&](std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"standings", "spring", "--json"});
    return nlohmann::json::parse(Well(more));
  };
  // So many blocks of the entrant that stands for alice.
  const auto played = [&](const std::string& version, int season) {
    const nlohmann::json now = table();
    for (const auto& line : now["standings"]) {
      const bool meant = line["bot"] == "alice" && line.value("version", "") == version &&
                         line["season"] == season && !line.value("succeeded", false);
      if (meant && std::stoi(line.value("blocks", "0")) >= 3) return true;
    }
    return false;
  };
  ASSERT_TRUE(Eventually([&] { return played("1.0", 1); })) << Well({"standings", "spring"});
  const Ran set = Refctl({"bot", "version", "alice", "2.0"});
  EXPECT_EQ(set.status, 0) << set.err;
  EXPECT_THAT(set.out, HasSubstr("version 2.0"));
  ASSERT_TRUE(Eventually([&] { return played("2.0", 1); })) << Well({"standings", "spring"});
  const std::string both = Well({"standings", "spring"});
  EXPECT_THAT(both, HasSubstr("succeeded by version 2.0"));
  EXPECT_EQ(table()["standings"].size(), 4u) << both;

  const Ran unsure = Competition({"season", "spring"});
  EXPECT_EQ(unsure.status, 2);
  EXPECT_THAT(unsure.err, HasSubstr("add --yes"));
  Well({"season", "spring", "--request-id", "autumn", "--yes"});
  Well({"season", "spring", "--request-id", "autumn", "--yes"});
  ASSERT_TRUE(Eventually([&] { return played("2.0", 2); })) << Well({"standings", "spring"});
  EXPECT_THAT(Well({"standings", "spring"}), StartsWith("spring, season 2: running"));
  EXPECT_EQ(table()["standings"].size(), 3u);
  EXPECT_THAT(Well({"standings", "spring", "--season", "1"}),
              AllOf(StartsWith("spring, season 1 (over): "), HasSubstr("1.0")));
  EXPECT_EQ(table({"--season", "1"})["standings"].size(), 4u);
  EXPECT_THAT(Well({"crosstable", "spring", "--season", "1"}),
              AllOf(HasSubstr("alice 1.0"), HasSubstr("alice 2.0")));
  EXPECT_NE(Competition({"standings", "spring", "--season", "3"}).status, 0);
  EXPECT_THAT(Well({"show", "spring"}),
              AllOf(HasSubstr("season 2, since "), HasSubstr("alice 2.0")));
  EXPECT_THAT(Well({"blocks", "spring", "--bot", "alice"}), HasSubstr("alice 1.0"));
  EXPECT_THAT(Refctl({"bot", "show", "alice"}).out, HasSubstr("version  2.0, since"));
  const Ran audit = Audit();
  EXPECT_EQ(audit.status, 0) << audit.out << audit.err;
}

}  // namespace
}  // namespace referee::end_to_end
