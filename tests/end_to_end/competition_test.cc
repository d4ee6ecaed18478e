// refctl competition and refctl archive audit with a running refereed and real bots: from creation
// to export.

#include <signal.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/competition_fixture.h"

namespace referee::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class CompetitionCommand : public CompetitionFixture {
 protected:
  void SetUp() override {
    StartReferee();
    for (const char* name : {"alice", "bob", "carol"}) AddBot(name);
  }

  void StartBots() {
    StartBot("alice", {"bots/greedy"});
    StartBot("bob", {"bots/random"});
    StartBot("carol", {"bots/random"});
  }
  // Makes "spring": a round robin of short matches.
  Ran CreateSpring(std::vector<std::string> more = {}) {
    std::vector<std::string> command = {"create",   "spring",        "--format", "round-robin",
                                        "--game",   "hypnosia",      "--bots",   "alice,bob,carol",
                                        "--option", "turn_limit=20", "--time",   "30s"};
    command.insert(command.end(), more.begin(), more.end());
    return Competition(command);
  }
  // Waits until it is over, and returns what a watcher has seen.
  Ran Watch() { return sandbox_.Await(StartCompetitionCommand({"watch", "spring"})); }

  static std::vector<std::string> Lines(const std::string& text) {
    return absl::StrSplit(text, '\n', absl::SkipEmpty());
  }
  std::string ReadFile(const std::string& name) const { return testing::ReadFile(Path(name)); }
};

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
  EXPECT_EQ(Well({"drop-block", "spring", number, "--reason", "its machine is stuck"}),
            "gave up block " + number + " of spring\n");
  EXPECT_TRUE(Eventually([&] {
    return Well({"blocks", "spring", "--bot", "alice"}).find("its machine is stuck") !=
           std::string::npos;
  })) << Well({"blocks", "spring", "--bot", "alice"});
  const Ran again = Competition({"drop-block", "spring", number, "--reason", "x"});
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

TEST_F(CompetitionCommand, SetsAWatchDelayAlsoWhenItIsMade) {
  CreateSpring({"--watch-delay", "30s"});
  EXPECT_THAT(Well({"show", "spring"}), HasSubstr("onlookers are told 30s later"));
  EXPECT_THAT(Well({"set", "spring", "--watch-delay", "1h30m"}),
              HasSubstr("onlookers are told 1h30m later"));
  EXPECT_THAT(Well({"show", "spring", "--json"}), HasSubstr("\"watch_delay\":\"5400s\""));
  EXPECT_THAT(Well({"set", "spring", "--watch-delay", "0s"}), Not(HasSubstr("onlookers")));
  EXPECT_EQ(Competition({"set", "autumn", "--watch-delay", "1s"}).status, 1);
  EXPECT_THAT(Refctl({"bot", "audit"}).out, HasSubstr("watch_delay 1h30m, was 30s"));
}

TEST_F(CompetitionCommand, SetsOnHowManyRefereesItIsPlayed) {
  CreateSpring({"--homes", "2"});
  EXPECT_THAT(Well({"show", "spring"}),
              HasSubstr("played on up to 2 referees, or on all that share its store"));
  EXPECT_THAT(
      Well({"set", "spring", "--homes", "8", "--watch-delay", "1s"}),
      AllOf(HasSubstr("played on up to 8 referees"), HasSubstr("onlookers are told 1s later")));
  EXPECT_THAT(Well({"set", "spring", "--homes", "1"}), Not(HasSubstr("played on")));
  EXPECT_THAT(Refctl({"bot", "audit"}).out, HasSubstr("homes 8, was 2"));
}

