// Tests of the errors of 'refctl competition create' before it calls a referee.
#include "referee/ctl/competition/flags.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/ctl/refctl_run.h"

namespace referee::ctl {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// What the command says on stderr; there is no referee at the address.
std::string Create(std::vector<std::string> flags) {
  flags.insert(flags.begin(),
               {"competition", "create", "--address", "unix:/nonexistent/socket", "--wait", "0s"});
  const RefctlRun run = RunRefctl(flags);
  EXPECT_EQ(run.exit, Exit::kUsage) << run.out;
  return run.err;
}

TEST(CompetitionCreate, ReadsWhatIsRightAndThenAsksTheReferee) {
  EXPECT_THAT(Create({"spring", "--format", "ladder", "--game", "hypnosia"}),
              HasSubstr("no referee answers"));
  EXPECT_THAT(Create({"spring",
                      "--format",
                      "swiss",
                      "--game",
                      "hypnosia",
                      "--bots",
                      "a,b,c,d",
                      "--rounds",
                      "2",
                      "--tie-breaks",
                      "wins, direct-encounter",
                      "--max-running",
                      "3",
                      "--pinned",
                      "--silence-limit",
                      "5",
                      "--absence-limit",
                      "10m",
                      "--time",
                      "1s",
                      "--option",
                      "turn_limit=40"}),
              HasSubstr("no referee answers"));
}

// What 'refctl test add' says on stderr.
std::string AddTest(std::vector<std::string> flags) {
  flags.insert(flags.begin(), {"test", "add", "--address", "unix:/nonexistent/socket", "--game",
                               "hypnosia", "--new"});
  const RefctlRun run = RunRefctl(flags);
  EXPECT_EQ(run.exit, Exit::kUsage) << run.out;
  return run.err;
}

TEST(TestAdd, NamesTheFlagAndWhatWouldBeRight) {
  EXPECT_THAT(AddTest({"a, 2", "--old", "a", "--sprt", "gain,beta=0.1", "--priority", "-5",
                       "--max-blocks", "9"}),
              HasSubstr("no referee answers"));
  EXPECT_THAT(AddTest({"a", "--old", "b"}), HasSubstr("--sprt is required"));
  EXPECT_THAT(AddTest({"a", "--old", "b", "--sprt", "elo0=3,elo1=2"}),
              HasSubstr("--sprt: 'elo0=3,elo1=2': elo0 must be less than elo1"));
  EXPECT_THAT(AddTest({"a", "--old", "a", "--sprt", "gain"}),
              HasSubstr("--old: 'a' is the new bot, too"));
  EXPECT_THAT(AddTest({"a", "--old", "b", "--sprt", "gain", "--priority", "1001"}),
              HasSubstr("--priority: 1001 is out of range; expected -1000 to 1000"));
}

TEST(CompetitionCreate, NamesTheFlagAndWhatWouldBeRight) {
  const std::vector<std::string> spring = {"spring", "--game", "hypnosia", "--format"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), spring.begin(), spring.end());
    return Create(more);
  };
  EXPECT_THAT(with({"swish"}), AllOf(HasSubstr("--format"), HasSubstr("swiss, knockout")));
  EXPECT_THAT(with({"swiss", "--seats", "3", "--bots", "a,b,c"}),
              AllOf(HasSubstr("--format"), HasSubstr("played by 2 seats")));
  EXPECT_THAT(with({"round-robin", "--seats", "7", "--bots", "a,b"}), HasSubstr("--seats"));
  EXPECT_THAT(with({"round-robin", "--bots", "a"}),
              AllOf(HasSubstr("--bots: 1 given"), HasSubstr("at least 2")));
  EXPECT_THAT(with({"round-robin", "--bots", "a,b,a"}), HasSubstr("--bots, bot 3: 'a'"));
  EXPECT_THAT(with({"knockout", "--bots", "a,b", "--rounds", "3"}),
              AllOf(HasSubstr("--rounds"), HasSubstr("give --best-of")));
  EXPECT_THAT(with({"knockout", "--bots", "a,b", "--best-of", "2"}), HasSubstr("--best-of: 2"));
  EXPECT_THAT(with({"knockout", "--bots", "a,b", "--extra-blocks", "100"}),
              HasSubstr("--extra-blocks: 100"));
  EXPECT_THAT(with({"swiss", "--bots", "a,b", "--extra-blocks", "0"}),
              AllOf(HasSubstr("--extra-blocks: 0"), HasSubstr("leave it out")));
  EXPECT_THAT(with({"ladder", "--provisional-width", "10001"}),
              HasSubstr("--provisional-width: 10001 is out of range; expected 0 to 10000"));
  EXPECT_THAT(with({"ladder", "--pace", "-1"}),
              HasSubstr("--pace: -1 is out of range; expected blocks a minute for each bot, from "
                        "0.001 to 60000, or 0 for no limit"));
  EXPECT_THAT(with({"ladder", "--pace", "nan"}), HasSubstr("--pace: nan is out of range"));
  EXPECT_THAT(with({"knockout", "--bots", "a,b", "--pace", "5"}),
              HasSubstr("--pace: 5 is given, but a knockout has none; leave it out"));
  EXPECT_THAT(with({"ladder", "--goal", "10001"}),
              HasSubstr("--goal: 10001 is out of range; expected 0 to 10000"));
  EXPECT_THAT(with({"swiss", "--bots", "a,b", "--goal", "20"}),
              HasSubstr("--goal: 20 is given, but a swiss has none; leave it out"));
  EXPECT_THAT(with({"swiss", "--bots", "a,b", "--tie-breaks", "luck"}),
              AllOf(HasSubstr("--tie-breaks: 'luck'"), HasSubstr("sonneborn-berger")));
  EXPECT_THAT(with({"gauntlet", "--bots", "a,b", "--tie-breaks", "wins,buchholz"}),
              HasSubstr("--tie-breaks: buchholz"));
  EXPECT_THAT(with({"swiss", "--bots", "a,b,c,d,e,f", "--rounds", "4"}),
              AllOf(HasSubstr("--rounds: 4"), HasSubstr("expected 1 to 3")));
  EXPECT_THAT(with({"round-robin", "--bots", "a,b", "--absence-limit", "soon"}),
              HasSubstr("--absence-limit"));
  EXPECT_THAT(with({"ladder", "--absence-limit", "1h"}),
              AllOf(HasSubstr("--absence-limit"), HasSubstr("leave it out")));
  for (const char* delay : {"soon", "-1s", "24h1s", "inf"}) {
    EXPECT_THAT(with({"ladder", absl::StrCat("--watch-delay=", delay)}),
                AllOf(HasSubstr(absl::StrCat("--watch-delay: '", delay, "'")),
                      HasSubstr("a duration of 0s to 24h")));
  }
  EXPECT_THAT(with({"round-robin", "--bots", "a,b", "--rounds", "-1"}), HasSubstr("--rounds"));
  EXPECT_THAT(with({"round-robin", "--bots", "a,b", "--seats", "1"}), HasSubstr("--seats"));
  EXPECT_THAT(with({"ladder", "--time", "never"}), HasSubstr("--time"));
  EXPECT_THAT(with({"ladder", "--option", "turn_limit=-1"}), HasSubstr("turn_limit"));
  EXPECT_THAT(with({"ladder", "--bots-from", "/nonexistent"}), HasSubstr("--bots-from"));
  EXPECT_THAT(with({"ladder", "--positions", "/nonexistent"}), HasSubstr("--positions: "));
  EXPECT_THAT(Create({"a\nb", "--format", "ladder", "--game", "hypnosia"}), HasSubstr("NAME 'a"));
  EXPECT_THAT(Create({"spring", "--format", "ladder", "--game", "chess"}), HasSubstr("--game"));
}

