// What a running match tells whom and when: records first, one voice a bot, links that come and go,
// disks that fail, the end.

#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/limits.h"
#include "tests/unit/host/host_fixture.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Two bots in a match that counts to `target`.
struct Duel : HostFixture {
  Guest ada = Come("ada");
  Guest bob = Come("bob");
  MatchId id;

  explicit Duel(int target = 6) : id(Create({"ada", "bob"}, target)) {}

  void BothReady() {
    Ready(id, ada);
    Ready(id, bob);
  }
  const MemoryRecorder::Match& recorded() const { return recorder.matches().at(id.text()); }
};

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

// --- Records that have to last before they are told ---

struct SlowDisk {
  HostFixture hall;
  HostFixture::Guest ada = hall.Come("ada"), bob = hall.Come("bob");
  MatchId id = hall.Create({"ada", "bob"});

  SlowDisk() {
    hall.Ready(id, ada);
    hall.Ready(id, bob);
  }
};

TEST(HostLasting, WhoBringsAReplyDoesNotWaitForTheDisk) {
  SlowDisk slow;
  slow.hall.recorder.slow = true;
  slow.hall.Reply(slow.id, slow.ada, 1);
  EXPECT_THAT(slow.bob.link->notes, ElementsAre("start"));
  slow.hall.recorder.Last();
  EXPECT_THAT(slow.bob.link->notes, ElementsAre("start", "played 1", "ask 2"));
}

TEST(HostLasting, WaitIsNobodysTime) {
  SlowDisk slow;
  slow.hall.timers.Advance(absl::Milliseconds(70));
  slow.hall.recorder.slow = true;
  slow.hall.Reply(slow.id, slow.ada, 1);
  slow.hall.timers.Advance(absl::Milliseconds(1500));
  slow.hall.recorder.Last();
  EXPECT_FALSE(slow.hall.EndOf(slow.id).has_value());
  EXPECT_EQ(slow.hall.LastTurnOf(slow.id).used, absl::Milliseconds(70));
  // Nor is bob charged for it.
  slow.hall.timers.Advance(absl::Milliseconds(450));
  slow.hall.Reply(slow.id, slow.bob, 2);
  EXPECT_EQ(slow.hall.LastTurnOf(slow.id).used, absl::Milliseconds(450));
}

TEST(HostLasting, FirstTurnIsDueWhenTheStartLasts) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada"), bob = hall.Come("bob");
  const MatchId id = hall.Create({"ada", "bob"});
  hall.Ready(id, ada);
  hall.recorder.slow = true;
  hall.Ready(id, bob);
  hall.timers.Advance(absl::Milliseconds(1500));
  EXPECT_THAT(ada.link->notes, ElementsAre("start"));
  hall.recorder.Last();
  hall.timers.Advance(absl::Milliseconds(100));
  hall.Reply(id, ada, 1);
  ASSERT_FALSE(hall.EndOf(id).has_value());
  EXPECT_EQ(hall.LastTurnOf(id).used, absl::Milliseconds(100));
}

TEST(HostLasting, WhatHappensMeanwhileIsHandledInOrderAfterwards) {
  SlowDisk slow;
  slow.hall.recorder.slow = true;
  slow.hall.Reply(slow.id, slow.ada, 1);
  EXPECT_TRUE(slow.hall.host->Cancel(slow.id, "enough").ok());
  EXPECT_THAT(slow.bob.link->notes, ElementsAre("start"));
  slow.hall.recorder.Last();
  EXPECT_THAT(slow.bob.link->notes, ElementsAre("start", "played 1", "ask 2", "ended"));
}

TEST(HostLasting, NobodyHearsOfAMatchBeforeItsOpeningLasts) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada"), bob = hall.Come("bob");
  hall.recorder.slow = true;
  const MatchId id = hall.Create({"ada", "bob"});
  bool seen = false;
  hall.host->Find(id)->Inspect([&](const host::MatchRunner&) { seen = true; });
  EXPECT_FALSE(seen);
  EXPECT_THAT(ada.link->notes, IsEmpty());
  hall.recorder.Last();
  EXPECT_TRUE(seen);
  EXPECT_THAT(ada.link->notes, ElementsAre("start"));
}

