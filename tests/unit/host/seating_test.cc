// Tests of seating: waiting, free slots, limits, request ids, cancelling.

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/limits.h"
#include "tests/unit/host/host_fixture.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(HostSeating, MatchWaitsUntilAllItsBotsAreThere) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada");
  hall.Create({"ada", "bob"});
  EXPECT_THAT(ada.link->notes, IsEmpty());
  const HostFixture::Guest bob = hall.Come("bob");
  EXPECT_THAT(ada.link->notes, ElementsAre("start"));
  EXPECT_THAT(bob.link->notes, ElementsAre("start"));
}

TEST(HostSeating, BotGetsNoMoreMatchesAtOnceThanItSaid) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada", 2);
  const HostFixture::Guest bob = hall.Come("bob", 5);
  for (int i = 0; i < 4; ++i) hall.Create({"ada", "bob"});
  EXPECT_THAT(ada.link->notes, ElementsAre("start", "start"));
}

TEST(HostSeating, NextMatchStartsWhenAPlaceIsFreeInOrderOfCreation) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada");
  const HostFixture::Guest bob = hall.Come("bob");
  const HostFixture::Guest eve = hall.Come("eve");
  const MatchId first = hall.Create({"ada", "bob"});
  const MatchId second = hall.Create({"ada", "eve"});
  const MatchId third = hall.Create({"bob", "ada"});
  ASSERT_TRUE(hall.host->Cancel(first, "").ok());
  EXPECT_NE(ada.bot->FindSlot(second.text()).runner, nullptr);
  EXPECT_EQ(ada.bot->FindSlot(third.text()).runner, nullptr);
}

TEST(HostSeating, BotIsToldOfTheEndBeforeItsNextMatchStarts) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada");
  const HostFixture::Guest bob = hall.Come("bob");
  const MatchId first = hall.Create({"ada", "bob"});
  hall.Create({"ada", "bob"});
  ASSERT_TRUE(hall.host->Cancel(first, "").ok());
  EXPECT_THAT(ada.link->notes, ElementsAre("start", "ended", "start"));
}

TEST(HostSeating, BotThatKnowsOfTheEndHasNoPlaceInTheMatch) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada");
  const HostFixture::Guest bob = hall.Come("bob");
  const MatchId id = hall.Create({"ada", "bob"});
  const auto has_slot = [&] { return ada.bot->FindSlot(id.text()).runner != nullptr; };
  EXPECT_TRUE(has_slot());
  bool had_slot_then = true;
  ada.link->on_ended = [&] { had_slot_then = has_slot(); };
  ASSERT_TRUE(hall.host->Cancel(id, "").ok());
  EXPECT_FALSE(had_slot_then);
}

TEST(HostSeating, RefereeRunsNoMoreThanItsOwnLimit) {
  HostFixture hall(/*max_running=*/1);
  hall.Come("ada");
  hall.Come("bob");
  const HostFixture::Guest eve = hall.Come("eve");
  const HostFixture::Guest dan = hall.Come("dan");
  const MatchId first = hall.Create({"ada", "bob"});
  hall.Create({"dan", "eve"});
  EXPECT_THAT(eve.link->notes, IsEmpty());
  ASSERT_TRUE(hall.host->Cancel(first, "").ok());
  EXPECT_THAT(eve.link->notes, ElementsAre("start"));
}

TEST(HostSeating, BotThatDoesNotPlayTheGameIsNotSeated) {
  HostFixture hall;
  hall.Come("ada");
  host::Hello hello;
  hello.games = {"chess"};
  auto link = std::make_shared<NotingLink>(&hall.clock);
  ASSERT_TRUE(hall.host->Attach("bob", link, hello).ok());
  hall.Create({"ada", "bob"});
  EXPECT_THAT(link->notes, IsEmpty());
}

TEST(HostSeating, MatchThatWaitsTooLongIsCancelledAndSaysForWhom) {
  HostFixture hall;
  hall.Come("ada");
  const MatchId id = hall.Create({"ada", "bob"});
  hall.timers.Advance(limits::kSeatLimit);
  ASSERT_TRUE(hall.EndOf(id).has_value());
  EXPECT_EQ(hall.EndOf(id)->ending, match::Ending::kCancelled);
  EXPECT_THAT(hall.EndOf(id)->reason, HasSubstr("'bob' (not connected)"));
}

