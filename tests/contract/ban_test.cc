// Claims about bans: whoever is banned is not let in by any way, and is out if they were in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "proto/referee/v1/admin_service.grpc.pb.h"
#include "referee/store/store.h"
#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"

namespace referee::testing {
namespace {

using ::testing::HasSubstr;

class Bans : public ::testing::Test {
 protected:
  static RefereeUnderTest::Options Options() {
    RefereeUnderTest::Options options;
    options.store = true;
    options.listen = "127.0.0.1:0";
    return options;
  }
  grpc::Status Ban(const v1::AddBanRequest& request) {
    v1::AddBanResponse response;
    return admin_->AddBan(NewContext("olga").get(), request, &response);
  }
  static v1::AddBanRequest OfAccount(const std::string& name) {
    v1::AddBanRequest request;
    request.set_account(name);
    request.set_reason("floods");
    return request;
  }
  static v1::AddBanRequest OfAddress(const std::string& address) {
    v1::AddBanRequest request;
    request.set_address(address);
    return request;
  }
  grpc::StatusCode List(const char* name) {
    v1::ListMatchesResponse response;
    return referee_.matches().ListMatches(NewContext(name).get(), {}, &response).error_code();
  }

  RefereeUnderTest referee_{Options()};
  const std::unique_ptr<v1::AdminService::Stub> admin_ =
      v1::AdminService::NewStub(referee_.NewChannel());
};

TEST_F(Bans, OfAnAccountEndItsStreamsAndLetNoneBegin) {
  RawBot alice(&referee_, "alice");
  ASSERT_TRUE(Ban(OfAccount("alice")).ok());
  const grpc::Status end = alice.End();
  EXPECT_EQ(end.error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_THAT(end.error_message(), HasSubstr("the account of 'alice' is banned (floods)"));
  RawBot again(referee_.NewChannel());
  again.Say(HelloAs("alice"));
  EXPECT_EQ(again.End().error_code(), grpc::StatusCode::PERMISSION_DENIED);
}

// By none of these an organiser decides a match that has begun.
TEST_F(Bans, AndWhateverElseShutsABotOutBeginWhenItsMatchesAreOver) {
  const auto call = [this](auto method, auto request, auto response, const char* name) {
    request.set_name(name);
    return (admin_.get()->*method)(NewContext("olga").get(), request, &response);
  };
  using Stub = v1::AdminService::Stub;
  const std::pair<const char*, std::function<grpc::Status()>> ways[] = {
      {"alice", [this] { return Ban(OfAccount("alice")); }},
      {"carol",
       [&] {
         return call(&Stub::DisableBot, v1::DisableBotRequest(), v1::DisableBotResponse(), "carol");
       }},
      {"erin",
       [&] {
         return call(&Stub::RotateToken, v1::RotateTokenRequest(), v1::RotateTokenResponse(),
                     "erin");
       }},
      {"frank",
       [&] {
         return call(&Stub::RemoveBot, v1::RemoveBotRequest(), v1::RemoveBotResponse(), "frank");
       }},
  };
  RawBot bob(&referee_, "bob");
  for (const auto& [name, shut_out] : ways) {
    SCOPED_TRACE(name);
    RawBot bot(&referee_, name);
    const std::string match_id = referee_.Create({name, "bob"});
    for (RawBot* one : {&bot, &bob}) one->Hear(v1::RefereeItem::kMatchStart);
    const grpc::Status done = shut_out();
    ASSERT_TRUE(done.ok()) << done.error_message();
    for (RawBot* one : {&bot, &bob}) one->Say(ReadyFor(match_id));
    const auto ends = PlayAll({&bot, &bob}, 1);
    ASSERT_EQ(ends[0].size(), 1u);
    EXPECT_EQ(ends[0][0].verdict().state(), v1::MATCH_STATE_FINISHED);
    EXPECT_EQ(ends[0][0].verdict().forfeits_size(), 0);
    EXPECT_NE(bot.End().error_code(), grpc::StatusCode::OK);
  }
}

TEST_F(Bans, OfANetworkBeginWhenTheMatchesFromThereAreOver) {
  RawBot alice(&referee_, "alice");
  RawBot bob(&referee_, "bob");
  const std::string match_id = referee_.Create({"alice", "bob"});
  for (RawBot* bot : {&alice, &bob}) bot->Hear(v1::RefereeItem::kMatchStart);
  ASSERT_TRUE(Ban(OfAddress("127.0.0.0/8")).ok());
  // Others are not let in any more, and are cut off; connections that play are not.
  while (List("") != grpc::StatusCode::UNAVAILABLE) continue;
  for (RawBot* bot : {&alice, &bob}) bot->Say(ReadyFor(match_id));
  const auto ends = PlayAll({&alice, &bob}, 1);
  ASSERT_EQ(ends[0].size(), 1u);
  EXPECT_EQ(ends[0][0].verdict().forfeits_size(), 0);
  EXPECT_EQ(alice.End().error_code(), grpc::StatusCode::PERMISSION_DENIED);
}

TEST_F(Bans, ThatHoldNowCancelTheMatchesAndSaySoInReplayAndAudit) {
  RawBot alice(&referee_, "alice");
  RawBot bob(&referee_, "bob");
  const std::string match_id = referee_.Create({"alice", "bob"});
  alice.Hear(v1::RefereeItem::kMatchStart);
  v1::AddBanRequest request = OfAccount("alice");
  request.set_now(true);
  ASSERT_TRUE(Ban(request).ok());
  const v1::Verdict verdict = referee_.WaitForVerdict(match_id);
  EXPECT_EQ(verdict.state(), v1::MATCH_STATE_CANCELLED);
  EXPECT_EQ(verdict.reason(), "cancelled: alice was banned: floods");
  EXPECT_EQ(verdict.cancelled_by(), "olga");
  EXPECT_EQ(verdict.forfeits_size(), 0);
  EXPECT_EQ(alice.End().error_code(), grpc::StatusCode::PERMISSION_DENIED);
  const auto audit = referee_.store().ListAudit(0, 2);
  ASSERT_TRUE(audit.ok());
  EXPECT_EQ(audit->at(0).action, "match.cancel");
  EXPECT_EQ(audit->at(0).subject, match_id);
  EXPECT_EQ(audit->at(0).detail, "alice was banned: floods");
  EXPECT_EQ(audit->at(1).action, "ban.add");
  EXPECT_EQ(audit->at(1).detail, "now, floods");
}

// The store is all that referees of a fleet share.
TEST_F(Bans, ThatHoldNowAtAnotherRefereeOfTheStoreCancelTheMatchesHereToo) {
  RawBot alice(&referee_, "alice");
  RawBot bob(&referee_, "bob");
  const std::string match_id = referee_.Create({"alice", "bob"});
  alice.Hear(v1::RefereeItem::kMatchStart);
  store::Ban ban;
  ban.subject = "alice";
  ban.reason = "floods";
  ban.create_time = absl::Now();
  ban.cancelled_by = "olga";
  store::AuditEntry entry;
  entry.time = ban.create_time;
  entry.who = "olga";
  entry.action = "ban.add";
  entry.subject = "alice";
  ASSERT_TRUE(referee_.store().SetBan(ban, entry).ok());
  const v1::Verdict verdict = referee_.WaitForVerdict(match_id);
  EXPECT_EQ(verdict.state(), v1::MATCH_STATE_CANCELLED);
  EXPECT_EQ(verdict.reason(), "cancelled: alice was banned: floods");
  EXPECT_EQ(verdict.cancelled_by(), "olga");
  EXPECT_EQ(alice.End().error_code(), grpc::StatusCode::PERMISSION_DENIED);
  const auto audit = referee_.store().ListAudit(0, 2);
  ASSERT_TRUE(audit.ok());
  EXPECT_EQ(audit->at(0).action, "match.cancel");
  EXPECT_EQ(audit->at(0).who, "olga");
  EXPECT_EQ(audit->at(0).subject, match_id);
  EXPECT_EQ(audit->at(1).action, "ban.add");
}

TEST_F(Bans, OfANetworkThatHoldNowCancelTheMatchesOfWhoPlaysFromThere) {
  RawBot alice(&referee_, "alice");
  RawBot bob(&referee_, "bob");
  referee_.Create({"alice", "bob"});
  alice.Hear(v1::RefereeItem::kMatchStart);
  v1::AddBanRequest request = OfAddress("127.0.0.0/8");
  request.set_now(true);
  ASSERT_TRUE(Ban(request).ok());
  for (RawBot* bot : {&alice, &bob}) {
    EXPECT_EQ(bot->End().error_code(), grpc::StatusCode::PERMISSION_DENIED);
  }
}

TEST_F(Bans, OfAnAccountHoldAtEveryCallAndForNobodyElse) {
  ASSERT_TRUE(Ban(OfAccount("alice")).ok());
  EXPECT_EQ(List("alice"), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(List("bob"), grpc::StatusCode::OK);
  EXPECT_EQ(List(""), grpc::StatusCode::OK);
  RawBot bob(&referee_, "bob");
  v1::RemoveBanRequest lift;
  lift.set_account("alice");
  v1::RemoveBanResponse lifted;
  ASSERT_TRUE(admin_->RemoveBan(NewContext("olga").get(), lift, &lifted).ok());
  EXPECT_EQ(List("alice"), grpc::StatusCode::OK);
  EXPECT_EQ(admin_->RemoveBan(NewContext("olga").get(), lift, &lifted).error_code(),
            grpc::StatusCode::NOT_FOUND);
}

TEST_F(Bans, OfAnAddressEndWhatIsWatchedFromThereAndWhatPlays) {
  v1::WatchMatchRequest request;
  request.set_match_id(referee_.Create({"alice", "bob"}));
  const auto context = NewContext();
  const auto watch = referee_.matches().WatchMatch(context.get(), request);
  v1::WatchMatchResponse event;
  ASSERT_TRUE(watch->Read(&event));
  RawBot carol(&referee_, "carol");
  ASSERT_TRUE(Ban(OfAddress("127.0.0.0/8")).ok());
  EXPECT_EQ(carol.End().error_code(), grpc::StatusCode::PERMISSION_DENIED);
  while (watch->Read(&event)) continue;
  EXPECT_EQ(watch->Finish().error_code(), grpc::StatusCode::PERMISSION_DENIED);
  // Soon after having been told why, nobody has a connection any more.
  for (const char* name : {"", "alice", "olga"}) {
    while (List(name) == grpc::StatusCode::PERMISSION_DENIED) continue;
    EXPECT_EQ(List(name), grpc::StatusCode::UNAVAILABLE) << name;
  }
  RawBot late(referee_.NewChannel());
  EXPECT_EQ(late.End().error_code(), grpc::StatusCode::UNAVAILABLE);
}

TEST_F(Bans, OfAnotherAddressAreNobodysHere) {
  ASSERT_TRUE(Ban(OfAddress("10.0.0.0/8")).ok());
  EXPECT_EQ(List(""), grpc::StatusCode::OK);
}

TEST_F(Bans, MadeBesideTheRefereeHoldSoon) {
  RawBot alice(&referee_, "alice");
  const store::Ban ban{store::Ban::Kind::kAccount, "alice", "", absl::Now(), absl::nullopt};
  ASSERT_TRUE(referee_.store().SetBan(ban, {}).ok());
  EXPECT_EQ(alice.End().error_code(), grpc::StatusCode::PERMISSION_DENIED);
}

TEST_F(Bans, AreListedAndAudited) {
  v1::AddBanRequest request = OfAddress("2001:db8::7");
  request.mutable_duration()->set_seconds(3'600);
  ASSERT_TRUE(Ban(request).ok());
  ASSERT_TRUE(Ban(OfAccount("alice")).ok());
  v1::ListBansResponse listed;
  ASSERT_TRUE(admin_->ListBans(NewContext("olga").get(), {}, &listed).ok());
  ASSERT_EQ(listed.bans_size(), 2);
  EXPECT_EQ(listed.bans(0).account(), "alice");
  EXPECT_EQ(listed.bans(1).address(), "2001:db8::/64");
  EXPECT_EQ(listed.bans(1).until().seconds() - listed.bans(1).create_time().seconds(), 3'600);
  const auto audit = referee_.store().ListAudit(0, 2);
  ASSERT_TRUE(audit.ok());
  EXPECT_EQ(audit->at(0).action, "ban.add");
  EXPECT_EQ(audit->at(0).who, "olga");
  EXPECT_EQ(audit->at(1).detail, "for 1h");
}

TEST_F(Bans, ThatAreOverAreNotListed) {
  const store::Ban ban{store::Ban::Kind::kAccount, "alice", "", absl::Now() - absl::Hours(2),
                       absl::Now() - absl::Hours(1)};
  ASSERT_TRUE(referee_.store().SetBan(ban, {}).ok());
  v1::ListBansResponse listed;
  ASSERT_TRUE(admin_->ListBans(NewContext("olga").get(), {}, &listed).ok());
  EXPECT_EQ(listed.bans_size(), 0);
}

TEST_F(Bans, OfAnAccountThatDoesNotExistAreRefused) {
  const grpc::Status refused = Ban(OfAccount("allice"));
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_THAT(refused.error_message(), HasSubstr("account 'allice': there is none of this name"));
}

TEST_F(Bans, OfTheLastOrganiserAreRefusedAsDisablingIs) {
  const grpc::Status refused = Ban(OfAccount("olga"));
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(refused.error_message(), HasSubstr("the last organiser"));
  EXPECT_EQ(List("olga"), grpc::StatusCode::OK);
}

TEST_F(Bans, AreRefusedThatMakeNoSense) {
  v1::AddBanRequest nobody;
  EXPECT_EQ(Ban(nobody).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(Ban(OfAddress("10.0.0.1/8")).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  v1::AddBanRequest past = OfAccount("alice");
  past.mutable_duration()->set_seconds(-1);
  EXPECT_EQ(Ban(past).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  v1::AddBanRequest endless = OfAccount("alice");
  endless.mutable_duration()->set_seconds(INT64_MAX);
  EXPECT_EQ(Ban(endless).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

}  // namespace
}  // namespace referee::testing
