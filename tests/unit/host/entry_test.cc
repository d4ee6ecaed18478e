// Tests of the clocks of bots that are connected to another referee, their entry.
//
// They cover silent bots, and matches whose entry has ended.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/limits.h"
#include "referee/replay/clock_checker.h"
#include "tests/unit/host/peers_fixture.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr absl::Duration kMs = absl::Milliseconds(1);
constexpr Seat kAda = Seat(0);

// Ada, who is connected elsewhere, is to move, by a limit of 500 ms.
struct Relaying : PeersFixture {
  Relayed ada = ComeVia("ada");
  Guest bob = Come("bob");
  MatchId id = CreatePinned({"ada", "bob"});
  Instant asked;

  Relaying() {
    ada.link->Answer(true);
    Ready(id, ada.guest());
    Ready(id, bob);
    asked = clock.Now();
  }
  void ReplyAt(absl::Duration after, const match::Stalls& entry = {}) {
    const match::Replied reply{kAda, 1, games::Move(1)};
    host->Find(id)->Post(reply, asked + after, entry);
  }
  void NoteLag(absl::Duration lag, const match::Stalls& entry = {}) {
    host->Find(id)->NoteLag(kAda, lag, entry);
  }
  bool is_lost() const { return EndOf(id).has_value(); }
};

// --- Silence ---

TEST(HostSilence, IsJudgedByTheEntrysTime) {
  Relaying match;
  match.timers.Advance(600 * kMs);
  EXPECT_EQ(match.ada.link->lags_asked, 1);
  EXPECT_FALSE(match.is_lost()) << "nothing is known of it yet";
  match.NoteLag(200 * kMs);
  EXPECT_FALSE(match.is_lost()) << "there it has had 400 ms";
  match.timers.Advance(50 * kMs);
  EXPECT_EQ(match.ada.link->lags_asked, 1) << "the rest is waited for";
  match.timers.Advance(60 * kMs);
  EXPECT_EQ(match.ada.link->lags_asked, 2);
  match.NoteLag(200 * kMs);
  EXPECT_TRUE(match.is_lost());
  EXPECT_THAT(match.bob.link->notes, ElementsAre("start", "forfeited a", "ended"));
}

TEST(HostSilence, AnswerOnItsWayIsTaken) {
  Relaying match;
  match.timers.Advance(600 * kMs);
  match.ReplyAt(499 * kMs);
  match.NoteLag(absl::ZeroDuration());
  EXPECT_FALSE(match.is_lost());
  EXPECT_EQ(match.LastTurnOf(match.id).used, 499 * kMs);
}

TEST(HostSilence, AnswerAboutAnEarlierRequestJudgesNothing) {
  Relaying match;
  match.timers.Advance(600 * kMs);
  match.ReplyAt(499 * kMs);
  match.Reply(match.id, match.bob, 2);
  match.timers.Advance(510 * kMs);  // ada is asked about again, for turn 3
  EXPECT_EQ(match.ada.link->lags_asked, 2);
  match.NoteLag(absl::ZeroDuration());
  EXPECT_FALSE(match.is_lost());
  match.NoteLag(absl::ZeroDuration());
  EXPECT_TRUE(match.is_lost());
}

TEST(HostSilence, NewLinkIsAskedAnew) {
  Relaying match;
  match.timers.Advance(600 * kMs);
  const auto again = match.ComeVia("ada");
  match.timers.Advance(10 * kMs);
  EXPECT_EQ(again.link->lags_asked, 1);
  match.NoteLag(absl::ZeroDuration());
  EXPECT_TRUE(match.is_lost());
}

TEST(HostSilence, OfABotThatLostItsLinkNeedsNoAnswer) {
  Relaying match;
  match.timers.Advance(600 * kMs);
  match.host->Detach(match.ada.bot, match.ada.link.get());
  match.timers.Advance(10 * kMs);
  EXPECT_TRUE(match.is_lost());
}

TEST(HostSilence, IsForgivenWhatTheEntryStoodStill) {
  Relaying match;
  match.timers.Advance(600 * kMs);
  match.NoteLag(absl::ZeroDuration(), {300 * kMs, 300 * kMs});
  EXPECT_FALSE(match.is_lost());
  match.ReplyAt(590 * kMs, {300 * kMs, 300 * kMs});
  EXPECT_EQ(match.LastTurnOf(match.id).used, 290 * kMs);
}

TEST(HostSilence, OwnStallsAreNothingToABotThatIsConnectedElsewhere) {
  Relaying match;
  match.timers.Advance(100 * kMs);
  match.stalls.Looked(match.clock.Now(), 50 * kMs);
  match.Reply(match.id, match.ada.guest(), 1);
  EXPECT_EQ(match.LastTurnOf(match.id).used, 100 * kMs);
}

