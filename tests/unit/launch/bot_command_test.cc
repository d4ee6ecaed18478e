#include "referee/launch/bot_command.h"

#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace referee::launch {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> Names(const std::vector<std::string>& texts) {
  std::vector<std::string> names;
  const auto bots = ReadBotCommands(texts);
  EXPECT_TRUE(bots.ok()) << bots.status();
  if (!bots.ok()) return names;
  for (const BotCommand& bot : *bots) names.push_back(bot.name);
  return names;
}

TEST(BotCommand, IsNamedAfterItsProgram) {
  EXPECT_THAT(Names({"./bots/greedy --depth 3", "random"}), ElementsAre("greedy", "random"));
}

TEST(BotCommand, IsNamedAfterTheScriptOfAnInterpreter) {
  EXPECT_THAT(Names({"python3 -u bots/alice.py", "/usr/bin/node bob.js --x=1", "env A=1 ./carol",
                     "pythonic"}),
              ElementsAre("alice.py", "bob.js", "carol", "pythonic"));
}

TEST(BotCommand, IsNamedAfterTheProgramOfAShellsLine) {
  EXPECT_THAT(Names({"'my bots/alice'", "cd d && ./bob", "nice -n 1 carol",
                     "export A=1; env -u B C=2 \"some dir/dave\" x", "./erin | tee log"}),
              ElementsAre("alice", "bob", "carol", "dave", "erin"));
  EXPECT_THAT(
      Names({"sh -c 'cd d; exec ./frank --fast'", "timeout -k 5 10m ./gina", "taskset -c 0,1 ./hal",
             "python3 -W ignore ivan.py", "java -cp build Judy", "my\\ bots/kim"}),
      ElementsAre("frank", "gina", "hal", "ivan.py", "Judy", "kim"));
}

TEST(BotCommand, AnExpansionIsPartOfItsWord) {
  EXPECT_THAT(Names({"${HOME}/alice", "$(pwd)/bob --fast", "\"$(dirname \"$0\")/carol\" x",
                     "cd ${A:=b} && ./dave", "${DIR:=d}/erin", "$((1+(2)))/frank", "'$(gina'"}),
              ElementsAre("alice", "bob", "carol", "dave", "erin", "frank", "__gina"));
}

TEST(BotCommand, RedirectionsSayNothingOfTheProgram) {
  EXPECT_THAT(Names({"2>log ./alice", "> log ./bob", "nice 2>&1 ./carol", "./dave>log",
                     "exec 2>>log; ./erin", "<in exec ./frank | tee log", "'./g>1' x"}),
              ElementsAre("alice", "bob", "carol", "dave", "erin", "frank", "g_1"));
}

TEST(BotCommand, AShellsCommandMayStandBehindOtherLetters) {
  EXPECT_THAT(Names({"bash -lc 'exec ./alice --fast'", "sh -ec ./bob", "bash --rcfile x.sh"}),
              ElementsAre("alice", "bob", "x.sh"));
}

TEST(BotCommand, AScriptWhoseFirstLineEndsWithACarriageReturnIsNamedAsSuch) {
  const testing::TempFolder folder;
  const std::string path = absl::StrCat(folder.path(), "/bot.py");
  std::ofstream(path) << "#!/usr/bin/env python3\r\nprint()\r\n";
  for (const std::string& command : {path, absl::StrCat("'", path, "' --fast")}) {
    const absl::Status bad = CheckScript(command);
    EXPECT_THAT(std::string(bad.message()),
                AllOf(HasSubstr(path), HasSubstr("carriage return"), HasSubstr("sed -i")))
        << command;
  }
  EXPECT_TRUE(CheckScript("python3 " + path).ok());
  std::ofstream(path) << "#!/usr/bin/env python3\nprint()\r\n";
  EXPECT_TRUE(CheckScript(path).ok());
  EXPECT_TRUE(CheckScript("./nothing-here").ok());
}

TEST(BotCommand, SameNamesAreToldApart) {
  EXPECT_THAT(Names({"a/bot", "b/bot", "bot-2=c/bot", "bot"}),
              ElementsAre("bot", "bot-3", "bot-2", "bot-4"));
}

TEST(BotCommand, GivenNameIsTakenOffTheCommand) {
  const auto bots = ReadBotCommands({"old.1=./bot --mode=fast"});
  ASSERT_TRUE(bots.ok());
  EXPECT_EQ(bots->front().name, "old.1");
  EXPECT_EQ(bots->front().command, "./bot --mode=fast");
}

TEST(BotCommand, EqualsSignInACommandMakesNoName) {
  const auto bots = ReadBotCommands({"./bot --mode=fast"});
  ASSERT_TRUE(bots.ok());
  EXPECT_EQ(bots->front().name, "bot");
  EXPECT_EQ(bots->front().command, "./bot --mode=fast");
}

TEST(BotCommand, AWordBeforeAnEqualsSignThatIsNoNameIsRefused) {
  for (const std::string& text : {std::string("h\xc3\xa9llo=./bot"), std::string("a+b=./bot"),
                                  std::string("=./bot"), std::string(65, 'x') + "=./bot"}) {
    const auto bots = ReadBotCommands({text});
    ASSERT_FALSE(bots.ok()) << text;
    EXPECT_THAT(std::string(bots.status().message()),
                AllOf(HasSubstr("--bot"), HasSubstr("letters"), HasSubstr("digits")))
        << text;
  }
}

TEST(BotCommand, EqualsSignAfterASpaceOrInAPathMakesNoName) {
  EXPECT_THAT(Names({"./a=b/bot", "nice ./bot x=1"}), ElementsAre("bot", "bot-2"));
}

TEST(BotCommand, OddCharactersStayOutOfNames) {
  EXPECT_THAT(Names({"./b\xc3\xb6t!", "'"}), ElementsAre("b__t_", "bot"));
}

TEST(BotCommand, LongNamesAreCut) {
  const std::vector<std::string> names = Names({std::string(300, 'x'), std::string(300, 'x')});
  ASSERT_EQ(names.size(), 2u);
  EXPECT_LE(names[1].size(), 64u);
  EXPECT_NE(names[0], names[1]);
}

TEST(BotCommand, EmptyCommandIsRefused) {
  for (const char* text : {"", "  ", "name=", "name= "}) {
    EXPECT_THAT(std::string(ReadBotCommands({text}).status().message()), HasSubstr("--bot"))
        << text;
  }
}

TEST(BotCommand, NameGivenTwiceIsRefused) {
  EXPECT_THAT(std::string(ReadBotCommands({"a=x", "a=y"}).status().message()), HasSubstr("'a'"));
}

}  // namespace
}  // namespace referee::launch
