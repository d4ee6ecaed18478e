// Tests of slots between referees: slots granted by others for local matches, and the reverse.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/limits.h"
#include "tests/unit/host/peers_fixture.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

// --- Granted by others ---

// A match of ada, who is connected elsewhere, with bob, who is connected here.
struct Asked : PeersFixture {
  Relayed ada = ComeVia("ada");
  Guest bob = Come("bob");
  MatchId id = CreatePinned({"ada", "bob"});
};

TEST(HostGrants, MatchBeginsWhenTheEntryHasGrantedItsSlot) {
  Asked asked;
  EXPECT_THAT(asked.ada.link->reserved, ElementsAre(ElementsAre(asked.id)));
  EXPECT_FALSE(asked.HasBegun(asked.id));
  EXPECT_EQ(asked.bob.bot->free_slots(), 0) << "its slot is taken already";
  asked.ada.link->Answer(true);
  EXPECT_TRUE(asked.HasBegun(asked.id));
  EXPECT_EQ(asked.ada.link->starts, 1);
  EXPECT_THAT(asked.bob.link->notes, ElementsAre("start"));
}

TEST(HostGrants, MatchThatIsRefusedWaitsUntilTheEntrySaysThatThereIsRoom) {
  Asked asked;
  asked.ada.link->Answer(false);
  EXPECT_FALSE(asked.HasBegun(asked.id));
  EXPECT_EQ(asked.bob.bot->free_slots(), 1);
  EXPECT_EQ(asked.ada.bot->free_slots(), 0);
  EXPECT_EQ(asked.host->running(), 0);
  EXPECT_THAT(asked.ada.link->reserved, SizeIs(1)) << "it is not asked over and over";
  asked.host->SetTakenElsewhere(asked.ada.bot, asked.ada.link.get(), 0);
  EXPECT_THAT(asked.ada.link->reserved, SizeIs(2));
  asked.ada.link->Answer(true);
  EXPECT_TRUE(asked.HasBegun(asked.id));
}

TEST(HostGrants, MatchThatIsRefusedIsGivenUpAtItsOldLimit) {
  Asked asked;
  asked.timers.Advance(limits::kSeatLimit / 2);
  asked.ada.link->Answer(false);
  asked.timers.Advance(limits::kSeatLimit / 2 + absl::Seconds(1));
  EXPECT_EQ(asked.EndOf(asked.id)->ending, match::Ending::kCancelled);
}

TEST(HostGrants, SlotIsGivenUpIfAnotherBotsEntryRefuses) {
  PeersFixture hall;
  const auto ada = hall.ComeVia("ada"), bob = hall.ComeVia("bob");
  const MatchId id = hall.CreatePinned({"ada", "bob"});
  ada.link->Answer(true);
  EXPECT_FALSE(hall.HasBegun(id));
  bob.link->Answer(false);
  EXPECT_FALSE(hall.HasBegun(id));
  EXPECT_THAT(ada.link->released, ElementsAre(id));
  EXPECT_THAT(bob.link->released, IsEmpty());
  EXPECT_EQ(ada.bot->free_slots(), 1);
}

TEST(HostGrants, MatchesOfABlockAreReservedTogether) {
  PeersFixture hall;
  const auto ada = hall.ComeVia("ada", 2);
  hall.Come("bob", 2);
  host::BlockRequest request;
  request.match = hall.Request({"ada", "bob"});
  const std::vector<MatchId> ids = hall.host->CreateBlock(request, "").value();
  EXPECT_THAT(ada.link->reserved, ElementsAre(ids));
  ada.link->Answer(true);
  for (const MatchId& id : ids) EXPECT_TRUE(hall.HasBegun(id));
}

TEST(HostGrants, SlotOfAMatchThatWasCancelledMeanwhileIsGivenUp) {
  Asked asked;
  ASSERT_TRUE(asked.host->Cancel(asked.id, "no more").ok());
  EXPECT_EQ(asked.EndOf(asked.id)->ending, match::Ending::kCancelled);
  EXPECT_EQ(asked.host->running(), 0);
  asked.ada.link->released.clear();
  asked.ada.link->Answer(true);
  EXPECT_THAT(asked.ada.link->released, ElementsAre(asked.id));
  EXPECT_EQ(asked.ada.link->starts, 0);
  EXPECT_EQ(asked.host->running(), 0);
}

