// Tests of the cost, in a bot's matches, of sending refused items.
#include <gtest/gtest.h>

#include <string>

#include "absl/status/status.h"
#include "referee/base/limits.h"
#include "tests/unit/service/bot_session_fixture.h"

namespace referee::service {
namespace {

class BotSessionRefusalTest : public BotSessionTest {
 protected:
  // A match in which the first to move has lost its stream, which `refused` has ended.
  template <typename Refuse>
  void BeginAndRefuse(Refuse refuse) {
    ComeBoth();
    CreateMatch();
    clock_.Advance(kRoundTrip);
    SayReady(alice_);
    SayReady(bob_);
    refuse(First());
  }
  // Plays the next turn, on a new stream if need be, and returns whether the referee's stalls were
  // charged to it.
  bool NextTurnIsCharged(const std::string& name) {
    const Guest back = Come(name);
    back->ends_at_once = true;
    back->EndWrite();
    clock_.Advance(kRoundTrip);
    SayLegalMove(back);
    bool charged = false;
    host_->Find(MatchId::Parse(id_).value())->Inspect([&](const host::MatchRunner& runner) {
      charged = runner.match()->last_turn()->timing->stalls_charged;
    });
    return charged;
  }
  std::string NameOfFirst() { return IsFirst(alice_) ? "alice" : "bob"; }
};

TEST_F(BotSessionRefusalTest, ABotThatSendsTooMuchIsChargedTheStallsOfTheReferee) {
  std::string name;
  BeginAndRefuse([&](const Guest& mover) {
    name = NameOfFirst();
    v1::PlayRequest request;
    for (int i = 0; i <= limits::kMaxItemsReceived; ++i) request.add_items();
    mover->reading = false;
    mover.session->OnRead(request, clock_.Now());
    EXPECT_NE(mover->finished, "");
  });
  EXPECT_TRUE(NextTurnIsCharged(name));
  EXPECT_FALSE(NextTurnIsCharged(name == "alice" ? "bob" : "alice")) << "others pay nothing";
}

TEST_F(BotSessionRefusalTest, ABotThatSendsNoMessageIsChargedThem) {
  std::string name;
  BeginAndRefuse([&](const Guest& mover) {
    name = NameOfFirst();
    mover.session->Refuse(absl::InvalidArgumentError("a message that is no PlayRequest"));
  });
  EXPECT_TRUE(NextTurnIsCharged(name));
}

TEST_F(BotSessionRefusalTest, ABotThatCommitsTooManyFaultsIsChargedThem) {
  limits_.faults = {0, 2};
  std::string name;
  BeginAndRefuse([&](const Guest& mover) {
    name = NameOfFirst();
    v1::BotItem item;
    item.mutable_resign()->set_match_id("none");
    for (int i = 0; i < 2; ++i) Say(mover, item);
    EXPECT_EQ(mover->finished, "");
    Say(mover, item);
    EXPECT_EQ(mover->finished, "RESOURCE_EXHAUSTED");
  });
  EXPECT_TRUE(NextTurnIsCharged(name));
}

TEST_F(BotSessionRefusalTest, ABotThatConnectsTooOftenIsChargedThem) {
  limits_.hellos = {0, 2};
  std::string name;
  BeginAndRefuse([&](const Guest&) {
    name = NameOfFirst();
    Come(name)->EndWrite();
    EXPECT_EQ(Come(name)->finished, "RESOURCE_EXHAUSTED");
  });
  timers_.Advance(absl::Seconds(11));  // its time runs out
  host_->Find(MatchId::Parse(id_).value())->Inspect([](const host::MatchRunner& runner) {
    ASSERT_FALSE(runner.match()->forfeits().empty());
    EXPECT_TRUE(runner.match()->forfeits()[0].timing->stalls_charged);
  });
}

TEST_F(BotSessionRefusalTest, ABotIsChargedThemInMatchesThatBeginSoonAfter) {
  const auto first_turn_is_charged = [this](absl::Duration after) {
    for (const char* name : {"alice", "bob"}) host_->NoteRefused(name);
    clock_.Advance(after);
    BeginAndRefuse([](const Guest&) {});
    const bool charged = NextTurnIsCharged(NameOfFirst());
    EXPECT_TRUE(host_->Cancel(MatchId::Parse(id_).value(), "enough").ok());
    return charged;
  };
  ComeBoth();
  EXPECT_TRUE(first_turn_is_charged(absl::Minutes(9)));
  EXPECT_FALSE(first_turn_is_charged(absl::Minutes(11)));
}

TEST_F(BotSessionRefusalTest, ABotThatOnlyLosesItsStreamIsNot) {
  std::string name;
  BeginAndRefuse([&](const Guest& mover) {
    name = NameOfFirst();
    mover.session->Close(absl::OkStatus());
  });
  EXPECT_FALSE(NextTurnIsCharged(name));
}

}  // namespace
}  // namespace referee::service
