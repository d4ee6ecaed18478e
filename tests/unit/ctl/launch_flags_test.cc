#include "referee/ctl/duel/launch_flags.h"

#include <cstdint>
#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace referee::ctl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::set<int> kFour = {0, 1, 2, 3};

TEST(ParseCpus, GivesEachBotItsOwnInOrder) {
  EXPECT_THAT(*ParseCpus("1,0", 2, kFour), ElementsAre(ElementsAre(1), ElementsAre(0)));
  EXPECT_THAT(*ParseCpus("0-1,2+3", 2, kFour), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
}

TEST(ParseCpus, MayNameMoreThanThereAreBots) {
  EXPECT_THAT(*ParseCpus("0,1,2", 2, kFour), ::testing::SizeIs(3));
}

TEST(ParseCpus, RefusesFewerThanBots) {
  EXPECT_THAT(ParseCpus("0", 2, kFour).status().message(),
              HasSubstr("--cpus: has processors for 1 of 2 bots"));
  EXPECT_FALSE(ParseCpus("0-3", 2, kFour).ok()) << "one set";
}

TEST(ParseCpus, RefusesWhatIsNotThereAndSaysWhatIs) {
  EXPECT_THAT(ParseCpus("0,7", 2, kFour).status().message(),
              HasSubstr("processor 7 is not one that this program may use; these are: 0, 1, 2, 3"));
}

TEST(ParseCpus, RefusesAProcessorForTwoBots) {
  EXPECT_THAT(ParseCpus("0-1,1-2", 2, kFour).status().message(),
              HasSubstr("processor 1 is there twice"));
}

TEST(ParseCpus, RefusesWhatIsNoNumber) {
  for (const char* text :
       {"", ",", "0,", "a,1", "1-0,2", "-1,0", "0+,1", "99999999999,0", "0-,1"}) {
    EXPECT_FALSE(ParseCpus(text, 2, kFour).ok()) << text;
  }
}

TEST(ReadLaunching, RefusesProcessorsThatAreGivenAsNothing) {
  CLI::App app;
  LaunchFlags flags;
  AddLaunchFlags(&app, &flags);
  app.parse(std::vector<std::string>{"", "--cpus"});  // the last comes first
  EXPECT_THAT(std::string(ReadLaunching(flags, 2).status().message()), HasSubstr("--cpus: ''"));
}

TEST(ReadLaunching, WhatIsForIsolatedBotsNeedsThem) {
  for (const std::string flag : {"--readable", "--bot-memory"}) {
    CLI::App app;
    LaunchFlags flags;
    AddLaunchFlags(&app, &flags);
    app.parse(flag + (flag == "--readable" ? " /usr" : " 1GB"));
    const absl::Status status = ReadLaunching(flags, 2).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status));
    EXPECT_EQ(status.message(), flag + ": is for isolated bots; add --isolate, or leave it out");
  }
}

TEST(ReadLaunching, MemoryIsASizeThatABotCanLiveOn) {
  for (const char* text : {"-1", "1KB", "lots", "1XB"}) {
    CLI::App app;
    LaunchFlags flags;
    AddLaunchFlags(&app, &flags);
    try {
      app.parse(std::string("--isolate --bot-memory=") + text);
      ADD_FAILURE() << text;
    } catch (const CLI::ParseError& error) {
      EXPECT_THAT(error.what(), HasSubstr("is not a size of 64MB or more")) << text;
    }
  }
}

TEST(ReadLaunching, ReadablePathsMustExist) {
  CLI::App app;
  LaunchFlags flags;
  AddLaunchFlags(&app, &flags);
  app.parse("--isolate --readable /usr/ --readable /nonexistent/folder");
  EXPECT_THAT(ReadLaunching(flags, 2).status().message(), HasSubstr("/nonexistent/folder"));
  app.parse("--isolate --readable /usr/ --bot-memory 1GB");
  const auto launching = ReadLaunching(flags, 2);
  ASSERT_TRUE(launching.ok()) << launching.status();
  EXPECT_THAT(launching->readable, ElementsAre("/usr"));
  EXPECT_EQ(launching->memory_bytes, uint64_t{1} << 30);
}

}  // namespace
}  // namespace referee::ctl
