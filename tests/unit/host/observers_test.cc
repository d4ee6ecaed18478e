// Tests of what observers of a match receive, and when.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/host/duel.h"
#include "tests/unit/host/host_fixture.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;

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

}  // namespace
}  // namespace referee::testing
