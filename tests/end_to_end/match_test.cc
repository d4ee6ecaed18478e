// refctl match against a running refereed, with real bots.

#include <signal.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/end_to_end/program.h"
#include "tests/support/accounts.h"

namespace referee::end_to_end {
namespace {

using ::referee::testing::AddAccount;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class MatchCommand : public SandboxTest {
 protected:
  void SetUp() override {
    for (const std::string name : {"alice", "bob"}) AddAccount(Path("data"), name, name + "-token");
    AddAccount(Path("data"), "olga", "olga-token", store::Role::kOrganiser);
    StartReferee();
  }
  void TearDown() override {
    kill(referee_, SIGTERM);
    EXPECT_EQ(sandbox_.Await(referee_).status, 0);
  }

  void StartReferee() {
    referee_ = sandbox_.Start(
        {"refereed", "--listen", address_, "--data-dir", Path("data"), "--drain-timeout", "0s"});
    ASSERT_TRUE(Eventually([this] { return Match({"list"}).status == 0; }));
  }
  Ran Match(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"refctl", "match"});
    return sandbox_.Run(arguments,
                        {{"REFEREE_ADDRESS", address_}, {"REFEREE_TOKEN", "olga-token"}});
  }
  // Makes a match of alice against bob, and returns its id.
  std::string Create(std::vector<std::string> more = {}) {
    std::vector<std::string> command = {"create", "--game", "hypnosia", "--bot",
                                        "alice",  "--bot",  "bob"};
    command.insert(command.end(), more.begin(), more.end());
    const Ran ran = Match(command);
    EXPECT_EQ(ran.status, 0) << ran.err;
    return std::string(absl::StripAsciiWhitespace(ran.out));
  }
  void StartBots() {
    for (const char* name : {"alice", "bob"}) {
      sandbox_.Start({"bots/random"}, {{"REFEREE_ADDRESS", address_},
                                       {"REFEREE_TOKEN", absl::StrCat(name, "-token")}});
    }
  }

  const std::string address_ = "unix:" + Path("socket");
  pid_t referee_ = -1;
};

TEST_F(MatchCommand, FollowsAMatchFromItsCreationToItsVerdict) {
  const std::string id = Create({"--seed", "5", "--option", "turn_limit=20"});
  EXPECT_THAT(Match({"list", "--state", "waiting"}).out, StartsWith(id + "  waiting"));
  const pid_t watch =
      sandbox_.Start({"refctl", "match", "watch", id}, {{"REFEREE_ADDRESS", address_}});
  ASSERT_TRUE(Eventually([&] { return !sandbox_.Written(watch).out.empty(); }));
  StartBots();
  const Ran watched = sandbox_.Await(watch);
  EXPECT_EQ(watched.status, 0) << watched.err;
  EXPECT_THAT(watched.out, AllOf(HasSubstr("match " + id), HasSubstr("\n   1 "),
                                 HasSubstr("\n  20 "), HasSubstr("\nfinished: TURN_LIMIT\n")));
  EXPECT_THAT(Match({"show", id}).out,
              AllOf(HasSubstr("option turn_limit=20"), HasSubstr("finished, 20 turns played"),
                    HasSubstr("a rank ")));
  EXPECT_THAT(Match({"list", "--json"}).out, HasSubstr("MATCH_STATE_FINISHED"));
}

TEST_F(MatchCommand, MakesOneMatchForOneRequestId) {
  const std::string id = Create({"--request-id", "monday"});
  EXPECT_EQ(Create({"--request-id", "monday"}), id);
  EXPECT_NE(Create(), id);
  const Ran other = Match(
      {"create", "--game", "hypnosia", "--bot", "bob", "--bot", "alice", "--request-id", "monday"});
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.err, HasSubstr("'monday'"));
}

TEST_F(MatchCommand, CancelsOnceAndSaysSoTheSecondTime) {
  const std::string id = Create();
  EXPECT_EQ(Match({"cancel", id, "--reason", "rain"}).status, 0);
  EXPECT_THAT(Match({"show", id}).out, HasSubstr("cancelled: rain"));
  EXPECT_EQ(Match({"cancel", id}).status, 1);
}

TEST_F(MatchCommand, AnswersNoForAMatchThatIsNotThere) {
  for (const char* command : {"show", "watch", "cancel"}) {
    const Ran ran = Match({command, "01h2xcejqtf2nbrexx3vqjhp41"});
    EXPECT_EQ(ran.status, 1) << command;
    EXPECT_THAT(ran.err, StartsWith("refctl: match '01h2xcejqtf2nbrexx3vqjhp41'"));
    EXPECT_EQ(Match({command, "nonsense"}).status, 2);
  }
}

TEST_F(MatchCommand, NeedsTheTokenOfAnOrganiser) {
  AddAccount(Path("data"), "carol", "carol-token", store::Role::kOrganiser);
  const std::vector<std::string> create = {"create", "--game", "hypnosia", "--bot",
                                           "alice",  "--bot",  "bob"};
  std::vector<std::string> without_token = create;
  without_token.insert(without_token.begin(), {"refctl", "match"});
  const Ran without = sandbox_.Run(without_token, {{"REFEREE_ADDRESS", address_}});
  EXPECT_EQ(without.status, 2);
  EXPECT_THAT(without.err, HasSubstr("--token-file"));
  WriteFile("token", "carol-token\n");
  std::vector<std::string> with = create;
  with.insert(with.end(), {"--token-file", Path("token")});
  EXPECT_EQ(Match(with).status, 0);
  WriteFile("token", "\n");
  EXPECT_THAT(Match(with).err, HasSubstr("holds no token"));
}

TEST_F(MatchCommand, RefusesWhatMakesNoSense) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"list", "--address", "7450"}, "'7450'"},
      {{"list", "--address", "unix:" + Path("nobody")}, "no referee answers"},
      {{"list", "--state", "asleep"}, "--state"},
      {{"list", "--tls", "--insecure"}, "--insecure"},
      {{"list", "--tls-ca", Path("none")}, "--tls-ca"},
      {{"list", "--token-file", Path("none")}, "--token-file"},
      {{"create", "--game", "chess", "--bot", "a", "--bot", "b"}, "--game"},
      {{"create", "--game", "hypnosia", "--bot", "alice"}, "2 to 6 seats"},
      {{"create", "--game", "hypnosia", "--bot", "alice", "--bot", "alice"}, "'alice'"},
      {{"create", "--game", "hypnosia", "--bot", "alice", "--bot", "bob", "--time", "x"}, "--time"},
  };
  for (const auto& [arguments, named] : cases) {
    const Ran ran = Match(arguments);
    EXPECT_EQ(ran.status, 2) << named;
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, AllOf(StartsWith("refctl: "), HasSubstr(named)));
  }
  const Ran unknown = Match({"create", "--game", "hypnosia", "--bot", "alice", "--bot", "dave"});
  EXPECT_THAT(unknown.err, HasSubstr("'dave'"));
  EXPECT_NE(unknown.status, 0);
}

}  // namespace
}  // namespace referee::end_to_end