TEST(HostGrants, DrainDoesNotWaitForAnAnswer) {
  Asked asked;
  asked.host->Drain(absl::ZeroDuration(), host::Host::Rest::kVoid);
  EXPECT_EQ(asked.EndOf(asked.id)->ending, match::Ending::kCancelled);
  asked.ada.link->released.clear();
  asked.ada.link->Answer(true);
  EXPECT_THAT(asked.ada.link->released, ElementsAre(asked.id));
}

TEST(HostGrants, LinkThatIsGoneGrantsNothing) {
  Asked asked;
  asked.host->Detach(asked.ada.bot, asked.ada.link.get());
  EXPECT_EQ(asked.bob.bot->free_slots(), 1);
  const auto again = asked.ComeVia("ada");
  EXPECT_THAT(again.link->reserved, SizeIs(1));
  asked.ada.link->Answer(true);
  EXPECT_FALSE(asked.HasBegun(asked.id)) << "that was the former link's answer";
  again.link->Answer(true);
  EXPECT_TRUE(asked.HasBegun(asked.id));
}

TEST(HostGrants, WhatIsTakenElsewhereIsNotFreeAndForgottenWithTheLink) {
  PeersFixture hall;
  const auto ada = hall.ComeVia("ada", 3);
  hall.host->SetTakenElsewhere(ada.bot, ada.link.get(), 2);
  EXPECT_EQ(ada.bot->free_slots(), 1);
  hall.ComeVia("ada", 3);
  EXPECT_EQ(ada.bot->free_slots(), 3);
}

// --- Granted to others ---

TEST(HostLends, SlotsCountForTheBotAndNotAsRunningHere) {
  PeersFixture hall(/*max_running=*/1);
  const auto ada = hall.Come("ada", 2);
  const auto owner = std::make_shared<SilentRelay>();
  EXPECT_TRUE(hall.Reserve("ada", 2, owner));
  EXPECT_EQ(ada.bot->taken_slots(), 2);
  EXPECT_EQ(ada.bot->free_slots(), 0);
  EXPECT_EQ(hall.host->running(), 0);
  EXPECT_TRUE(hall.host->plays("ada"));
  EXPECT_EQ(ada.bot->FindSlot(hall.last_reserved.text()).relay, owner);
  EXPECT_THAT(ada.bot->slots(), IsEmpty());
}

TEST(HostLends, OwnerThatWasRefusedIsToldWhenSlotsAreFreeAndHasThemForAMoment) {
  PeersFixture hall;
  const auto ada = hall.Come("ada");
  const auto first = std::make_shared<SilentRelay>(), second = std::make_shared<SilentRelay>();
  ASSERT_TRUE(hall.Reserve("ada", 1, first));
  const MatchId played = hall.last_reserved;
  EXPECT_FALSE(hall.Reserve("ada", 1, second));
  EXPECT_THAT(hall.freed, IsEmpty());
  hall.host->FreeSlot("ada", played.text());
  EXPECT_THAT(hall.freed, ElementsAre(1));
  EXPECT_FALSE(hall.Reserve("ada", 1, first)) << "the slot is kept for the other";
  EXPECT_EQ(ada.bot->taken_slots(), 0);
  EXPECT_TRUE(hall.Reserve("ada", 1, second));
}