TEST(CompetitionSet, RefusesWhatIsNoWatchDelayAndWhatSetsNothing) {
  const auto set = [](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"competition", "set", "spring", "--address",
                                 "unix:/nonexistent/socket", "--wait", "0s"});
    const RefctlRun run = RunRefctl(flags);
    EXPECT_EQ(run.exit, Exit::kUsage) << run.out;
    return run.err;
  };
  EXPECT_THAT(set({"--watch-delay", "25h"}),
              AllOf(HasSubstr("--watch-delay: '25h'"), HasSubstr("a duration of 0s to 24h")));
  EXPECT_THAT(set({"--homes", "9"}), HasSubstr("--homes"));
  EXPECT_THAT(set({"--keep-replays", "1d"}),
              AllOf(HasSubstr("--keep-replays"), HasSubstr("always"), HasSubstr("default")));
  EXPECT_THAT(set({}), HasSubstr("nothing to set"));
  EXPECT_THAT(set({"--time", "never"}), HasSubstr("--time"));
  EXPECT_THAT(set({"--pace", "5", "--goal", "20", "--time", "1s"}),
              HasSubstr("no referee answers"));
  EXPECT_THAT(set({"--watch-delay", "24h"}), HasSubstr("no referee answers"));
}

TEST(CompetitionCreate, SplitsNames) {
  EXPECT_THAT(SplitNames("a, b ,,c", ','), ElementsAre("a", "b", "c"));
  EXPECT_THAT(SplitNames("a\r\n\n  b,c\n", '\n'), ElementsAre("a", "b,c"));
  EXPECT_THAT(SplitNames(R"(a,"b, c" , " d","say ""hi""",e"f)", ','),
              ElementsAre("a", "b, c", " d", "say \"hi\"", "e\"f"))
      << "every account that there is can be named";
}

TEST(CompetitionCreate, NamesThePositionThatTheRefereeRefuses) {
  EXPECT_EQ(InFlags(absl::InvalidArgumentError("positions[2]: position: rings: wrong")).message(),
            "--positions, position 3: position: rings: wrong");
}

TEST(CompetitionCreate, NamesFlagsThatAreNotCalledAsTheirFields) {
  const std::pair<const char*, const char*> names[] = {{"goal_width", "--goal"},
                                                       {"time_control", "--time"},
                                                       {"entrants", "--bots"},
                                                       {"options", "--option"},
                                                       {"name", "NAME"},
                                                       {"provisional_width", "--provisional-width"},
                                                       {"entrants[2]", "--bots, bot 3"},
                                                       {"policies", "policies"}};
  for (const auto& [field, flag] : names) {
    const absl::Status status = absl::InvalidArgumentError(absl::StrCat(field, ": wrong"));
    EXPECT_EQ(InFlags(status).message(), absl::StrCat(flag, ": wrong"));
  }
}

TEST(CompetitionCreate, LeavesOtherErrorsAsTheyAre) {
  const absl::Status status = absl::NotFoundError("competition 'x': there is none");
  EXPECT_EQ(InFlags(status), status);
  EXPECT_EQ(InFlags(absl::InvalidArgumentError("rounds, entrants: too many")).message(),
            "--rounds, --bots: too many");
}

}  // namespace
}  // namespace referee::ctl