TEST_F(CompetitionCommand, SetsItsPriority) {
  CreateSpring();
  EXPECT_THAT(Well({"set", "spring", "--priority", "7"}), HasSubstr(", priority 7,"));
  EXPECT_EQ(Competition({"set", "spring", "--homes", "2", "--priority", "1001"}).status, 2);
  EXPECT_THAT(Well({"show", "spring"}), Not(HasSubstr("played on"))) << "nothing was changed";
  EXPECT_THAT(Well({"set", "spring", "--description", "of the spring", "--time", "1s+60s",
                    "--max-running", "3", "--absence-limit", "10m"}),
              AllOf(HasSubstr("competition spring\nof the spring\n"), HasSubstr("time 1s+1m"),
                    HasSubstr("at most 3 blocks at once"), HasSubstr("10m")));
}

TEST_F(CompetitionCommand, SaysOfWhatAFormatLacksWhichHasIt) {
  Well({"create", "up", "--format", "ladder", "--game", "isaac", "--bots", "alice,bob"});
  Well({"create", "cup", "--format", "round-robin", "--game", "isaac", "--bots", "alice,bob"});
  const std::pair<std::vector<std::string>, const char*> refused[] = {
      {{"bracket", "up"}, "only a knockout has a bracket; see 'refctl competition standings'"},
      {{"bracket", "cup"}, "only a knockout has a bracket; see 'refctl competition rounds'"},
      {{"rounds", "up"},
       "has no rounds; its blocks have who met whom ('refctl competition blocks')"},
      {{"season", "cup"}, "'cup': is a round-robin; only a ladder has seasons"},
      {{"join", "cup", "--bot", "alice"}, "'cup': is a round-robin, which has the entrants"},
      {{"rounds", "cup", "--round", "9"}, "has no round 9; it has 1 round"},
      {{"leave", "up", "--bot", "hal"}, "'hal': is not entered in competition 'up'"},
      {{"create", "x", "--format", "ladder", "--game", "isaac", "--bots", "olga"},
       "the account of this name is an organiser"},
  };
  for (const auto& [command, says] : refused) {
    const Ran ran = Competition(command);
    EXPECT_EQ(ran.status, 1) << says;
    EXPECT_EQ(ran.out, "") << says;
    EXPECT_THAT(ran.err, HasSubstr(says));
  }
  for (const char* flag : {"--rounds", "--best-of"}) {
    const Ran ran = Competition({"create", "x", "--format", "knockout", "--game", "isaac", "--bots",
                                 "alice,bob", flag, "0"});
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.err, HasSubstr(flag));
  }
}