TEST(HostLends, SlotsThatTheOwnerDoesNotTakeGoToTheNext) {
  PeersFixture hall;
  hall.Come("ada");
  const auto bob = hall.Come("bob");
  const auto first = std::make_shared<SilentRelay>(), second = std::make_shared<SilentRelay>();
  ASSERT_TRUE(hall.Reserve("ada", 1, first));
  const MatchId played = hall.last_reserved;
  EXPECT_FALSE(hall.Reserve("ada", 1, second));
  hall.timers.Advance(absl::Seconds(1));
  const MatchId here = hall.Create({"ada", "bob"});
  hall.host->FreeSlot("ada", played.text());
  hall.timers.Advance(limits::kKeptSlots / 2);
  EXPECT_FALSE(hall.HasBegun(here));
  hall.timers.Advance(limits::kKeptSlots);
  EXPECT_TRUE(hall.HasBegun(here));
}

TEST(HostLends, SlotsThatTheOwnerCouldNotTakeAreKeptAgainForLongerOnceOthersHavePlayed) {
  PeersFixture hall;
  hall.Come("ada");
  hall.Come("bob");
  const auto first = std::make_shared<SilentRelay>(), second = std::make_shared<SilentRelay>();
  ASSERT_TRUE(hall.Reserve("ada", 1, first));
  const MatchId played = hall.last_reserved;
  EXPECT_FALSE(hall.Reserve("ada", 1, second));
  hall.timers.Advance(absl::Seconds(1));
  const MatchId here = hall.Create({"ada", "bob"});
  hall.host->FreeSlot("ada", played.text());
  hall.timers.Advance(limits::kKeptSlots);
  ASSERT_TRUE(hall.HasBegun(here));
  EXPECT_THAT(hall.freed, ElementsAre(1));
  const MatchId next = hall.Create({"ada", "bob"});
  EXPECT_TRUE(hall.host->Cancel(here, "enough").ok());
  EXPECT_THAT(hall.freed, ElementsAre(1, 1)) << "its turn has come again";
  hall.timers.Advance(limits::kKeptSlots);
  EXPECT_FALSE(hall.HasBegun(next));
  hall.timers.Advance(limits::kKeptSlots);
  EXPECT_TRUE(hall.HasBegun(next));
}

TEST(HostLends, OwnerThatNeverTakesSlotsHasToAskAgainInTheEnd) {
  PeersFixture hall;
  hall.Come("ada");
  const auto first = std::make_shared<SilentRelay>(), second = std::make_shared<SilentRelay>();
  ASSERT_TRUE(hall.Reserve("ada", 1, first));
  const MatchId played = hall.last_reserved;
  EXPECT_FALSE(hall.Reserve("ada", 1, second));
  hall.host->FreeSlot("ada", played.text());
  for (int i = 0; i < 10; ++i) hall.timers.Advance(absl::Minutes(1));
  EXPECT_THAT(hall.freed, SizeIs(8));
}

TEST(HostLends, RequestForAMatchThatWillNotBeginIsForgotten) {
  PeersFixture hall;
  hall.Come("ada");
  const auto first = std::make_shared<SilentRelay>(), second = std::make_shared<SilentRelay>();
  ASSERT_TRUE(hall.Reserve("ada", 1, first));
  const MatchId played = hall.last_reserved;
  EXPECT_FALSE(hall.Reserve("ada", 1, second));
  hall.host->ForgetWish("ada", second, played);
  hall.host->ForgetWish("ada", second, hall.last_reserved);
  hall.host->FreeSlot("ada", played.text());
  EXPECT_THAT(hall.freed, IsEmpty());
}

TEST(HostLends, OlderMatchHereComesBeforeAnOwnerThatAsksLater) {
  PeersFixture hall;
  const auto ada = hall.Come("ada");
  hall.Come("bob");
  const auto owner = std::make_shared<SilentRelay>();
  ASSERT_TRUE(hall.Reserve("ada", 1, owner));
  const MatchId played = hall.last_reserved;
  const MatchId here = hall.Create({"ada", "bob"});
  hall.timers.Advance(absl::Seconds(1));
  EXPECT_FALSE(hall.Reserve("ada", 1, owner));
  hall.host->FreeSlot("ada", played.text());
  EXPECT_TRUE(hall.HasBegun(here));
  EXPECT_THAT(hall.freed, IsEmpty());
}

