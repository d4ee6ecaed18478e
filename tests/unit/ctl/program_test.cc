#include "referee/ctl/program.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/ctl/refctl_run.h"

namespace referee::ctl {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kStart[] = "36/24/12 1111,1111 - 0,0 - b 11";

RefctlRun Rules(const std::string& command, const std::string& position,
                std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"rules", command, "--game", "hypnosia", "--position", position});
  return RunRefctl(more);
}

// What every error has in common: one line, a prefix, nothing on stdout.
void ExpectError(const RefctlRun& ran, Exit exit, const std::string& part) {
  EXPECT_EQ(ran.exit, exit);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, AllOf(StartsWith("refctl: "), HasSubstr(part), EndsWith("\n")));
  EXPECT_EQ(ran.err.find('\n'), ran.err.size() - 1) << ran.err;
}

TEST(Program, HelpListsTheCommands) {
  const RefctlRun ran = RunRefctl({"--help"});
  EXPECT_EQ(ran.exit, Exit::kOk);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("rules"), HasSubstr("--version")));
  EXPECT_EQ(ran.err, "");
}

TEST(Program, RefusesTextThatIsNotUtf8AndNamesItsFlag) {
  ExpectError(RunRefctl({"competition", "drop-block", "spring", "1", "--reason", "M\xfcller"}),
              Exit::kUsage, "--reason 'M\\xfcller': byte 2 is \\xfc, which is no UTF-8");
  ExpectError(RunRefctl({"bot", "show", "M\xfcller"}), Exit::kUsage, "name 'M\\xfcller': byte 2");
  ExpectError(RunRefctl({"match", "show", "M\xfcller"}), Exit::kUsage, "id 'M\\xfcller': byte 2");
  EXPECT_THAT(RunRefctl({"replay", "verify", "/nonexistent/M\xfcller"}).err,
              Not(HasSubstr("no UTF-8")))
      << "a path has the bytes that it has";
}

TEST(Program, SaysWhichFlagIsGivenTwice) {
  ExpectError(RunRefctl({"duel", "--time", "1s", "--time", "2s"}), Exit::kUsage,
              "--time is given twice; see 'refctl duel --help'");
}

TEST(Program, RefusesABanOfNothingAndAListOfANamelessBot) {
  ExpectError(RunRefctl({"ban", "add"}), Exit::kUsage, "give --account or --network");
  ExpectError(RunRefctl({"ban", "remove"}), Exit::kUsage, "give --account or --network");
  ExpectError(RunRefctl({"competition", "list", "--bot", ""}), Exit::kUsage,
              "--bot: the name is empty");
}

TEST(Program, HelpListsCommandsInALineOrTwoAndTheirOwnSaysMore) {
  EXPECT_THAT(RunRefctl({"--help"}).out, AllOf(HasSubstr("Copies a referee's data directory"),
                                               Not(HasSubstr("secret seeds"))));
  EXPECT_THAT(RunRefctl({"backup", "--help"}).out, HasSubstr("secret seeds"));
}

TEST(Program, EveryCommandHasHelp) {
  for (const char* command : {"games", "legal", "apply", "perft", "selfplay"}) {
    const RefctlRun ran = RunRefctl({"rules", command, "--help"});
    EXPECT_EQ(ran.exit, Exit::kOk);
    EXPECT_THAT(ran.out, HasSubstr("Usage: refctl rules " + std::string(command)));
  }
}

TEST(Program, VersionIsPrinted) {
  const RefctlRun ran = RunRefctl({"--version"});
  EXPECT_EQ(ran.exit, Exit::kOk);
  EXPECT_THAT(ran.out, StartsWith("refctl "));
}

TEST(Program, UsageErrorsSayWhereToReadOn) {
  ExpectError(RunRefctl({}), Exit::kUsage, "see 'refctl --help'");
  ExpectError(RunRefctl({"rules"}), Exit::kUsage, "see 'refctl rules --help'");
  ExpectError(RunRefctl({"dance"}), Exit::kUsage, "dance");
  ExpectError(RunRefctl({"rules", "legal"}), Exit::kUsage, "--game is required");
  ExpectError(RunRefctl({"rules", "legal", "--game"}), Exit::kUsage,
              "see 'refctl rules legal --help'");
  ExpectError(Rules("perft", kStart, {"--depth", "0"}), Exit::kUsage, "--depth");
  ExpectError(Rules("perft", kStart, {"--depth", "many"}), Exit::kUsage, "--depth");
}

TEST(RulesGames, ListsHypnosiaWithItsOptions) {
  EXPECT_THAT(RunRefctl({"rules", "games"}).out,
              AllOf(HasSubstr("hypnosia: 2 to 6 seats"), HasSubstr("--option stack_bridges=true"),
                    HasSubstr("--option turn_limit=500")));
  EXPECT_THAT(RunRefctl({"rules", "games", "--json"}).out, HasSubstr("\"name\":\"hypnosia\""));
}

TEST(RulesLegal, ListsALineATurnSorted) {
  EXPECT_EQ(Rules("legal", kStart).out, "1:L1>A18 1:A18>A19\n");
  const std::string out = Rules("legal", "19b16/24/12 1111,0111 - 0,0 - a 15").out;
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 12);
  EXPECT_THAT(out, HasSubstr("1:L1>A0 5:A0>A5\n"));
}

