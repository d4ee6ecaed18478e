// Tests that records are durable before any message that follows from them.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/host/duel.h"
#include "tests/unit/host/host_fixture.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

}  // namespace
}  // namespace referee::testing
