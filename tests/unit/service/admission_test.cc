#include "referee/service/play/admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/cord.h"
#include "referee/service/errors.h"
#include "tests/support/fake_link.h"

namespace referee::service {
namespace {

using referee::testing::FakeLink;
using ::testing::HasSubstr;

constexpr absl::StatusCode kExhausted = absl::StatusCode::kResourceExhausted;

// Small limits, and a clock that tests move.
class AdmissionTest : public ::testing::Test {
 protected:
  AdmissionTest() {
    limits_.messages = {10, 20};
    limits_.bytes = {1'000, 2'000};
    limits_.unasked = {2, 5};
    limits_.faults = {1, 3};
    limits_.hellos = {1, 4};
    limits_.bad_tokens = {1, 4};
    limits_.bad_addresses = 3;
    limits_.streams = 8;
    limits_.silent_streams = 3;
    limits_.streams_per_bot = 3;
    limits_.queued_bytes_of_all = 1'000;
  }

  uint64_t Enter() {
    links_.push_back(std::make_shared<FakeLink>());
    return admission_.Enter(links_.back(), peer_).value();
  }
  std::shared_ptr<Allowance> Greet(const std::string& bot) {
    return admission_.Greet(Enter(), bot, now_).value();
  }
  void Pass(absl::Duration time) { now_ = now_ + time; }

  // A stream from `peer` comes with a token that nobody has. Returns whether it has to wait.
  absl::Status GuessFrom(absl::string_view peer) {
    const auto ticket = admission_.Enter(std::make_shared<FakeLink>(), peer);
    if (!ticket.ok()) return ticket.status();
    const absl::Status taken = admission_.TakeBadToken(*ticket, now_);
    admission_.Leave(*ticket);
    return taken;
  }

