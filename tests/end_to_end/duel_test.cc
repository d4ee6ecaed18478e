// refctl duel with real bots, good ones and bad ones. Whatever happens, nothing is left behind.

#include <signal.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/open_matches.h"
#include "tests/end_to_end/program.h"

namespace referee::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::Each;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;
using Json = nlohmann::json;

// The dice of each match of a duel, which are those of its block, and where it started.
std::vector<std::pair<std::string, std::string>> StartsOf(
    const std::vector<std::string>& transcripts) {
  std::vector<std::pair<std::string, std::string>> starts;
  const auto line_of = [](const std::string& transcript, const std::string& name) {
    const size_t at = transcript.find("\n" + name) + name.size() + 1;
    return transcript.substr(at, transcript.find('\n', at) - at);
  };
  for (const std::string& transcript : transcripts) {
    starts.emplace_back(line_of(transcript, "pinned "), line_of(transcript, "option position="));
  }
  std::sort(starts.begin(), starts.end());
  return starts;
}

class Duel : public ::testing::Test {
 protected:
  ~Duel() override {
    // What is killed goes as soon as it gets to run.
    EXPECT_TRUE(Eventually([this] { return sandbox_.Running().empty(); }));
    EXPECT_TRUE(sandbox_.TempIsEmpty());
  }

  static std::string Faulty(const std::string& flags) {
    return absl::StrCat(Program("tests/faulty"), " ", flags);
  }

  std::vector<std::string> Command(const std::vector<std::string>& bots,
                                   const std::vector<std::string>& more) const {
    std::vector<std::string> command = {"refctl", "duel", "--game", game_};
    for (const std::string& bot : bots) command.insert(command.end(), {"--bot", bot});
    command.insert(command.end(), more.begin(), more.end());
    return command;
  }

  Ran Play(const std::vector<std::string>& bots, const std::vector<std::string>& more = {}) {
    return sandbox_.Run(Command(bots, more));
  }

  // Plays with --json, and returns what it printed.
  Json PlayForJson(const std::vector<std::string>& bots, std::vector<std::string> more) {
    more.push_back("--json");
    const Ran ran = Play(bots, more);
    Json json = Json::parse(ran.out, nullptr, false);
    EXPECT_TRUE(json.is_object()) << ran.out << ran.err;
    json["status"] = ran.status;
    return json;
  }

  std::string Path(const std::string& name) const {
    return absl::StrCat(sandbox_.path(), "/", name);
  }

  // The transcripts of the replays in a folder, sorted.
  std::vector<std::string> Transcripts(const std::string& below) {
    std::vector<std::string> transcripts;
    for (const std::string& file : sandbox_.Files(below, ".rpl")) {
      const Ran ran = sandbox_.Run({"refctl", "replay", "export", "--format", "text", file});
      EXPECT_EQ(ran.status, 0) << ran.err;
      transcripts.push_back(ran.out);
    }
    std::sort(transcripts.begin(), transcripts.end());
    return transcripts;
  }

  Sandbox sandbox_;
  std::string game_ = "hypnosia";
  const std::string greedy_ = Program("bots/greedy");
  const std::string random_ = Program("bots/random");
};

// --- Good bots ---

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

TEST_F(Duel, WithASeedIsPlayedAgainTheSameWhateverTheConcurrency) {
  for (const char* run : {"1", "2"}) {
    const Ran ran =
        Play({greedy_, random_}, {"--matches", "6", "--seed", "41", "--concurrency",
                                  run[0] == '1' ? "1" : "6", "--replay-dir", Path(run)});
    ASSERT_EQ(ran.status, 0) << ran.err;
  }
  const std::vector<std::string> first = Transcripts("1");
  ASSERT_THAT(first, SizeIs(6));
  EXPECT_EQ(first, Transcripts("2"));
  EXPECT_THAT(first, Each(HasSubstr("\npinned ")));
}

TEST_F(Duel, WithoutASeedNamesOneThatPlaysItAgain) {
  const Json duel =
      PlayForJson({greedy_, random_}, {"--matches", "4", "--replay-dir", Path("first")});
  const std::string seed = duel["seed"].get<std::string>();
  EXPECT_THAT(seed, SizeIs(64));
  ASSERT_EQ(
      Play({greedy_, random_}, {"--matches", "4", "--seed", seed, "--replay-dir", Path("second")})
          .status,
      0);
  ASSERT_THAT(Transcripts("first"), SizeIs(4));
  EXPECT_EQ(Transcripts("first"), Transcripts("second"));
}