TEST(HostSilence, BeforeTheStartIsAskedOfEachSeatThatIsNotReady) {
  PeersFixture hall;
  const auto ada = hall.ComeVia("ada"), bob = hall.ComeVia("bob"), cyd = hall.ComeVia("cyd");
  const MatchId id = hall.CreatePinned({"ada", "bob", "cyd"});
  for (const auto& one : {ada, bob, cyd}) one.link->Answer(true);
  hall.Ready(id, cyd.guest());
  hall.timers.Advance(hall.host->Find(id)->request().time_control.ready + absl::Seconds(1));
  EXPECT_EQ(ada.link->lags_asked, 1);
  EXPECT_EQ(bob.link->lags_asked, 1);
  EXPECT_EQ(cyd.link->lags_asked, 0);
  const auto runner = hall.host->Find(id);
  runner->NoteLag(Seat(0), absl::ZeroDuration(), {});
  EXPECT_FALSE(hall.EndOf(id)) << "bob may have said something";
  runner->NoteLag(Seat(1), absl::ZeroDuration(), {});
  EXPECT_TRUE(hall.EndOf(id));
}

TEST(HostSilence, WaitForTheStreamBetweenTheRefereesIsNobodysTime) {
  Relaying match;
  match.ReplyAt(10 * kMs);
  match.ada.link->stuck = true;
  match.Reply(match.id, match.bob, 2);
  match.timers.Advance(absl::Seconds(2));
  EXPECT_EQ(match.ada.link->lags_asked, 0);
  EXPECT_FALSE(match.is_lost());
  match.ada.link->stuck = false;
  match.ada.link->Flush();
  match.timers.Advance(30 * kMs);
  match.Reply(match.id, match.ada.guest(), 3);
  EXPECT_EQ(match.LastTurnOf(match.id).used, 30 * kMs);
}

// --- An entry that is gone ---

TEST(HostEntryGone, ClockStandsStillUntilTheBotIsBackThroughAnyReferee) {
  Relaying match;
  match.timers.Advance(100 * kMs);
  match.host->DetachEntry(match.ada.bot, match.ada.link.get(), match.asked + 60 * kMs);
  match.timers.Advance(absl::Seconds(10));
  EXPECT_FALSE(match.is_lost());
  const auto again = match.Come("ada");
  EXPECT_THAT(again.link->notes, ElementsAre("resumed", "ask 1"));
  match.timers.Advance(30 * kMs);
  match.Reply(match.id, again, 1);
  EXPECT_EQ(match.LastTurnOf(match.id).used, 90 * kMs);
}

TEST(HostEntryGone, RecordOfTheTurnIsOneThatVerifies) {
  Relaying match;
  match.timers.Advance(100 * kMs);
  match.host->DetachEntry(match.ada.bot, match.ada.link.get(), match.asked + 60 * kMs);
  match.timers.Advance(absl::Seconds(10));
  match.Reply(match.id, match.Come("ada"), 1);
  const MemoryRecorder::Match& recorded = match.recorder.matches().at(match.id.text());
  replay::ClockChecker checker(recorded.setup);
  EXPECT_EQ(checker.Take(std::get<match::Played>(recorded.records.back()), {},
                         dice::Key(dice::Bytes32())),
            "");
}

TEST(HostEntryGone, MatchIsVoidIfTheBotIsNotBackInTime) {
  Relaying match;
  match.host->DetachEntry(match.ada.bot, match.ada.link.get(), match.clock.Now());
  match.timers.Advance(limits::kEntryPatience - kMs);
  EXPECT_FALSE(match.is_lost());
  match.timers.Advance(2 * kMs);
  ASSERT_TRUE(match.EndOf(match.id));
  EXPECT_EQ(match.EndOf(match.id)->ending, match::Ending::kVoid);
  EXPECT_THAT(match.EndOf(match.id)->reason,
              HasSubstr("the referee that bot 'ada' was connected to is gone"));
}

TEST(HostEntryGone, MatchOfABotThatCameBackIsNotVoid) {
  Relaying match;
  match.host->DetachEntry(match.ada.bot, match.ada.link.get(), match.clock.Now());
  match.timers.Advance(limits::kEntryPatience - kMs);
  const auto again = match.Come("ada");
  match.timers.Advance(10 * kMs);
  match.Reply(match.id, again, 1);
  match.Reply(match.id, match.bob, 2);
  match.timers.Advance(100 * kMs);
  EXPECT_FALSE(match.is_lost());
}

TEST(HostEntryGone, MatchGoesOnOfWhichTheBotsSeatIsOut) {
  PeersFixture hall;
  const auto ada = hall.ComeVia("ada");
  const auto bob = hall.Come("bob"), cyd = hall.Come("cyd");
  const MatchId id = hall.CreatePinned({"bob", "ada", "cyd"}, 60);
  ada.link->Answer(true);
  for (const auto& one : {ada.guest(), bob, cyd}) hall.Ready(id, one);
  hall.Post(id, ada.guest(), match::Resigned{});
  match::Replied first;  // ada's forfeit has replaced the request
  first.turn = 1;
  first.claimed = games::Move(1);
  first.request = 1;
  hall.Post(id, bob, first);
  hall.host->DetachEntry(ada.bot, ada.link.get(), hall.clock.Now());
  for (uint32_t turn = 2; turn <= 55; ++turn) {
    hall.timers.Advance(limits::kEntryPatience / 50);
    hall.Reply(id, turn % 2 == 0 ? cyd : bob, turn);
  }
  EXPECT_FALSE(hall.EndOf(id));
  EXPECT_EQ(hall.LastTurnOf(id).number, 55u);
}

}  // namespace
}  // namespace referee::testing
