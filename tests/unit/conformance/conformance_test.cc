#include "referee/conformance/conformance.h"

#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/games/catalogue.h"

namespace referee::conformance {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Checks, HaveNamesOfTheirOwnAndSayWhatIsDemanded) {
  std::set<std::string> names;
  for (const Check& check : Checks()) {
    EXPECT_TRUE(names.insert(check.name).second) << check.name;
    EXPECT_NE(std::string(check.demand), "");
  }
}

// The checks that `only` names, of a bot that ends at once.
std::vector<Result> CheckDeadBot(std::vector<std::string> only, const Events& events) {
  Terms terms;
  terms.bot.command = "echo no referee; exit 3";
  terms.games = {games::Find("hypnosia")->type};
  terms.only = std::move(only);
  return CheckBot(terms, events).value();
}

TEST(CheckBot, SkipsTheChecksOfABotThatNeverConnects) {
  const std::vector<Result> results = CheckDeadBot({"pong"}, Events());
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].finding.kind, Finding::Kind::kFail);
  EXPECT_THAT(results[0].finding.seen,
              AllOf(HasSubstr("exited with status 3"), HasSubstr("  | no referee")));
  EXPECT_EQ(results[1].finding.kind, Finding::Kind::kSkipped);
  EXPECT_EQ(results[2].finding.kind, Finding::Kind::kSkipped);
}

TEST(CheckBot, ReportsEachCheckAsItIsMade) {
  std::vector<std::string> said;
  Events events;
  events.on_listening = [&](const std::string& address) {
    EXPECT_THAT(address, HasSubstr("unix:"));
    said.push_back("listens");
  };
  events.on_begin = [&](const Check& check) { said.push_back(check.name); };
  events.on_result = [&](const Result& result) {
    said.push_back(std::string(result.check.name) + " made");
  };
  CheckDeadBot({"hello"}, events);
  EXPECT_THAT(said, ElementsAre("listens", "connects", "connects made", "hello", "hello made"));
}

TEST(CheckBot, ReturnsWhyItCannotListen) {
  Terms terms;
  terms.bot.listen = "nowhere";
  terms.games = {games::Find("hypnosia")->type};
  EXPECT_TRUE(absl::IsInvalidArgument(CheckBot(terms, Events()).status()));
}

}  // namespace
}  // namespace referee::conformance