TEST(HostLends, OwnerOfTheOlderMatchComesFirstWhateverItAskedForLast) {
  PeersFixture hall;
  hall.Come("ada");
  const auto playing = std::make_shared<SilentRelay>();
  const auto older = std::make_shared<SilentRelay>(), younger = std::make_shared<SilentRelay>();
  ASSERT_TRUE(hall.Reserve("ada", 1, playing));
  const MatchId played = hall.last_reserved;
  hall.timers.Advance(absl::Seconds(1));
  EXPECT_FALSE(hall.Reserve("ada", 1, older));
  const MatchId oldest = hall.last_reserved;
  hall.timers.Advance(absl::Seconds(1));
  EXPECT_FALSE(hall.Reserve("ada", 1, younger));
  hall.timers.Advance(absl::Seconds(1));
  EXPECT_FALSE(hall.Reserve("ada", 1, older, oldest)) << "for another match";
  hall.host->FreeSlot("ada", played.text());
  EXPECT_FALSE(hall.Reserve("ada", 1, younger));
  EXPECT_TRUE(hall.Reserve("ada", 1, older));
}

TEST(HostLends, FullRefereeStillGrantsSlots) {
  PeersFixture hall(/*max_running=*/1);
  hall.Come("ada", 2);
  hall.Come("bob");
  hall.Create({"ada", "bob"});
  EXPECT_TRUE(hall.Reserve("ada", 1, std::make_shared<SilentRelay>()));
}

TEST(HostLends, NoBotsThatAreConnectedElsewhereOrNowhere) {
  PeersFixture hall;
  hall.ComeVia("ada");
  const auto bob = hall.Come("bob");
  hall.host->Detach(bob.bot, bob.link.get());
  const auto owner = std::make_shared<SilentRelay>();
  EXPECT_FALSE(hall.Reserve("ada", 1, owner));
  EXPECT_FALSE(hall.Reserve("bob", 1, owner));
}

TEST(HostLends, OwnerThatIsGoneLosesAllItsSlots) {
  PeersFixture hall;
  const auto ada = hall.Come("ada", 2);
  const auto owner = std::make_shared<SilentRelay>(), other = std::make_shared<SilentRelay>();
  ASSERT_TRUE(hall.Reserve("ada", 1, other));
  ASSERT_TRUE(hall.Reserve("ada", 1, owner));
  const std::string match(hall.last_reserved.text());
  hall.host->TakeSlot("ada", "taken up", owner);
  EXPECT_THAT(hall.host->FreeSlotsOf(owner),
              UnorderedElementsAre(Pair("ada", match), Pair("ada", "taken up")));
  EXPECT_EQ(ada.bot->taken_slots(), 1);
}

TEST(HostLends, NothingMoreOnceTheBotHasConnectedToAnotherReferee) {
  PeersFixture hall;
  const auto ada = hall.Come("ada");
  ASSERT_TRUE(hall.Reserve("ada", 1, std::make_shared<SilentRelay>()));
  hall.ComeVia("ada");
  EXPECT_EQ(ada.bot->free_slots(), 1) << "what the other referee says counts from here on";
}

// --- Which connection counts ---

TEST(HostConnections, LinkOfASmallerNumberDoesNotReplaceALaterOne) {
  PeersFixture hall;
  const auto ada = hall.Come("ada");
  EXPECT_EQ(ada.bot->connection_number(), absl::ToUnixNanos(hall.clock.WallNow()));
  const auto stale = std::make_shared<RelayedFakeLink>(&hall.clock);
  host::Hello hello;
  hello.connection = ada.bot->connection_number() - 1;
  EXPECT_EQ(hall.host->Attach("ada", stale, hello).status().code(),
            absl::StatusCode::kAlreadyExists);
  hello.connection = ada.bot->connection_number() + 5;
  EXPECT_TRUE(hall.host->Attach("ada", stale, hello).ok());
  EXPECT_EQ(ada.link->closed->code(), absl::StatusCode::kAborted);
  hall.Come("ada");
  EXPECT_EQ(ada.bot->connection_number(), hello.connection + 1);
}

}  // namespace
}  // namespace referee::testing
