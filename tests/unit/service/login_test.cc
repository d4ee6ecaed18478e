#include "referee/service/play/login.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "referee/base/limits.h"
#include "tests/unit/service/bot_session_fixture.h"

namespace referee::service {
namespace {

class LoginTest : public BotSessionTest {
 protected:
  LoginTest() { EXPECT_TRUE(login_.Enter("unix:alice", {}).ok()); }
  ~LoginTest() override { login_.Leave(); }

  static v1::Hello HelloWith(const std::string& token) {
    v1::Hello hello;
    hello.set_token(token);
    return hello;
  }
  static v1::PlayRequest MessageWith(const v1::Hello& hello) {
    v1::PlayRequest request;
    request.add_items()->mutable_resign();
    *request.add_items()->mutable_hello() = hello;
    return request;
  }
  absl::Status Register(const Login::Guest& guest) {
    return login_.Register(guest, clock_.Now(), [](const absl::Status&) {});
  }

  Login login_{&environment_};
};

TEST_F(LoginTest, FindsTheBotOfAToken) {
  const absl::StatusOr<Login::Guest> guest = login_.Identify(HelloWith("alice"), clock_.Now());
  ASSERT_TRUE(guest.ok()) << guest.status();
  EXPECT_EQ(guest->identity.name, "alice");
  EXPECT_TRUE(guest->shut_out.ok());
  EXPECT_EQ(login_.name(), "") << "not registered";
  EXPECT_TRUE(Register(*guest).ok());
  EXPECT_EQ(login_.name(), "alice");
  EXPECT_NE(login_.allowance(), nullptr);
}

TEST_F(LoginTest, RefusesATokenThatNobodyHas) {
  for (const char* token : {"", "mallory", " alice"}) {
    const absl::StatusOr<Login::Guest> guest = login_.Identify(HelloWith(token), clock_.Now());
    EXPECT_TRUE(absl::IsUnauthenticated(guest.status())) << token << ": " << guest.status();
  }
}

TEST_F(LoginTest, RefusesABannedBotThatPlaysNothing) {
  authenticator_.banned = "alice";
  const absl::StatusOr<Login::Guest> guest = login_.Identify(HelloWith("alice"), clock_.Now());
  EXPECT_EQ(guest.status(), authenticator_.Recheck("alice", {}));
}

TEST_F(LoginTest, RefusesAMalformedHelloBeforeItLooksForItsToken) {
  v1::Hello hello = HelloWith("mallory");
  hello.add_games(std::string(limits::kMaxNameBytes + 1, 'x'));
  const absl::StatusOr<Login::Guest> guest = login_.Identify(hello, clock_.Now());
  EXPECT_TRUE(absl::IsInvalidArgument(guest.status())) << guest.status();
}

TEST_F(LoginTest, FindsTheHelloOfAMessageWhereverItIs) {
  const v1::PlayRequest request = MessageWith(HelloWith("alice"));
  ASSERT_NE(Login::HelloOf(request), nullptr);
  EXPECT_EQ(Login::HelloOf(request)->token(), "alice");
  EXPECT_EQ(Login::HelloOf(v1::PlayRequest()), nullptr);
}

TEST_F(LoginTest, AsksForARefreshOnlyForATokenThatIsNotKnown) {
  EXPECT_FALSE(login_.WouldRefuseTokenOf(MessageWith(HelloWith("alice"))));
  EXPECT_TRUE(login_.WouldRefuseTokenOf(MessageWith(HelloWith("mallory"))));
  EXPECT_FALSE(login_.WouldRefuseTokenOf(v1::PlayRequest()));
  const std::string too_long(limits::kMaxTokenBytes + 1, 'x');
  EXPECT_FALSE(login_.WouldRefuseTokenOf(MessageWith(HelloWith(too_long))));
}

TEST_F(LoginTest, HearsANewVersionOnlyOfABotThatMayTellIt) {
  v1::Hello hello = HelloWith("alice");
  EXPECT_EQ(login_.BotOfNewVersion(MessageWith(hello)), absl::nullopt);
  hello.set_version("1.2");
  EXPECT_EQ(login_.BotOfNewVersion(MessageWith(hello)), "alice");
  hello.set_token("mallory");
  EXPECT_EQ(login_.BotOfNewVersion(MessageWith(hello)), absl::nullopt);
}

TEST_F(LoginTest, BoundsTheMessagesBeforeHello) {
  for (int i = 0; i < limits::kMaxMessagesBeforeHello; ++i) {
    EXPECT_TRUE(login_.Admit(v1::PlayRequest(), clock_.Now()).ok());
  }
  EXPECT_FALSE(login_.Admit(v1::PlayRequest(), clock_.Now()).ok());
}

}  // namespace
}  // namespace referee::service
