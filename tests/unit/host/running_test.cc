// Tests of the messages of a running match: one stream a bot, lost and new connections, the end.
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/limits.h"
#include "tests/unit/host/duel.h"
#include "tests/unit/host/host_fixture.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(HostRunning, PlaysAMatchToItsEndAndSealsIt) {
  Duel duel(3);
  duel.BothReady();
  duel.Reply(duel.id, duel.ada, 1);
  duel.Reply(duel.id, duel.bob, 2);
  duel.Reply(duel.id, duel.ada, 3);
  EXPECT_THAT(duel.ada.link->notes, ElementsAre("start", "ask 1", "played 2", "ask 3", "ended"));
  EXPECT_THAT(duel.bob.link->notes, ElementsAre("start", "played 1", "ask 2", "played 3", "ended"));
  EXPECT_TRUE(duel.recorded().sealed);
  EXPECT_THAT(duel.recorded().records, SizeIs(5));  // started, three turns, ended
  EXPECT_EQ(duel.EndOf(duel.id)->ending, match::Ending::kFinished);
  EXPECT_EQ(duel.ada.bot->free_slots(), 1);
}

// Ada does not read for so long, and then thinks for 70 ms. Returns what she is charged.
absl::Duration UsedAfterNotReadingFor(absl::Duration unread) {
  Duel duel;
  duel.ada.link->stuck = true;
  duel.BothReady();
  duel.timers.Advance(unread);
  duel.ada.link->stuck = false;
  duel.ada.link->Flush();
  duel.timers.Advance(absl::Milliseconds(70));
  duel.Reply(duel.id, duel.ada, 1);
  return std::get<match::Played>(duel.recorded().records.back()).used;
}

TEST(HostRunning, TimeIsCountedFromTheHandoverToTheReply) {
  EXPECT_EQ(UsedAfterNotReadingFor(absl::ZeroDuration()), absl::Milliseconds(70));
  EXPECT_EQ(UsedAfterNotReadingFor(limits::kHandoverLimit), absl::Milliseconds(70));
}

TEST(HostRunning, TimeIsCountedFromWhenTheTurnWasDueForABotThatDoesNotRead) {
  EXPECT_EQ(UsedAfterNotReadingFor(absl::Milliseconds(300)), absl::Milliseconds(370));
}

TEST(HostRunning, SilentBotLosesOnTimeWithoutAnybodyAsking) {
  Duel duel;
  duel.BothReady();
  duel.timers.Advance(absl::Milliseconds(600));
  EXPECT_THAT(duel.bob.link->notes, ElementsAre("start", "forfeited a", "ended"));
  EXPECT_EQ(duel.EndOf(duel.id)->ending, match::Ending::kFinished);
}

TEST(HostRunning, BotThatNeverReadsCannotHoldAMatchUp) {
  Duel duel;
  duel.ada.link->stuck = true;
  duel.BothReady();
  duel.timers.Advance(limits::kHandoverLimit + absl::Seconds(1));
  EXPECT_THAT(duel.bob.link->notes, ElementsAre("start", "forfeited a", "ended"));
}

TEST(HostRunning, MatchThatIsOverKeepsNoLinks) {
  Duel duel;
  duel.BothReady();
  duel.Post(duel.id, duel.ada, match::Resigned());
  duel.host->Detach(duel.ada.bot, duel.ada.link.get());
  const std::weak_ptr<NotingLink> link = duel.ada.link;
  duel.ada.link = nullptr;
  EXPECT_TRUE(link.expired());
  EXPECT_TRUE(duel.EndOf(duel.id).has_value());
}

TEST(HostRunning, ReplyThatComesAfterTheEndIsAnsweredToNobody) {
  Duel duel(3);
  const host::Bot::Slot ada = duel.ada.bot->FindSlot(duel.id.text());
  duel.BothReady();
  for (uint32_t turn = 1; turn <= 3; ++turn)
    duel.Reply(duel.id, turn == 2 ? duel.bob : duel.ada, turn);
  match::Replied late;
  late.seat = ada.seat;
  late.turn = 4;
  ada.runner->Post(late, duel.clock.Now());
  EXPECT_EQ(duel.ada.link->notes.back(), "ended");
}

