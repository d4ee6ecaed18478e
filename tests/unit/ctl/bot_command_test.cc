#include "referee/ctl/duel/bot_command.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace referee::ctl {
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
  EXPECT_THAT(Names({"./b\xc3\xb6t!", "'"}), ElementsAre("b__t_", "_"));
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
}  // namespace referee::ctl
