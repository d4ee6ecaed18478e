// Tests of bots that do not read, and of writes that fail.
#include "referee/service/play/bot_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/service/bot_session_fixture.h"

namespace referee::service {
namespace {

using ::testing::ElementsAre;

TEST_F(BotSessionTest, ABotThatDoesNotReadIsDisconnectedWhenTooMuchWaitsForAll) {
  limits_.queued_bytes_of_all = 2'000;
  const Guest bob = Come("bob");
  const Guest alice = Come("alice");  // she never takes her welcome, and provokes faults
  v1::BotItem provoking;
  provoking.mutable_resign()->set_match_id("no such match");
  for (int i = 0; i < 100 && alice->reading; ++i) Say(alice, provoking);
  EXPECT_FALSE(alice->reading);
  timers_.Advance(absl::Seconds(6));
  EXPECT_TRUE(alice->cancelled);
  EXPECT_FALSE(bob->cancelled);
  EXPECT_EQ(bob->finished, "");
}

TEST_F(BotSessionTest, ABotThatReadsIsNotDisconnectedHoweverMuchIsSaid) {
  limits_.queued_bytes_of_all = 20'000;
  const Guest alice = Come("alice");
  v1::BotItem provoking;
  provoking.mutable_resign()->set_match_id("no such match");
  for (int i = 0; i < 1'000; ++i) {
    Say(alice, provoking);
    if (i % 50 == 0) alice->EndWrite();
    if (!alice->reading) timers_.Advance(absl::Milliseconds(101));
  }
  EXPECT_FALSE(alice->cancelled);
  EXPECT_EQ(alice->finished, "");
}

TEST_F(BotSessionTest, ABotThatDoesNotReadHasNoMoreTimeThanItsLimit) {
  Begin();
  timers_.Advance(absl::Seconds(10) + absl::Milliseconds(5));
  bool over = false;
  host_->Find(MatchId::Parse(id_).value())->Inspect([&](const host::MatchRunner& runner) {
    over = runner.ended() != nullptr;
  });
  EXPECT_TRUE(over);
}

TEST_F(BotSessionTest, ARequestThatABotTakesLateIsChargedFromWhenItsTurnWasDue) {
  Begin();
  Guest& first = First();
  Guest& second = Second();
  second->ends_at_once = true;
  second->EndWrite();
  clock_.Advance(absl::Milliseconds(300));
  first->EndWrite();  // "ask 1" goes out
  clock_.Advance(absl::Milliseconds(100));
  first->EndWrite();
  SayLegalMove(first);
  EXPECT_EQ(second->played.turn(), 1u);
  EXPECT_EQ(second->played.time_used().nanos(), 400'000'000);
}

TEST_F(BotSessionTest, ARequestThatWaitsForAnotherWriteIsChargedFromItsHandover) {
  Begin();
  Guest& first = First();
  Guest& second = Second();
  second->ends_at_once = true;
  second->EndWrite();
  clock_.Advance(absl::Milliseconds(3));
  first->EndWrite();
  clock_.Advance(absl::Milliseconds(100));
  first->EndWrite();
  SayLegalMove(first);
  EXPECT_EQ(second->played.time_used().nanos(), 100'000'000);
}

TEST_F(BotSessionTest, AFailedWriteEndsTheStream) {
  Begin();
  const Guest& first = First();
  first->EndWrite(/*ok=*/false);
  EXPECT_EQ(first->finished, "CANCELLED");
  EXPECT_FALSE(first->writing);
  first.session->OnDone();  // as a transport does then
}

TEST_F(BotSessionTest, ABotToWhichAWriteFailsHasLostItsLink) {
  Begin();
  Guest& first = First();
  Guest& second = Second();
  const Seat seat = second.session->bot()->FindSlot(id_).seat;
  first->ends_at_once = true;
  first->EndWrite();
  second->EndWrite(/*ok=*/false);
  SayLegalMove(first);
  timers_.Advance(absl::Seconds(10) + absl::Milliseconds(5));
  std::vector<match::SeatForfeit> forfeits;
  host_->Find(MatchId::Parse(id_).value())->Inspect([&](const host::MatchRunner& runner) {
    if (runner.ended() != nullptr) forfeits = runner.ended()->forfeits;
  });
  EXPECT_THAT(forfeits, ElementsAre(match::SeatForfeit{seat, match::Cause::kDisconnected}));
  second.session->OnDone();
}

}  // namespace
}  // namespace referee::service