  const std::string peer_ = "ipv4:10.0.0.7:40122";
  Instant now_ = Instant::FromNanos(1'000'000'000);
  StreamLimits limits_;
  Admission admission_{limits_};
  std::vector<std::shared_ptr<FakeLink>> links_;
};

TEST_F(AdmissionTest, RefusesStreamsBeyondTheLimitUntilOneLeaves) {
  std::vector<uint64_t> tickets;
  for (int i = 0; i < limits_.streams; ++i) {
    tickets.push_back(Enter());
    ASSERT_TRUE(admission_.Greet(tickets.back(), std::to_string(i), now_).ok());
  }
  const auto link = std::make_shared<FakeLink>();
  const absl::Status refused = admission_.Enter(link, peer_).status();
  EXPECT_EQ(refused.code(), kExhausted);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("8 streams are open"));
  admission_.Leave(tickets[3]);
  EXPECT_TRUE(admission_.Enter(link, peer_).ok());
  EXPECT_FALSE(admission_.Enter(link, peer_).ok());
}

TEST_F(AdmissionTest, NamesTheStreamForWhichMostWaitsWhenTooMuchWaitsForAll) {
  const uint64_t alice = Enter();
  const uint64_t bob = Enter();
  const uint64_t carol = Enter();
  ASSERT_TRUE(admission_.Greet(alice, "alice", now_).ok());
  ASSERT_TRUE(admission_.Greet(bob, "bob", now_).ok());
  EXPECT_EQ(admission_.NoteQueued(carol, 5'000), nullptr) << "nothing waits before Hello";
  EXPECT_EQ(admission_.NoteQueued(alice, 600), nullptr);
  EXPECT_EQ(admission_.NoteQueued(bob, 400), nullptr);
  EXPECT_EQ(admission_.NoteQueued(bob, 401), links_[0]);
  // Who is being closed weighs on nobody.
  EXPECT_EQ(admission_.NoteQueued(alice, 900), nullptr);
  EXPECT_EQ(admission_.NoteQueued(bob, 1'000), nullptr);
  EXPECT_EQ(admission_.NoteQueued(bob, 300), nullptr);
  ASSERT_TRUE(admission_.Greet(carol, "carol", now_).ok());
  EXPECT_EQ(admission_.NoteQueued(carol, 700), nullptr);
  admission_.Leave(bob);
  EXPECT_EQ(admission_.NoteQueued(carol, 1'000), nullptr);
  EXPECT_EQ(admission_.NoteQueued(carol, 1'001), links_[2]);
}

TEST_F(AdmissionTest, ClosesTheStreamThatHasBeenSilentLongestToMakeRoom) {
  const uint64_t first = Enter();
  Enter();
  Enter();
  // Who has said Hello is silent no more.
  ASSERT_TRUE(admission_.Greet(first, "alice", now_).ok());
  Enter();
  for (const auto& link : links_) EXPECT_FALSE(link->closed.has_value());
  Enter();
  EXPECT_FALSE(links_[0]->closed.has_value());
  EXPECT_EQ(links_[1]->closed.value().code(), kExhausted);
  EXPECT_THAT(std::string(links_[1]->closed.value().message()), HasSubstr("have not said hello"));
  for (int i = 2; i < 5; ++i) EXPECT_FALSE(links_[i]->closed.has_value()) << i;
}

TEST_F(AdmissionTest, CountsAStreamThatWasClosedUntilItLeaves) {
  for (int i = 0; i < limits_.streams; ++i) Enter();
  EXPECT_FALSE(admission_.Enter(links_[0], peer_).ok());
}

TEST_F(AdmissionTest, RefusesABotThatConnectsTooOften) {
  for (int i = 0; i < 4; ++i) {
    const uint64_t ticket = Enter();
    EXPECT_TRUE(admission_.Greet(ticket, "alice", now_).ok()) << i;
    admission_.Leave(ticket);
  }
  const absl::Status refused = admission_.Greet(Enter(), "alice", now_).status();
  EXPECT_EQ(refused.code(), kExhausted);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("bot 'alice' connects more than 1 times"));
  EXPECT_TRUE(admission_.Greet(Enter(), "bob", now_).ok()) << "others are no part of it";
  Pass(absl::Seconds(1));
  EXPECT_TRUE(admission_.Greet(Enter(), "alice", now_).ok());
}

TEST_F(AdmissionTest, RefusesABotWhoseStreamsAreNotDoneWith) {
  std::vector<uint64_t> tickets;
  for (int i = 0; i < 3; ++i) {
    tickets.push_back(Enter());
    EXPECT_TRUE(admission_.Greet(tickets.back(), "alice", now_).ok());
  }
  const absl::Status refused = admission_.Greet(Enter(), "alice", now_).status();
  EXPECT_EQ(refused.code(), kExhausted);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("has 3 streams"));
  admission_.Leave(tickets[0]);
  Pass(absl::Seconds(10));
  EXPECT_TRUE(admission_.Greet(Enter(), "alice", now_).ok());
}

TEST_F(AdmissionTest, TakesNoMoreMessagesThanItsRate) {
  const auto alice = Greet("alice");
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(alice->TakeMessage(1, now_).ok()) << i;
  const absl::Status refused = alice->TakeMessage(1, now_);
  EXPECT_EQ(refused.code(), kExhausted);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("10 messages a second"));
  Pass(absl::Milliseconds(100));
  EXPECT_TRUE(alice->TakeMessage(1, now_).ok());
  EXPECT_FALSE(alice->TakeMessage(1, now_).ok());
}

TEST_F(AdmissionTest, TakesNoMoreBytesThanItsRate) {
  const auto alice = Greet("alice");
  EXPECT_TRUE(alice->TakeMessage(2'000, now_).ok());
  const absl::Status refused = alice->TakeMessage(1, now_);
  EXPECT_EQ(refused.code(), kExhausted);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("1000 bytes a second"));
  Pass(absl::Milliseconds(500));
  EXPECT_TRUE(alice->TakeMessage(500, now_).ok());
}

TEST_F(AdmissionTest, TakesNoMoreThatNobodyAskedForThanItsRate) {
  const auto alice = Greet("alice");
  EXPECT_TRUE(alice->TakeUnasked(5, now_).ok());
  const absl::Status refused = alice->TakeUnasked(1, now_);
  EXPECT_EQ(refused.code(), kExhausted);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("2 items a second that nobody asked for"));
}

TEST_F(AdmissionTest, TakesNoMoreFaultsThanItsRateWhateverElseIsSaid) {
  const auto alice = Greet("alice");
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(alice->TakeFault(now_).ok());
    EXPECT_TRUE(alice->TakeMessage(1, now_).ok());
  }
  const absl::Status refused = alice->TakeFault(now_);
  EXPECT_EQ(refused.code(), kExhausted);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("1 faults a second"));
}

TEST_F(AdmissionTest, GivesAnOffenderThatComesBackNothingAnew) {
  const auto before = Greet("alice");
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(before->TakeFault(now_).ok());
  EXPECT_FALSE(Greet("alice")->TakeFault(now_).ok());
  EXPECT_TRUE(Greet("bob")->TakeFault(now_).ok());
}

TEST_F(AdmissionTest, AnAddressThatSendsManyBadTokensWaitsForItsNext) {
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(GuessFrom("ipv4:10.0.0.8:1").ok());
  const absl::Status refused = GuessFrom("ipv4:10.0.0.8:2");
  EXPECT_EQ(refused.code(), kExhausted);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("come from 10.0.0.8 "));
  EXPECT_THAT(std::string(refused.message()), HasSubstr("call again in 1s"));
  EXPECT_EQ(refused.GetPayload(kRetryAfter), absl::Cord("1000"));
  EXPECT_TRUE(GuessFrom("ipv4:10.0.0.9:2").ok()) << "others are no part of it";
  Pass(absl::Seconds(1));
  EXPECT_TRUE(GuessFrom("ipv4:10.0.0.8:3").ok());
  EXPECT_FALSE(GuessFrom("ipv4:10.0.0.8:3").ok());
}

TEST_F(AdmissionTest, ABotWithARightTokenNeverWaitsForThoseWhoGuessAtItsAddress) {
  while (GuessFrom(peer_).ok()) continue;
  for (const char* bot : {"alice", "bob", "carol"}) {
    const auto ticket = admission_.Enter(std::make_shared<FakeLink>(), peer_);
    ASSERT_TRUE(ticket.ok()) << ticket.status();
    EXPECT_TRUE(admission_.Greet(*ticket, bot, now_).ok());
    EXPECT_FALSE(GuessFrom(peer_).ok()) << "nor does its coming help them";
  }
}

TEST_F(AdmissionTest, RemembersSoManyBadAddressesAndForgetsThemInTime) {
  const auto guess_often = [&](absl::string_view peer) {
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(GuessFrom(peer).ok());
    return GuessFrom(peer).ok();
  };
  EXPECT_FALSE(guess_often("ipv4:10.0.0.1:1"));
  EXPECT_FALSE(guess_often("ipv6:[::2]:1"));
  EXPECT_FALSE(guess_often("unix:"));
  EXPECT_TRUE(guess_often("ipv4:10.0.0.4:1"));
  Pass(absl::Seconds(4));
  EXPECT_FALSE(guess_often("ipv4:10.0.0.4:1"));
}

}  // namespace
}  // namespace referee::service