TEST(HostLasting, MatchOfWhichTheOpeningDoesNotLastWasNotMade) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada"), bob = hall.Come("bob");
  hall.recorder.slow = true;
  const MatchId id = hall.host->Create(hall.Request({"ada", "bob"}, 6), "mine").value();
  hall.recorder.Last(absl::UnavailableError("the disk has lost a write"));
  EXPECT_THAT(ada.link->notes, IsEmpty());
  const std::shared_ptr<host::MatchRunner> runner = hall.host->Find(id);
  EXPECT_FALSE(runner->made());
  EXPECT_FALSE(runner->recorded());
  EXPECT_NE(hall.recorder.matches().at(id.text()).set_aside, "");
  // The bots' places are free again, and the same call makes another.
  const MatchId again = hall.host->Create(hall.Request({"ada", "bob"}, 6), "mine").value();
  EXPECT_NE(again, id);
  EXPECT_TRUE(hall.host->Find(again)->begun());
}

TEST(HostLasting, EndIsToldWhenItLasts) {
  SlowDisk slow;
  slow.hall.recorder.slow = true;
  slow.hall.timers.Advance(absl::Milliseconds(600));
  EXPECT_THAT(slow.bob.link->notes, ElementsAre("start"));
  EXPECT_EQ(slow.hall.recorder.seals(), 0);
  slow.hall.recorder.Last();
  EXPECT_THAT(slow.bob.link->notes, ElementsAre("start", "forfeited a", "ended"));
}

TEST(HostLasting, MatchOfWhichTheRecordsDoNotLastIsVoid) {
  SlowDisk slow;
  slow.hall.recorder.slow = true;
  slow.hall.Reply(slow.id, slow.ada, 1);
  slow.hall.recorder.Last(absl::UnavailableError("the disk has lost a write"));
  EXPECT_THAT(slow.bob.link->notes, ElementsAre("start", "ended"));
  EXPECT_EQ(slow.hall.EndOf(slow.id)->ending, match::Ending::kVoid);
}

