// Claims about how a stream of a bot begins.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"

namespace referee::testing {
namespace {

using ::testing::HasSubstr;

class Greeting : public ::testing::Test {
 protected:
  // How the stream ends of a bot that begins with `item`.
  grpc::Status EndAfter(const v1::BotItem& item) {
    RawBot bot(referee_.NewChannel());
    bot.Say(item);
    return bot.End();
  }
  v1::Welcome WelcomeAfter(const v1::BotItem& item) {
    RawBot bot(referee_.NewChannel());
    bot.Say(item);
    return bot.Hear(v1::RefereeItem::kWelcome).welcome();
  }

  RefereeUnderTest referee_;
};

TEST_F(Greeting, IsAnsweredWithTheNameThatTheOrganiserGave) {
  v1::BotItem hello = HelloAs("alice", 3);
  hello.mutable_hello()->set_software("Deep Thought \xe2\x84\xa2");
  hello.mutable_hello()->add_games("hypnosia");
  const v1::Welcome welcome = WelcomeAfter(hello);
  EXPECT_EQ(welcome.bot(), "alice");
  EXPECT_EQ(welcome.referee(), "referee under test");
  EXPECT_EQ(welcome.max_matches(), 3u);
}

TEST_F(Greeting, GivesOneMatchByDefaultAndNoMoreThanTheLimit) {
  EXPECT_EQ(WelcomeAfter(HelloAs("alice", 0)).max_matches(), 1u);
  EXPECT_EQ(WelcomeAfter(HelloAs("alice", 1'000'000)).max_matches(), 1024u);
}

TEST_F(Greeting, MustComeFirst) {
  for (const v1::BotItem& item : {ReadyFor("x"), MoveIn("x", 1, "-"), ResignFrom("x")}) {
    const grpc::Status status = EndAfter(item);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
    EXPECT_THAT(status.error_message(), HasSubstr("hello"));
  }
}

TEST_F(Greeting, NeedsATokenThatIsKnown) {
  for (const std::string& token :
       {std::string(), std::string("token of nobody"), RefereeUnderTest::Token("alice") + "x",
        std::string("alice"), std::string(257, 'x'), std::string(200'000, 'x')}) {
    v1::BotItem hello;
    hello.mutable_hello()->set_token(token);
    const grpc::Status status = EndAfter(hello);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAUTHENTICATED) << token.substr(0, 20);
    EXPECT_THAT(status.error_message(), HasSubstr("refctl bot rotate")) << token.substr(0, 20);
    if (!token.empty()) {
      EXPECT_THAT(status.error_message(), Not(HasSubstr(token))) << "a token is a secret";
    }
  }
}

TEST_F(Greeting, NeedsTheTokenOfABot) {
  RefereeUnderTest::Options options;
  options.organiser = true;
  RefereeUnderTest referee(options);
  RawBot olga(referee.NewChannel());
  olga.Say(HelloAs("olga"));
  EXPECT_EQ(olga.End().error_code(), grpc::StatusCode::PERMISSION_DENIED);
}

TEST_F(Greeting, MustMakeSense) {
  v1::BotItem long_name = HelloAs("alice");
  long_name.mutable_hello()->set_software(std::string(65, 'x'));
  v1::BotItem obeyed = HelloAs("alice");
  obeyed.mutable_hello()->set_software("\x1b[2J");
  for (const v1::BotItem& hello : {long_name, obeyed}) {
    const grpc::Status status = EndAfter(hello);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
    EXPECT_THAT(status.error_message(), HasSubstr("hello.software"));
  }
  v1::BotItem many_games = HelloAs("alice");
  for (int i = 0; i < 65; ++i) many_games.mutable_hello()->add_games("hypnosia");
  v1::BotItem long_game = HelloAs("alice");
  long_game.mutable_hello()->add_games(std::string(65, 'x'));
  for (const v1::BotItem& hello : {many_games, long_game}) {
    const grpc::Status status = EndAfter(hello);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
    EXPECT_THAT(status.error_message(), HasSubstr("hello.games"));
  }
}

TEST_F(Greeting, MustComeInTime) {
  RefereeUnderTest::Options options;
  options.stream_limits.hello = absl::Milliseconds(50);
  RefereeUnderTest referee(options);
  RawBot silent(referee.NewChannel());
  const grpc::Status status = silent.End();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  EXPECT_THAT(status.error_message(), HasSubstr("no hello within 50ms"));

  RawBot empty_handed(referee.NewChannel());
  empty_handed.Say(std::vector<v1::BotItem>());
  EXPECT_EQ(empty_handed.End().error_message(), status.error_message());
}

TEST_F(Greeting, KeepsAStreamOpenBeyondItsLimit) {
  RefereeUnderTest::Options options;
  options.stream_limits.hello = absl::Seconds(2);
  RefereeUnderTest referee(options);
  RawBot silent(referee.NewChannel());
  RawBot alice(&referee, "alice");
  // Timers fire in order: when this one has, hers has not ended the stream.
  EXPECT_EQ(silent.End().error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  RawBot later(referee.NewChannel());
  EXPECT_EQ(later.End().error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  alice.Say(HelloAs("alice"));
  EXPECT_EQ(alice.Hear().fault().kind(), v1::FAULT_KIND_REPEATED_HELLO);
}

TEST_F(Greeting, TwiceIsAFaultThatCostsNothing) {
  RawBot alice(&referee_, "alice");
  alice.Say({HelloAs("bob"), HelloAs("alice")});
  for (int i = 0; i < 2; ++i) {
    const v1::Fault fault = alice.Hear().fault();
    EXPECT_EQ(fault.kind(), v1::FAULT_KIND_REPEATED_HELLO);
    EXPECT_EQ(fault.match_id(), "");
    EXPECT_THAT(fault.message(), HasSubstr("hello"));
  }
  RawBot bob(&referee_, "bob");
  const std::string match_id = referee_.Create({"alice", "bob"});
  EXPECT_EQ(alice.Hear().match_start().match().match_id(), match_id);
}

// So that a bot of a later version can play.
TEST_F(Greeting, GoesOnAfterItemsOfUnknownKinds) {
  RawBot alice(&referee_, "alice");
  v1::BotItem unknown;
  unknown.GetReflection()->MutableUnknownFields(&unknown)->AddVarint(15, 1);
  alice.Say({unknown, HelloAs("alice"), unknown});
  EXPECT_EQ(alice.Hear().fault().kind(), v1::FAULT_KIND_REPEATED_HELLO);
}

TEST_F(Greeting, IsNotReplacedByAnUnknownItem) {
  EXPECT_EQ(EndAfter(v1::BotItem()).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(Greeting, EndsInOrderWhenTheBotSaysNoMore) {
  RawBot alice(&referee_, "alice");
  alice.SayLast();
  const grpc::Status status = alice.End();
  EXPECT_TRUE(status.ok()) << status.error_message();
}

}  // namespace
}  // namespace referee::testing