TEST_F(CompetitionCommand, SetsThatItsReplaysAreKept) {
  CreateSpring({"--keep-replays", "always"});
  EXPECT_THAT(Well({"show", "spring"}), HasSubstr("all replays are kept"));
  const Ran removed = Competition({"remove", "spring", "--yes"});
  EXPECT_EQ(removed.status, 1);
  EXPECT_THAT(removed.err, HasSubstr("set NAME --keep-replays default"));
  Well({"rename", "spring", "autumn"});
  EXPECT_THAT(Well({"show", "autumn"}), HasSubstr("all replays are kept"));
  EXPECT_THAT(Well({"set", "autumn", "--keep-replays", "default"}), Not(HasSubstr("are kept")));
  const Ran unknown = Competition({"set", "autunm", "--keep-replays", "always"});
  EXPECT_EQ(unknown.status, 1);
  EXPECT_THAT(unknown.err, HasSubstr("'autunm'"));
  EXPECT_THAT(Refctl({"bot", "audit"}).out, HasSubstr("keep_replays default, was always"));
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

TEST_F(CompetitionCommand, LeadsFromCreationToStandingsExportsAndAnAudit) {
  const Ran made = CreateSpring({"--rounds", "2"});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(made.out, AllOf(StartsWith("spring  new"), HasSubstr("round-robin  hypnosia")));
  EXPECT_THAT(Well({"show", "spring"}),
              AllOf(HasSubstr("option turn_limit=20"), HasSubstr("entrants 3: alice, bob, carol"),
                    HasSubstr("time 30s"), HasSubstr("rounds 2")));
  EXPECT_THAT(Well({"start", "spring"}), StartsWith("spring  running"));
  const pid_t watch = StartCompetitionCommand({"watch", "spring"});
  ASSERT_TRUE(Eventually([&] { return !sandbox_.Written(watch).out.empty(); }));
  StartBots();
  const Ran watched = sandbox_.Await(watch);
  EXPECT_EQ(watched.status, 0) << watched.err;
  EXPECT_THAT(watched.out, AllOf(HasSubstr("  running, "), HasSubstr("  finished, 6 blocks"),
                                 HasSubstr("won-drawn-lost")));

  EXPECT_THAT(Well({"list"}), StartsWith("spring  finished"));
  EXPECT_THAT(Well({"list", "--bot", "alice"}), StartsWith("spring  finished"));
  const Ran none = Competition({"list", "--bot", "nobody"});
  EXPECT_EQ(none.status, 1);
  EXPECT_THAT(none.err, HasSubstr("bot 'nobody': the referee knows no bot of this name"));
  EXPECT_THAT(Competition({"list", "--bot", "olga"}).err,
              HasSubstr("the account of this name is an organiser, not a bot"));
  const std::string table = Well({"standings", "spring"});
  EXPECT_THAT(table, AllOf(HasSubstr("   1  "), HasSubstr("carol"), HasSubstr("superiority")));
  const auto standings = nlohmann::json::parse(Well({"standings", "spring", "--json"}));
  EXPECT_EQ(standings["standings"].size(), 3u);
  EXPECT_EQ(Lines(Well({"blocks", "spring"})).size(), 7u) << "six and a heading";
  EXPECT_EQ(Lines(Well({"blocks", "spring", "--bot", "bob"})).size(), 5u);
  EXPECT_EQ(Lines(Well({"matches", "spring"})).size(), 13u);

  EXPECT_THAT(Well({"standings", "spring", "--anchor", "carol=1500", "--min-blocks", "1"}),
              HasSubstr("so that carol has 1500"));
  EXPECT_EQ(Competition({"standings", "spring", "--anchor", "eve=1500"}).status, 2);
  EXPECT_EQ(Lines(Well({"export", "spring", "--what", "standings", "--format", "csv",
                        "--min-blocks", "5"}))
                .size(),
            1u)
      << "each has played four";
  EXPECT_EQ(Lines(Well({"rounds", "spring"})).size(), 7u) << "six and a heading";
  EXPECT_EQ(Lines(Well({"rounds", "spring", "--round", "1", "--json"})).size(), 1u)
      << "of three bots one waits";
  EXPECT_EQ(Competition({"bracket", "spring"}).status, 1);
  EXPECT_EQ(
      Lines(Well({"export", "spring", "--what", "blocks", "--format", "csv"})).front(),
      "block,state,attempt,begin_time,end_time,bot_1,points_1,score_1,forfeits_1,bot_2,points_2,"
      "score_2,forfeits_2,reason\r");
  EXPECT_THAT(Well({"crosstable", "spring"}),
              AllOf(StartsWith("spring: finished, 6 blocks"), HasSubstr("\n1  "),
                    HasSubstr("matches won-drawn-lost, below them points (blocks)")));
  EXPECT_THAT(Well({"crosstable", "spring", "--bot", "bob"}),
              AllOf(HasSubstr("alice"), HasSubstr("carol"), HasSubstr("\n      all ")));
  EXPECT_EQ(Lines(Well({"crosstable", "spring", "--json"})).size(), 3u);
  EXPECT_EQ(Lines(Well({"crosstable", "spring", "--format", "csv", "--bot", "bob"})).size(), 3u);

  const std::string csv = Well({"export", "spring", "--what", "results", "--format", "csv"});
  EXPECT_EQ(Lines(csv).size(), 13u);
  EXPECT_THAT(csv, AllOf(StartsWith("block,rotation,attempt,match_id,"), HasSubstr(",carol,")));
  EXPECT_EQ(Well({"export", "spring", "--what", "standings", "--format", "json", "--output",
                  Path("table.json")}),
            "");
  const std::vector<std::string> exported = Lines(ReadFile("table.json"));
  ASSERT_EQ(exported.size(), 3u);
  EXPECT_EQ(nlohmann::json::parse(exported[0])["rank"], 1);

  const Ran audit = Audit();
  EXPECT_EQ(audit.status, 0) << audit.out << audit.err;
  EXPECT_THAT(audit.out, HasSubstr("competitions: 1, blocks played: 6, their replays: 12"));
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

TEST_F(CompetitionCommand, CountsBlocksWhenTheirReplaysAreOnTheShelf) {
  const std::string shelf = Path("shelf");
  std::filesystem::create_directory(shelf);
  StopReferee();
  StartReferee({"--shelf", shelf});
  std::filesystem::rename(shelf, Path("unmounted"));
  StartBots();
  ASSERT_EQ(CreateSpring({"--start"}).status, 0);
  ASSERT_TRUE(Eventually([&] {
    return absl::StrContains(RefereeSaid(), "blocks wait until it takes their replays");
  }));
  EXPECT_TRUE(Eventually([&] {
    return absl::StrContains(Well({"show", "spring"}), "the directory of the shelf is not there");
  }));
  EXPECT_EQ(BlocksCounted("spring"), 0);

  std::filesystem::rename(Path("unmounted"), shelf);
  ASSERT_EQ(Watch().status, 0);
  EXPECT_TRUE(Eventually([&] { return absl::StrContains(RefereeSaid(), "it answers again"); }));
  EXPECT_EQ(Lines(Refctl({"archive", "list", "--shelf", shelf, "--json"}).out).size(), 6u);
  StopReferee();
  std::filesystem::remove_all(Path("data/replays"));
  EXPECT_EQ(Audit().status, 1);
  const Ran audit = Refctl({"archive", "audit", "--data-dir", Path("data"), "--shelf", shelf});
  EXPECT_EQ(audit.status, 0) << audit.out << audit.err;
}

TEST_F(CompetitionCommand, AuditFindsWhatWasDoneToTheArchive) {
  StartBots();
  ASSERT_EQ(CreateSpring({"--start"}).status, 0);
  ASSERT_EQ(Watch().status, 0);
  StopReferee();  // so that the index has all
  const std::vector<std::string> packs = sandbox_.Files("data/replays", ".pack");
  ASSERT_FALSE(packs.empty());
  {
    std::fstream pack(packs[0], std::ios::in | std::ios::out | std::ios::binary);
    // One byte: two may be of two entries.
    const auto middle = static_cast<std::streamoff>(std::filesystem::file_size(packs[0]) / 2);
    pack.seekg(middle);
    const int byte = pack.get();
    pack.seekp(middle);
    pack.put(static_cast<char>(byte ^ 1));
  }
  Ran audit = Audit();
  EXPECT_EQ(audit.status, 2) << "not all can be read";
  EXPECT_THAT(audit.out, AllOf(HasSubstr("competition 'spring': block "), HasSubstr("is damaged"),
                               HasSubstr("1 findings")));
  EXPECT_THAT(audit.err, HasSubstr(packs[0] + ": 1 entry is damaged and cannot be read"));
  audit = Refctl({"archive", "audit", "--data-dir", Path("data"), "--json"});
  EXPECT_EQ(audit.status, 2);
  EXPECT_EQ(nlohmann::json::parse(Lines(audit.out).back())["findings"], 1);
  EXPECT_EQ(nlohmann::json::parse(Lines(audit.out).back())["unread"].size(), 1u);
  const Ran elsewhere = Refctl({"archive", "audit", "--data-dir", Path("nowhere")});
  EXPECT_EQ(elsewhere.status, 2);
  EXPECT_THAT(elsewhere.err, HasSubstr("--data-dir"));
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

  Well({"season", "spring", "--request-id", "autumn"});
  Well({"season", "spring", "--request-id", "autumn"});
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
