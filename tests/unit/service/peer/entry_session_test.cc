// Tests of the entry's side of a stream: what it tells the owner of its bots, and relays.
#include "referee/service/peer/entry_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/limits.h"
#include "tests/unit/service/peer/entry_session_fixture.h"

namespace referee::service {
namespace {

using peer::v1::OwnerItem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

// --- Bots ---

TEST_F(EntrySessionTest, SaysHelloAndWhichBotsAreHere) {
  max_matches_ = 3;
  ComeBoth();
  Dial(&first_);
  const std::vector<std::string> words = first_->Words();
  ASSERT_EQ(words.size(), 3u);
  EXPECT_EQ(words[0], "hello entry-1 secret");
  EXPECT_THAT(words, Contains(HasSubstr("came alice 3 less 0")));
  EXPECT_THAT(words, Contains(HasSubstr("came bob 3 less 0")));
  EXPECT_TRUE(first_->came.wants_legal_moves());
  EXPECT_FALSE(first_->came.wants_notations());
}

TEST_F(EntrySessionTest, TellsWhenABotComesTakesMoreAndGoes) {
  Dial(&first_);
  first_->Words();
  ComeBoth();
  EXPECT_THAT(first_->Words(), ElementsAre("1 came alice 1 less 0", "2 came bob 1 less 0"));
  host_->SetCapacity(alice_.session->bot(), alice_.session.get(), 5, 0);
  EXPECT_THAT(first_->Words(), ElementsAre("1 takes 5 less 0"));
  alice_.session->Close(absl::OkStatus());
  EXPECT_THAT(first_->Words(), ElementsAre("1 went"));
  alice_ = Come("alice");
  EXPECT_THAT(first_->Words(), ElementsAre("3 came alice 1 less 0"));
  const int64_t before = first_->came.connection();
  alice_ = Come("alice");  // in its place
  EXPECT_THAT(first_->Words(), ElementsAre("3 went", "4 came alice 1 less 0"));
  EXPECT_GT(first_->came.connection(), before);
}

TEST_F(EntrySessionTest, ADrainAsksTheBotsToRedial) {
  host_->SetFleet({"other:1"});
  Dial(&first_);
  ComeBoth();
  first_->Words();
  host_->Drain(absl::ZeroDuration(), host::Host::Rest::kLeft);
  EXPECT_THAT(first_->Words(), ElementsAre("1 asked to redial", "2 asked to redial"));
  EXPECT_EQ(alice_->finished, "UNAVAILABLE");
}

TEST_F(EntrySessionTest, ABotOfAnotherRefereeIsNoneOfThisOnes) {
  Dial(&first_);
  alice_ = Come("alice");
  first_->Words();
  host::Hello hello;
  hello.connection = host_->FindBot("alice")->presence().hello.connection + 1;
  const auto link = std::make_shared<ElsewhereLink>();
  const std::shared_ptr<host::Bot> bot = host_->Attach("alice", link, hello).value();
  EXPECT_THAT(first_->Words(), ElementsAre("1 went"));
  host_->Detach(bot, link.get());
  EXPECT_THAT(first_->Words(), IsEmpty());
}

TEST_F(EntrySessionTest, TellsThatABotDidWrongAndThatOneAnswersPings) {
  Dial(&first_);
  ComeBoth();
  first_->Words();
  first_.session->BotRefused("alice");
  first_.session->BotRefused("nobody");
  EXPECT_THAT(first_->Words(), ElementsAre("1 did wrong"));
  OwnerItem ping;
  ping.set_stream(2);
  ping.mutable_ping();
  Hear(ping);
  EXPECT_THAT(bob_->Log(), Contains(HasSubstr("ping")));
  EXPECT_THAT(first_->Words(), IsEmpty());
  SayPong(bob_);
  timers_.Advance(limits::kPeerBeat);
  EXPECT_THAT(first_->Words(), ElementsAre("2 answered", "beat"));
}

// --- What is passed on ---

TEST_F(EntrySessionTest, AMatchOfTheOwnerHasASlotFromItsStartToItsEnd) {
  Dial(&first_);
  ComeBoth();
  Hear(Start(1));
  EXPECT_THAT(alice_->Log(), Contains("start"));
  EXPECT_TRUE(HasSlot("alice", id_));
  EXPECT_FALSE(HasSlot("bob", id_));
  Hear(End(1));
  EXPECT_THAT(alice_->Log(), Contains("end"));
  EXPECT_FALSE(HasSlot("alice", id_));
}

TEST_F(EntrySessionTest, WhatABotSaysGoesToTheOwnerBeforeTheAnswerToHowLongItHasThought) {
  Dial(&first_);
  ComeBoth();
  Hear(Start(1));
  Hear(Turn(1, 7));
  first_->Words();
  clock_.Advance(absl::Milliseconds(20));
  Hear(AskElapsed(1));
  EXPECT_THAT(first_->Words(), ElementsAre("1 elapsed 20"));
  SayNonsense(alice_, 7);
  Hear(AskElapsed(1));
  EXPECT_THAT(first_->Words(), ElementsAre("1 said", "1 elapsed 0"));
  EXPECT_EQ(first_->said.thought(), 20'000'000);
  v1::BotItem item;
  ASSERT_TRUE(item.ParseFromString(first_->said.item()));
  EXPECT_EQ(item.move().turn(), 7u);
}

TEST_F(EntrySessionTest, WhatIsSaidOfAStreamThatHasEndedIsIgnored) {
  Dial(&first_);
  ComeBoth();
  alice_.session->Close(absl::OkStatus());
  first_->Words();
  Hear(Start(1));
  Hear(Turn(1, 7));
  Hear(Reserve(1, 1, {Id(5)}));
  Hear(AskElapsed(1));
  EXPECT_EQ(first_->finished, "");
  EXPECT_THAT(first_->Words(), IsEmpty());
  EXPECT_FALSE(HasSlot("alice", id_));
}

TEST_F(EntrySessionTest, WhatMakesNoSenseEndsTheStream) {
  ComeBoth();
  const auto started = [&](OwnerItem item) {
    item.mutable_told()->set_starts(true);
    return item;
  };
  OwnerItem no_bot = Turn(0, 7);
  OwnerItem never_there = Turn(99, 7);
  OwnerItem no_response = Turn(1, 7);
  no_response.mutable_told()->set_response("");
  OwnerItem two_items = Turn(1, 7);
  two_items.mutable_told()->mutable_response()->append(two_items.told().response());
  OwnerItem cut_off = Turn(1, 7);
  cut_off.mutable_told()->mutable_response()->pop_back();
  OwnerItem no_match = Turn(1, 7);
  no_match.mutable_told()->set_match_id("");
  OwnerItem bad_match = Turn(1, 7);
  bad_match.mutable_told()->set_match_id("no id");
  OwnerItem hello;
  hello.mutable_hello();
  CreateMatch();
  const OwnerItem own_match = started(Turn(1, 7));
  for (const OwnerItem& item :
       {no_bot, never_there, no_response, two_items, cut_off, no_match, bad_match, hello, own_match,
        Reserve(1, 1, {}), Reserve(1, 1, {"no id"})}) {
    Dial(&first_);
    Hear(item);
    EXPECT_EQ(first_->finished, "INVALID_ARGUMENT") << item.DebugString();
    first_.session->OnDone();
    first_.session = nullptr;
  }
  EXPECT_EQ(alice_->finished, "");
}

TEST_F(EntrySessionTest, AnOwnerThatSaysSomethingBeforeItsHelloIsNotHeard) {
  ComeBoth();
  first_.transport = std::make_unique<RecordedPeer>();
  first_.session = std::make_shared<EntrySession>(&environment_of_peers_, first_.transport.get());
  first_->session = first_.session.get();
  first_.session->Begin();
  Hear(Start(1));
  EXPECT_EQ(first_->finished, "INVALID_ARGUMENT");
  EXPECT_FALSE(HasSlot("alice", id_));
}

// --- Slots ---

TEST_F(EntrySessionTest, SlotsAreGrantedWhileThereAreSomeAndFreeOnceTheyAreReleased) {
  max_matches_ = 2;
  Dial(&first_);
  ComeBoth();
  first_->Words();
  Hear(Reserve(1, 7, {Id(5), Id(6)}));
  EXPECT_THAT(first_->Words(), ElementsAre("1 granted 7"));
  EXPECT_TRUE(HasSlot("alice", Id(6)));
  Hear(Reserve(1, 8, {Id(7)}));
  EXPECT_THAT(first_->Words(), ElementsAre("1 refused 8"));
  OwnerItem release;
  release.set_stream(1);
  release.mutable_release()->add_match_ids(Id(5));
  release.mutable_release()->add_match_ids(Id(6));
  Hear(release);
  EXPECT_FALSE(HasSlot("alice", Id(5)));
  EXPECT_THAT(first_->Words(), Contains(HasSubstr("1 free")));
}

TEST_F(EntrySessionTest, AnOwnerThatWasRefusedIsToldWhenTheBotHasRoomAgain) {
  Dial(&first_);
  ComeBoth();
  CreateMatch();  // of this referee: it takes the only slot
  first_->Words();
  Hear(Reserve(1, 1, {Id(5)}));
  EXPECT_THAT(first_->Words(), ElementsAre("1 refused 1"));
  timers_.Advance(limits::kPeerBeat);
  EXPECT_THAT(first_->Words(), Not(Contains(HasSubstr("1 takes")))) << "it would ask in vain";
  host_->Cancel(MatchId::Parse(id_).value(), "").IgnoreError();
  EXPECT_THAT(first_->Words(), Contains("1 free 1"));
  Hear(Reserve(1, 2, {Id(5)}));
  EXPECT_THAT(first_->Words(), ElementsAre("1 granted 2"));
}

TEST_F(EntrySessionTest, ABeatTellsHowManySlotsAreNotTheOwners) {
  max_matches_ = 3;
  Dial(&first_);
  ComeBoth();
  CreateMatch();
  id_ = Id(1);
  Hear(Start(1));
  first_->Words();
  timers_.Advance(limits::kPeerBeat);
  EXPECT_THAT(first_->Words(),
              UnorderedElementsAre("1 takes 3 less 1", "2 takes 3 less 1", "beat"));
  timers_.Advance(limits::kPeerBeat);
  EXPECT_THAT(first_->Words(), ElementsAre("beat"));
}

TEST_F(EntrySessionTest, ABotThatComesBackKeepsTheSlotsOfMatchesThatGoOnAndNoOthers) {
  max_matches_ = 2;
  Dial(&first_);
  ComeBoth();
  Hear(Start(1));
  id_ = Id(2);
  Hear(Start(1));
  alice_.session->Close(absl::OkStatus());
  timers_.Advance(limits::kPeerSilence);
  Hear(OwnerItem());
  EXPECT_TRUE(HasSlot("alice", Id(1))) << "its owner waits for it";
  alice_ = Come("alice");
  Hear(Start(3));
  for (int i = 0; i < 7; ++i) {
    timers_.Advance(absl::Seconds(1));
    Hear(OwnerItem());
  }
  EXPECT_TRUE(HasSlot("alice", Id(2)));
  EXPECT_FALSE(HasSlot("alice", Id(1))) << "it has ended meanwhile";
  EXPECT_EQ(first_->finished, "");
}

}  // namespace
}  // namespace referee::service