TEST(HostSeating, LaterMatchHasItsOwnPatience) {
  HostFixture hall;
  const MatchId first = hall.Create({"ada", "bob"});
  hall.timers.Advance(absl::Seconds(1));
  const MatchId second = hall.Create({"ada", "bob"});
  hall.timers.Advance(limits::kSeatLimit - absl::Seconds(1));
  EXPECT_TRUE(hall.EndOf(first).has_value());
  EXPECT_FALSE(hall.EndOf(second).has_value());
  hall.timers.Advance(absl::Seconds(1));
  EXPECT_TRUE(hall.EndOf(second).has_value());
}

TEST(HostRequests, SameRequestTwiceMakesOneMatch) {
  HostFixture hall;
  const auto request = hall.Request({"ada", "bob"});
  const MatchId first = hall.host->Create(request, "r1").value();
  EXPECT_EQ(hall.host->Create(request, "r1").value(), first);
  EXPECT_NE(hall.host->Create(request, "r2").value(), first);
}

TEST(HostRequests, RequestIdForOtherContentIsRefused) {
  HostFixture hall;
  ASSERT_TRUE(hall.host->Create(hall.Request({"ada", "bob"}), "r1").ok());
  EXPECT_TRUE(
      absl::IsAlreadyExists(hall.host->Create(hall.Request({"bob", "ada"}), "r1").status()));
}

TEST(HostRequests, WrongNumberOfBotsOrABotTwiceIsRefused) {
  HostFixture hall;
  auto request = hall.Request({"ada", "bob"});
  request.bots = {"ada"};
  EXPECT_THAT(hall.host->Create(request, "").status().message(), HasSubstr("2 seats"));
  request.bots = {"ada", "ada"};
  EXPECT_THAT(hall.host->Create(request, "").status().message(), HasSubstr("'ada'"));
}

TEST(HostRequests, ImpossibleTimeControlIsRefused) {
  HostFixture hall;
  auto request = hall.Request({"ada", "bob"});
  request.time_control.per_move = absl::ZeroDuration();
  EXPECT_TRUE(absl::IsInvalidArgument(hall.host->Create(request, "").status()));
}

TEST(HostCancel, WaitingAndRunningMatchesEndAndFinishedOnesDoNot) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada");
  hall.Come("bob");
  const MatchId running = hall.Create({"ada", "bob"});
  const MatchId waiting = hall.Create({"ada", "bob"});
  ASSERT_TRUE(hall.host->Cancel(waiting, "no need").ok());
  EXPECT_EQ(hall.EndOf(waiting)->reason, "cancelled: no need");
  EXPECT_TRUE(hall.recorder.matches().at(waiting.text()).sealed);
  ASSERT_TRUE(hall.host->Cancel(running, "").ok());
  EXPECT_THAT(ada.link->notes, ElementsAre("start", "ended"));
  EXPECT_TRUE(absl::IsFailedPrecondition(hall.host->Cancel(running, "")));
  EXPECT_TRUE(absl::IsNotFound(hall.host->Cancel(MatchId(), "")));
}

TEST(HostCancel, MatchThatIsOverAndNotSealedYetIsOver) {
  HostFixture hall;
  const MatchId id = hall.Create({"ada", "bob"});
  hall.executor.Hold();
  ASSERT_TRUE(hall.host->Cancel(id, "").ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(hall.host->Cancel(id, "")));
  hall.executor.Release();
}

TEST(HostMemory, FinishedMatchesAreForgottenOldestFirst) {
  HostFixture hall;
  const MatchId first = hall.Create({"ada", "bob"});
  ASSERT_TRUE(hall.host->Cancel(first, "").ok());
  for (int i = 0; i < limits::kMaxRememberedMatches; ++i) {
    EXPECT_NE(hall.host->Find(first), nullptr);
    hall.clock.Advance(absl::Milliseconds(1));
    ASSERT_TRUE(hall.host->Cancel(hall.Create({"ada", "bob"}), "").ok());
  }
  EXPECT_EQ(hall.host->Find(first), nullptr);
}

TEST(HostMemory, ListGoesFromNewestToOldest) {
  HostFixture hall;
  std::vector<MatchId> ids;
  for (int i = 0; i < 3; ++i) {
    ids.push_back(hall.Create({"ada", "bob"}));
    hall.clock.Advance(absl::Milliseconds(1));
  }
  const auto page = hall.host->List(MatchId(), 2);
  ASSERT_EQ(page.size(), 2u);
  EXPECT_EQ(page[0]->id(), ids[2]);
  EXPECT_EQ(page[1]->id(), ids[1]);
  EXPECT_EQ(hall.host->List(ids[1], 2).at(0)->id(), ids[0]);
}