TEST(RulesLegal, PrintsJson) {
  EXPECT_EQ(Rules("legal", kStart, {"--json"}).out,
            "{\"position\":\"36/24/12 1111,1111 - 0,0 - b 11\","
            "\"moves\":[\"1:L1>A18 1:A18>A19\"]}\n");
}

TEST(RulesApply, PrintsTheNextPosition) {
  const RefctlRun ran = Rules("apply", kStart, {"--move", "1:L1>A18 1:A18>A19", "--dice", "15"});
  EXPECT_EQ(ran.exit, Exit::kOk) << ran.err;
  EXPECT_EQ(ran.out, "19b16/24/12 1111,0111 - 0,0 - a 15\n");
}

TEST(RulesApply, PrintsJsonWithTheDigest) {
  const RefctlRun ran =
      Rules("apply", kStart, {"--move", "1:L1>A18 1:A18>A19", "--dice", "15", "--json"});
  EXPECT_EQ(ran.out,
            "{\"position\":\"19b16/24/12 1111,0111 - 0,0 - a 15\","
            "\"digest\":\"3cdb328d8f04127f\"}\n");
}

TEST(RulesApply, AnIllegalMoveIsANegativeAnswer) {
  ExpectError(Rules("apply", kStart, {"--move", "1:L2>A18 1:A18>A19", "--dice", "15"}),
              Exit::kNegative, "--move");
}

TEST(RulesApply, AnUnreadableMoveIsAnError) {
  ExpectError(Rules("apply", kStart, {"--move", "hop", "--dice", "15"}), Exit::kUsage, "--move");
}

TEST(RulesApply, AsksForTheDiceOfTheNextSeat) {
  ExpectError(Rules("apply", kStart, {"--move", "1:L1>A18 1:A18>A19"}), Exit::kUsage,
              "seat a rolls next");
  ExpectError(Rules("apply", kStart, {"--move", "1:L1>A18 1:A18>A19", "--dice", "1"}), Exit::kUsage,
              "--dice");
  ExpectError(Rules("apply", kStart, {"--move", "1:L1>A18 1:A18>A19", "--dice", "11,22"}),
              Exit::kUsage, "--dice");
}

TEST(RulesPerft, PrintsBothCounts) {
  EXPECT_EQ(Rules("perft", kStart).out, "legal=1 distinct=1\n");
  EXPECT_THAT(Rules("perft", kStart, {"--dice", "11,15", "--depth", "2"}).out,
              StartsWith("legal=12 distinct="));
  EXPECT_EQ(Rules("perft", kStart, {"--json"}).out, "{\"legal\":1,\"distinct\":1}\n");
}

TEST(RulesSelfplay, PrintsATranscriptAMatch) {
  const auto selfplay = [](const std::string& seed, const std::string& matches) {
    return RunRefctl({"rules", "selfplay", "--game", "hypnosia", "--seats", "2", "--seed", seed,
                      "--matches", matches})
        .out;
  };
  EXPECT_EQ(selfplay("7", "2"), selfplay("7", "1") + selfplay("8", "1"));
}

TEST(RulesSelfplay, TakesEverySeedOf64BitsAndNoOther) {
  const auto selfplay = [](const std::string& seed, const std::string& matches) {
    return RunRefctl({"rules", "selfplay", "--game", "hypnosia", "--seats", "2", "--seed", seed,
                      "--matches", matches});
  };
  EXPECT_THAT(selfplay("18446744073709551615", "1").out,
              HasSubstr("\npinned 18446744073709551615\n"));
  for (const char* seed : {"-1", "18446744073709551616", "1e3", "0x10", "seven"}) {
    ExpectError(selfplay(seed, "1"), Exit::kUsage, "--seed");
  }
  ExpectError(selfplay("7", "0"), Exit::kUsage, "--matches");
}

TEST(RulesSelfplay, RefusesSeatsThatTheGameDoesNotHave) {
  ExpectError(RunRefctl({"rules", "selfplay", "--game", "hypnosia", "--seats", "7", "--seed", "1"}),
              Exit::kUsage, "2 to 6 seats");
}

TEST(Rules, NamesTheGamesWhenThereIsNoSuchGame) {
  ExpectError(RunRefctl({"rules", "legal", "--game", "chess", "--position", kStart}), Exit::kUsage,
              "hypnosia");
}

TEST(Rules, BadPositionsNameTheFieldWhateverTheSeats) {
  ExpectError(Rules("legal", "36/24/12 1111,1111,1111 - 0,0,0 - d 11"), Exit::kUsage, "turn");
  ExpectError(Rules("legal", "35/24/12 1111,1111 - 0,0 - b 11"), Exit::kUsage, "ring");
  ExpectError(Rules("legal", "36/24/12 1111,1111 - 0,0 - b 17"), Exit::kUsage, "dice");
}

TEST(Rules, BadOptionsAreNamed) {
  ExpectError(Rules("legal", kStart, {"--option", "stack_bridges=maybe"}), Exit::kUsage,
              "stack_bridges");
  ExpectError(Rules("legal", kStart, {"--option", "board=/no/such/file"}), Exit::kUsage, "board");
  EXPECT_THAT(Rules("legal", kStart, {"--option", "stack_bridges"}).err,
              AllOf(HasSubstr("name=value"), Not(HasSubstr("position"))));
}

}  // namespace
}  // namespace referee::ctl