TEST(HostLasting, SilenceIsJudgedThoughNobodyAsks) {
  SlowDisk slow;
  slow.hall.timers.Advance(absl::Milliseconds(600));
  EXPECT_EQ(slow.hall.EndOf(slow.id)->ending, match::Ending::kFinished);
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

TEST(HostDisk, MatchWhoseRecordFailsIsVoidAndItsTurnIsToldToNobody) {
  Duel duel;
  duel.BothReady();
  duel.recorder.flush_status = absl::ResourceExhaustedError("no space left in /data");
  duel.Reply(duel.id, duel.ada, 1);
  EXPECT_THAT(duel.bob.link->notes, ElementsAre("start", "ended"));
  EXPECT_EQ(duel.EndOf(duel.id)->ending, match::Ending::kVoid);
  EXPECT_THAT(duel.EndOf(duel.id)->reason, HasSubstr("no space left in /data"));
  EXPECT_FALSE(duel.recorded().sealed);
  // Nor does a referee that is started again go on with it.
  EXPECT_THAT(duel.recorded().set_aside, HasSubstr("no space left in /data"));
  // What comes after is not heard.
  duel.timers.Advance(absl::Seconds(60));
  EXPECT_THAT(duel.bob.link->notes, SizeIs(2));
}

TEST(HostDisk, MatchWhoseVeryEndCouldNotBeRecordedIsVoidAndNotSealed) {
  Duel duel(1);
  duel.BothReady();
  duel.recorder.flush_status = absl::ResourceExhaustedError("no space left in /data");
  duel.Reply(duel.id, duel.ada, 1);  // the last turn
  EXPECT_EQ(duel.EndOf(duel.id)->ending, match::Ending::kVoid);
  EXPECT_FALSE(duel.recorded().sealed);
}

TEST(HostDisk, FullDiskStopsNewMatchesUntilItIsWritableAgain) {
  Duel duel;
  duel.recorder.open_status = absl::ResourceExhaustedError("no space left in /data");
  duel.ada.link->notes.clear();
  ASSERT_TRUE(duel.host->Cancel(duel.id, "").ok());
  EXPECT_THAT(duel.host->Create(duel.Request({"ada", "bob"}), "").status().message(),
              HasSubstr("no space left in /data"));
  duel.recorder.open_status = absl::OkStatus();
  EXPECT_TRUE(duel.host->Create(duel.Request({"ada", "bob"}), "").ok());
}

TEST(HostDisk, ResultStandsWhenOnlyTheArchiveFails) {
  Duel duel(1);
  duel.recorder.seal_status = absl::ResourceExhaustedError("no space left in /data");
  duel.BothReady();
  duel.Reply(duel.id, duel.ada, 1);
  EXPECT_EQ(duel.EndOf(duel.id)->ending, match::Ending::kFinished);
  EXPECT_EQ(duel.ada.link->notes.back(), "ended");
}

TEST(HostDisk, MatchThatCouldNotBeArchivedIsTriedAgainUntilItIs) {
  Duel duel(1);
  duel.recorder.seal_status = absl::ResourceExhaustedError("no space left in /data");
  duel.BothReady();
  duel.Reply(duel.id, duel.ada, 1);
  ASSERT_EQ(duel.finished.size(), 1u);
  EXPECT_THAT(duel.finished[0].message(), HasSubstr("no space left in /data"));
  // After 1, 2, 4, ... seconds; said once, not at each try.
  duel.timers.Advance(absl::Minutes(10));
  EXPECT_GT(duel.recorder.seals(), 10);
  EXPECT_LT(duel.recorder.seals(), 20);
  EXPECT_FALSE(duel.recorded().sealed);
  EXPECT_EQ(duel.finished.size(), 1u);
  EXPECT_TRUE(duel.archived.empty());
  duel.recorder.seal_status = absl::OkStatus();
  duel.timers.Advance(limits::kLastSealRetry);
  EXPECT_TRUE(duel.recorded().sealed);
  EXPECT_EQ(duel.archived, std::vector<MatchId>{duel.id});
  const int seals = duel.recorder.seals();
  duel.timers.Advance(absl::Hours(1));
  EXPECT_EQ(duel.recorder.seals(), seals);
}

TEST(HostDisk, MatchThatCouldNotBeArchivedIsTriedOnceMoreByADrain) {
  Duel duel(1);
  duel.recorder.seal_status = absl::ResourceExhaustedError("no space left in /data");
  duel.BothReady();
  duel.Reply(duel.id, duel.ada, 1);
  ASSERT_EQ(duel.finished.size(), 1u);
  duel.host->Drain(absl::ZeroDuration(), host::Host::Rest::kVoid);
  EXPECT_TRUE(duel.archived.empty()) << "the disk is full";
  const int seals = duel.recorder.seals();
  duel.recorder.seal_status = absl::OkStatus();
  duel.host->Drain(absl::ZeroDuration(), host::Host::Rest::kVoid);
  EXPECT_EQ(duel.archived, std::vector<MatchId>{duel.id});
  EXPECT_EQ(duel.recorder.seals(), seals + 1);
}

TEST(HostDisk, StorageIsWellAgainOnceWhatFailedIsArchived) {
  Duel duel(1);
  duel.recorder.seal_status = absl::ResourceExhaustedError("no space left in /data");
  duel.BothReady();
  duel.Reply(duel.id, duel.ada, 1);
  duel.timers.Advance(limits::kFirstSealRetry);
  EXPECT_TRUE(duel.host->Count().storage_failed);
  duel.recorder.seal_status = absl::OkStatus();
  duel.timers.Advance(limits::kLastSealRetry);
  EXPECT_FALSE(duel.host->Count().storage_failed) << "and no match was made or has ended since";
}

TEST(HostDisk, StorageIsWellAgainOnceAnotherMatchIsArchived) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada");
  const MatchId broken = hall.Create({"ada", "bob"});
  const MatchId whole = hall.Create({"ada", "bob"});
  hall.recorder.never_seals = broken.text();
  ASSERT_TRUE(hall.host->Cancel(broken, "").ok());
  EXPECT_TRUE(hall.host->Count().storage_failed);
  ASSERT_TRUE(hall.host->Cancel(whole, "").ok());
  EXPECT_FALSE(hall.host->Count().storage_failed);
}