TEST(HostSeating, LinkThatIsToKeepAnExistingOneIsRefusedWhileThereIsOne) {
  HostFixture hall;
  host::Hello hello;
  hello.keeps_existing = true;
  const auto first = std::make_shared<NotingLink>(&hall.clock);
  const auto second = std::make_shared<NotingLink>(&hall.clock);
  const auto bot = hall.host->Attach("ada", first, hello);
  ASSERT_TRUE(bot.ok());
  EXPECT_EQ(hall.host->Attach("ada", second, hello).status().code(),
            absl::StatusCode::kAlreadyExists);
  EXPECT_EQ((*bot)->link(), first);
  EXPECT_FALSE(first->closed.has_value());
  hall.host->Detach(*bot, first.get());
  EXPECT_TRUE(hall.host->Attach("ada", second, hello).ok());
}

// As when a match is seated on a link that another takes over at the same instant: the event comes
// after the match was told on the new link.
TEST(HostSeating, LinkThatIsBackIsToldOnce) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada"), bob = hall.Come("bob");
  const MatchId id = hall.Create({"ada", "bob"});
  hall.host->Find(id)->SetConnection(Seat(0), ada.bot->connection(), hall.clock.Now());
  EXPECT_THAT(ada.link->notes, ElementsAre("start"));
}

// As when a link is lost and another is there before the match hears of it: whoever loses one and
// whoever brings one tell the match in any order.
TEST(HostSeating, LinkThatIsThereIsNotLost) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada"), bob = hall.Come("bob");
  const MatchId id = hall.Create({"ada", "bob"});
  hall.Ready(id, ada);
  hall.Ready(id, bob);
  const auto second = std::make_shared<NotingLink>(&hall.clock);
  const auto runner = hall.host->Find(id);
  runner->SetConnection(Seat(0), {9, second}, hall.clock.Now());
  runner->SetConnection(Seat(0), {8, nullptr}, hall.clock.Now());
  EXPECT_THAT(second->notes, ElementsAre("resumed", "ask 1"));
  hall.timers.Advance(absl::Hours(1));
  hall.host->Find(id)->Inspect([](const host::MatchRunner& runner) {
    ASSERT_EQ(runner.match()->forfeits().size(), 1u);
    EXPECT_EQ(runner.match()->forfeits()[0].cause, match::Cause::kTimeout);
  });
}

// The same, when the loss is that of the newer link.
TEST(HostSeating, LinkThatIsLostIsNotThere) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada"), bob = hall.Come("bob");
  const MatchId id = hall.Create({"ada", "bob"});
  hall.Ready(id, ada);
  hall.Ready(id, bob);
  const auto second = std::make_shared<NotingLink>(&hall.clock);
  const auto runner = hall.host->Find(id);
  runner->SetConnection(Seat(0), {9, nullptr}, hall.clock.Now());
  runner->SetConnection(Seat(0), {8, second}, hall.clock.Now());
  EXPECT_THAT(second->notes, ElementsAre());
  hall.timers.Advance(absl::Hours(1));
  runner->Inspect([](const host::MatchRunner& match) {
    ASSERT_EQ(match.match()->forfeits().size(), 1u);
    EXPECT_EQ(match.match()->forfeits()[0].cause, match::Cause::kDisconnected);
  });
}

// A bot that goes just when its match is seated has lost its link before the match begins.
TEST(HostSeating, LinkThatIsLostBeforeTheStartIsNotThere) {
  HostFixture hall;
  const auto ada = std::make_shared<host::Bot>("ada"), bob = std::make_shared<host::Bot>("bob");
  const auto link = std::make_shared<NotingLink>(&hall.clock);
  ada->SetLink(link, {});
  ada->ClearLink(link.get());
  bob->SetLink(std::make_shared<NotingLink>(&hall.clock), {});
  const MatchId id = hall.Create({"ada", "bob"});
  const auto runner = hall.host->Find(id);
  runner->Start({ada, bob});
  runner->Post(match::ReadyReceived{Seat(1), dice::HashNonce("")}, hall.clock.Now());
  hall.timers.Advance(runner->request().time_control.ready);
  hall.timers.Advance(absl::Seconds(1));
  runner->Post(match::NonceReceived{Seat(1), ""}, hall.clock.Now());
  runner->Inspect([](const host::MatchRunner& match) {
    ASSERT_EQ(match.match()->forfeits().size(), 1u);
    EXPECT_EQ(match.match()->forfeits()[0].cause, match::Cause::kDisconnected);
  });
}

}  // namespace
}  // namespace referee::testing