TEST(HostRunning, ReplyReadInTimeCountsThoughATimerOfATurnBeforeComesFirst) {
  Duel duel;
  duel.BothReady();
  const Instant asked = duel.clock.Now();
  duel.timers.Advance(absl::Milliseconds(1));
  duel.Reply(duel.id, duel.ada, 1);
  // Past bob's time, and past when the timer for ada's fires.
  duel.timers.Advance(absl::Microseconds(501'500));
  match::Replied replied;
  replied.turn = 2;
  replied.claimed = games::Move(1);
  const host::Bot::Slot slot = duel.bob.bot->FindSlot(duel.id.text());
  ASSERT_NE(slot.runner, nullptr);
  replied.seat = slot.seat;
  slot.runner->Post(replied, asked + absl::Milliseconds(501));
  EXPECT_THAT(duel.ada.link->notes, ElementsAre("start", "ask 1", "played 2", "ask 3"));
}

TEST(HostRunning, ReadyLimitIsWatchedToo) {
  Duel duel;
  duel.Ready(duel.id, duel.ada);
  duel.timers.Advance(limits::kReadyLimit + absl::Seconds(1));
  EXPECT_THAT(duel.ada.link->notes, ElementsAre("start", "forfeited b", "ended"));
}

TEST(HostLinks, BotThatComesBackHearsTheWholeStateFirstAndThenItsTurn) {
  Duel duel;
  duel.BothReady();
  duel.host->Detach(duel.ada.bot, duel.ada.link.get());
  const HostFixture::Guest again = duel.Come("ada");
  EXPECT_THAT(again.link->notes, ElementsAre("resumed", "ask 1"));
  duel.Reply(duel.id, again, 1);
  EXPECT_THAT(duel.bob.link->notes, ElementsAre("start", "played 1", "ask 2"));
}

TEST(HostLinks, ClockRunsOnWhileABotIsGone) {
  Duel duel;
  duel.BothReady();
  duel.timers.Advance(absl::Milliseconds(300));
  duel.host->Detach(duel.ada.bot, duel.ada.link.get());
  duel.timers.Advance(absl::Milliseconds(300));
  ASSERT_TRUE(duel.EndOf(duel.id).has_value());
  const auto& forfeited =
      std::get<match::Forfeited>(duel.recorded().records[duel.recorded().records.size() - 2]);
  EXPECT_EQ(forfeited.cause, match::Cause::kDisconnected);
}

TEST(HostLinks, SecondLinkTakesOverAndTheFirstIsClosed) {
  Duel duel;
  duel.BothReady();
  const HostFixture::Guest second = duel.Come("ada");
  EXPECT_THAT(duel.ada.link->closed.value().ToString(), HasSubstr("taken over"));
  EXPECT_THAT(second.link->notes, ElementsAre("resumed", "ask 1"));
  // The old link's end says nothing about the new one.
  duel.host->Detach(duel.ada.bot, duel.ada.link.get());
  EXPECT_TRUE(duel.host->connected("ada"));
}

TEST(HostDrain, RunningMatchesAreVoidAndWaitingOnesCancelledWhenTimeIsUp) {
  Duel duel;
  duel.BothReady();
  const MatchId waiting = duel.Create({"ada", "bob"});
  duel.host->Drain(absl::ZeroDuration(), host::Host::Rest::kVoid);
  EXPECT_EQ(duel.EndOf(duel.id)->ending, match::Ending::kVoid);
  EXPECT_EQ(duel.EndOf(waiting)->ending, match::Ending::kCancelled);
  EXPECT_TRUE(duel.recorded().sealed);
  EXPECT_THAT(duel.ada.link->notes, ElementsAre("start", "ask 1", "draining", "ended"));
  EXPECT_TRUE(duel.ada.link->closed.has_value());
}

TEST(HostDrain, NothingNewIsTaken) {
  HostFixture hall;
  hall.host->Drain(absl::ZeroDuration(), host::Host::Rest::kVoid);
  EXPECT_TRUE(absl::IsUnavailable(hall.host->Create(hall.Request({"ada", "bob"}), "").status()));
  EXPECT_TRUE(absl::IsUnavailable(
      hall.host->Attach("ada", std::make_shared<NotingLink>(&hall.clock), {}).status()));
}

TEST(HostThreads, EventsFromManyThreadsAreHandledOneAtATime) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada", 4);
  const HostFixture::Guest bob = hall.Come("bob", 4);
  const MatchId id = hall.Create({"ada", "bob"}, 100);
  hall.Ready(id, ada);
  hall.Ready(id, bob);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (uint32_t turn = 1; turn < 200; ++turn) {
        hall.Reply(id, turn % 2 == 1 ? ada : bob, turn);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  uint32_t next = 1;
  for (const match::Record& record : hall.recorder.matches().at(id.text()).records) {
    if (const auto* played = std::get_if<match::Played>(&record)) {
      EXPECT_EQ(played->number, next++);
    }
  }
  EXPECT_GT(next, 1u);
}

}  // namespace
}  // namespace referee::testing