TEST(HostDisk, MatchesThatCouldNotBeArchivedDoNotHoldUpEachOther) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada", 3);
  const HostFixture::Guest bob = hall.Come("bob", 3);
  hall.recorder.seal_status = absl::ResourceExhaustedError("no space left in /data");
  std::vector<MatchId> ids;
  for (int i = 0; i < 3; ++i) {
    ids.push_back(hall.Create({"ada", "bob"}));
    ASSERT_TRUE(hall.host->Cancel(ids.back(), "").ok());
  }
  hall.recorder.never_seals = ids[0].text();
  hall.recorder.seal_status = absl::OkStatus();
  hall.timers.Advance(limits::kFirstSealRetry);
  EXPECT_FALSE(hall.recorder.matches().at(ids[0].text()).sealed);
  EXPECT_TRUE(hall.recorder.matches().at(ids[1].text()).sealed);
  EXPECT_TRUE(hall.recorder.matches().at(ids[2].text()).sealed);
}

TEST(HostDisk, MatchThatIsNotArchivedYetStaysKnownHoweverManyEndAfterIt) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada");
  const MatchId first = hall.Create({"ada", "bob"});
  hall.recorder.never_seals = first.text();
  ASSERT_TRUE(hall.host->Cancel(first, "").ok());
  const auto end_many = [&] {
    for (int i = 0; i <= limits::kMaxRememberedMatches; ++i) {
      hall.clock.Advance(absl::Milliseconds(1));  // another id for each
      ASSERT_TRUE(hall.host->Cancel(hall.Create({"ada", "bob"}), "").ok());
    }
  };
  end_many();
  EXPECT_NE(hall.host->Find(first), nullptr);
  hall.recorder.never_seals.clear();
  hall.timers.Advance(limits::kFirstSealRetry);
  EXPECT_TRUE(hall.recorder.matches().at(first.text()).sealed);
  end_many();
  EXPECT_EQ(hall.host->Find(first), nullptr);
}

TEST(HostDisk, RefereeThatStopsLeavesWhatIsNotArchivedToTheNext) {
  Duel duel(1);
  duel.recorder.seal_status = absl::ResourceExhaustedError("no space left in /data");
  duel.BothReady();
  duel.Reply(duel.id, duel.ada, 1);
  duel.host->Drain(absl::ZeroDuration(), host::Host::Rest::kLeft);
  const int seals = duel.recorder.seals();
  duel.host = nullptr;
  duel.timers.Advance(absl::Hours(1));
  EXPECT_EQ(duel.recorder.seals(), seals);
}

class NotingObserver final : public host::Observer {
 public:
  void OnSnapshot(const host::MatchRunner& runner) override {
    notes.push_back(runner.match() == nullptr ? "waiting" : "snapshot");
  }
  void OnPlayed(const match::Match&, const match::Played& played) override {
    notes.push_back(absl::StrCat("played ", played.number));
  }
  void OnForfeited(const match::Match&, const match::Forfeited&) override {
    notes.push_back("forfeited");
  }
  void OnEnded(const host::MatchRunner&) override { notes.push_back("ended"); }

  std::vector<std::string> notes;
};