TEST_F(Duel, BlocksHaveTheSameDice) {
  ASSERT_EQ(
      Play({greedy_, random_}, {"--matches", "4", "--seed", "7", "--replay-dir", Path("data")})
          .status,
      0);
  std::map<std::string, int> blocks;
  for (const auto& [dice, position] : StartsOf(Transcripts("data"))) ++blocks[dice];
  ASSERT_THAT(blocks, SizeIs(2));
  EXPECT_THAT(blocks, Each(::testing::Pair(SizeIs(64), 2)));
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

// --- Bots that lose by their faults: the duel goes on ---

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
  // Eight turns that wait for one another take 1.6 s.
  const std::string slow = Faulty("--late-ms=200 --parallel-turns=1");
  std::vector<std::string> more = {"--matches", "8", "--concurrency", "8",           "--time", "1s",
                                   "--seed",    "1", "--option",      "turn_limit=6"};
  EXPECT_EQ(PlayForJson({random_, slow}, more)["bots"][1]["forfeits"]["timeout"], 0);
  more.push_back("--oversubscribe");
  EXPECT_GT(PlayForJson({random_, slow}, more)["bots"][1]["forfeits"]["timeout"], 0);
}

TEST_F(Duel, NamesAFileThatIsMissingBeforeAllElse) {
  const Ran ran = Play({random_}, {"--positions", Path("none"), "--on-timeout", "never"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("--positions: cannot read"), HasSubstr("check the path")));
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

// --- Bots with which there is no duel ---

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

TEST_F(Duel, BotThatLeavesForGoodEndsTheDuel) {
  const Json duel = PlayForJson({random_, Faulty("--leave-at=3")},
                                {"--matches", "50", "--time", "100ms", "--start-timeout", "300ms"});
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
  const Ran ran = Play({random_, Faulty("--no-hello")}, {"--start-timeout", "500ms"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("bot 'faulty' runs, but has not connected within 500ms"));
}

TEST_F(Duel, SaysThatNoMatchBeginsWithABotThatPlaysAnotherGame) {
  const Ran ran = Play({random_, Faulty("--isaac-only")}, {"--start-timeout", "500ms"});
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

// --- Users who stop it ---

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

// --- Positions to start from ---

TEST_F(Duel, StartsEachBlockFromAPositionAndGoesOnWithTheSame) {
  const std::string first = "36/24/12 1111,1111 - 1,-1 - a -";
  const std::string second = "3a28B3/2b21/12 0110,0000 b -1,1 - a -";
  std::ofstream(Path("openings.txt")) << "# two openings\n" << first << "\n\n" << second << "\n";
  const std::vector<std::string> flags = {
      "--seed", "100", "--positions", Path("openings.txt"), "--resume", Path("data")};
  std::vector<std::string> half = flags;
  half.insert(half.end(), {"--matches", "4"});
  const Ran begun = Play({greedy_, random_}, half);
  ASSERT_EQ(begun.status, 0) << begun.err;
  EXPECT_THAT(begun.out, StartsWith("hypnosia: 4 matches from 2 positions, "));
  std::vector<std::string> whole = flags;
  whole.insert(whole.end(), {"--matches", "8"});
  const Json duel = PlayForJson({greedy_, random_}, whole);
  EXPECT_EQ(duel["status"], 0);
  EXPECT_EQ(duel["matches_resumed"], 4);
  EXPECT_EQ(duel["positions"], 2);
  std::map<std::string, int> starts;
  for (const auto& [dice, position] : StartsOf(Transcripts("data"))) ++starts[position];
  EXPECT_THAT(starts,
              ::testing::ElementsAre(::testing::Pair(first, 4), ::testing::Pair(second, 4)));
  std::ofstream(Path("openings.txt")) << second << "\n" << first << "\n";
  const Ran other = Play({greedy_, random_}, whole);
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, AllOf(HasSubstr("of another duel, with another positions"),
                               HasSubstr("give the same flags")));
}

TEST_F(Duel, StartsBlocksOfAnyGameFromPositions) {
  game_ = "isaac";
  const std::string placed = "a7h33,b3v70 54320,44321 0,0 0,0 - P b a";
  std::ofstream(Path("openings.txt")) << placed << "\n";
  const Ran ran = Play({random_, greedy_}, {"--matches", "4", "--positions", Path("openings.txt"),
                                            "--replay-dir", Path("data")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  const auto starts = StartsOf(Transcripts("data"));
  ASSERT_THAT(starts, SizeIs(4));
  for (const auto& [dice, position] : starts) EXPECT_EQ(position, placed);
  std::ofstream(Path("openings.txt")) << "# one\n" << placed << "\nnonsense\n";
  const Ran bad = Play({random_, greedy_}, {"--positions", Path("openings.txt")});
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.err, AllOf(HasSubstr("openings.txt', line 3: "), HasSubstr("position: pieces")));
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
