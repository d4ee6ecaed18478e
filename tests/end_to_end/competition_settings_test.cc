// refctl competition set: settings of a competition that has been made.
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/end_to_end/competition_command.h"
#include "tests/end_to_end/competition_fixture.h"

namespace referee::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

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
      {{"season", "cup", "--yes"}, "'cup': is a round-robin; only a ladder has seasons"},
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

}  // namespace
}  // namespace referee::end_to_end