TEST(HostObservers, HearAMatchFromItsWaitingToItsEnd) {
  HostFixture hall;
  const MatchId id = hall.Create({"ada", "bob"}, 2);
  const auto observer = std::make_shared<NotingObserver>();
  hall.host->Find(id)->Watch(observer);
  const HostFixture::Guest ada = hall.Come("ada");
  const HostFixture::Guest bob = hall.Come("bob");
  hall.Ready(id, ada);
  hall.Ready(id, bob);
  hall.Reply(id, ada, 1);
  hall.Reply(id, bob, 2);
  EXPECT_THAT(observer->notes, ElementsAre("waiting", "snapshot", "played 1", "played 2", "ended"));
}

class StartNotingObserver final : public host::Observer {
 public:
  void OnSnapshot(const host::MatchRunner&) override { notes.push_back("snapshot"); }
  void OnStarted(const host::MatchRunner& runner) override {
    notes.push_back(runner.match()->has_position() ? "started" : "started without a position");
  }
  void OnPlayed(const match::Match&, const match::Played& played) override {
    notes.push_back(absl::StrCat("played ", played.number));
  }
  void OnForfeited(const match::Match&, const match::Forfeited&) override {}
  void OnEnded(const host::MatchRunner&) override {}

  std::vector<std::string> notes;
};

// What anyone may read of a match that has ended: its turns, and the position if there is one.
std::string LookAt(HostFixture* hall, const MatchId& id) {
  std::string seen;
  hall->host->Find(id)->Inspect([&](const host::MatchRunner& runner) {
    seen = absl::StrCat(runner.turns_played(), runner.match() == nullptr ? "" : " and a position");
  });
  return seen;
}

TEST(HostObservers, SeeNothingLaterOfATurnThatCouldNotBeRecorded) {
  Duel duel;
  duel.BothReady();
  duel.Reply(duel.id, duel.ada, 1);
  duel.recorder.flush_status = absl::ResourceExhaustedError("no space left in /data");
  duel.executor.Hold();
  duel.Reply(duel.id, duel.bob, 2);
  const auto late = std::make_shared<NotingObserver>();
  duel.host->Find(duel.id)->Watch(late);
  duel.executor.Release();
  EXPECT_THAT(late->notes, ElementsAre("waiting", "ended"));
  EXPECT_EQ(LookAt(&duel, duel.id), "1");
}

TEST(HostObservers, SeeNothingLaterOfATurnThatDoesNotLast) {
  SlowDisk slow;
  slow.hall.recorder.slow = true;
  slow.hall.Reply(slow.id, slow.ada, 1);
  slow.hall.recorder.Last(absl::UnavailableError("the disk has lost a write"));
  EXPECT_EQ(LookAt(&slow.hall, slow.id), "0");
}

TEST(HostObservers, HearOnceThatTheFirstTurnIsDueBeforeItIsPlayed) {
  Duel duel(2);
  const auto early = std::make_shared<StartNotingObserver>();
  duel.host->Find(duel.id)->Watch(early);
  duel.BothReady();
  duel.Reply(duel.id, duel.ada, 1);
  const auto late = std::make_shared<StartNotingObserver>();
  duel.host->Find(duel.id)->Watch(late);
  duel.Reply(duel.id, duel.bob, 2);
  EXPECT_THAT(early->notes, ElementsAre("snapshot", "started", "played 1", "played 2"));
  EXPECT_THAT(late->notes, ElementsAre("snapshot", "played 2"));
}

TEST(HostObservers, HearTheEndOnceHoweverLateTheyCome) {
  Duel duel(1);
  duel.executor.Hold();
  duel.BothReady();
  duel.Reply(duel.id, duel.ada, 1);
  const auto early = std::make_shared<NotingObserver>();
  duel.host->Find(duel.id)->Watch(early);  // over, not sealed yet
  EXPECT_THAT(early->notes, ElementsAre("snapshot"));
  duel.executor.Release();
  EXPECT_THAT(early->notes, ElementsAre("snapshot", "ended"));
  const auto late = std::make_shared<NotingObserver>();
  duel.host->Find(duel.id)->Watch(late);
  EXPECT_THAT(late->notes, ElementsAre("snapshot", "ended"));
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
