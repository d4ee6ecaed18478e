// Tests of matches whose bots are at another referee: the owner's items, and the times of replies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "tests/unit/service/peer/owner_session_fixture.h"

namespace referee::service {
namespace {

using peer::v1::EntryItem;
using peer::v1::Told;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr absl::Duration kBetween = absl::Milliseconds(70);  // there and back, between the two

class OwnerItemsTest : public OwnerSessionTest {
 protected:
  // Plays the turn that is due: the bot has thought so long, and the answer takes its way.
  void Play(absl::Duration thought) {
    const uint64_t mover = Mover();
    clock_.Advance(thought + kBetween);
    SayMove(mover, thought);
  }
  // Lets time pass, in which the entry says that it is there.
  void Wait(int seconds) {
    for (int i = 0; i < seconds; ++i) {
      timers_.Advance(absl::Seconds(1));
      Say(EntryItem());
    }
  }
  std::string To(uint64_t stream, const std::string& word) {
    return absl::StrCat(stream, " ", word);
  }
};

// --- Slots ---

TEST_F(OwnerItemsTest, AMatchBeginsWhenTheEntryHasGrantedASlotOfEachBot) {
  BeginWithBots();
  CreateMatch();
  EXPECT_THAT(entry_.Words(),
              UnorderedElementsAre("1 reserve 1 of hypnosia", "2 reserve 1 of hypnosia"));
  EXPECT_EQ(entry_.reserves[kAlice].match_ids(0), id_);
  EXPECT_NE(entry_.reserves[kAlice].number(), entry_.reserves[kBob].number());
  SayReserved(kAlice);
  EXPECT_THAT(entry_.Words(), IsEmpty());
  SayReserved(kAlice);  // a second answer is none
  EXPECT_FALSE(Runner()->begun());
  SayReserved(kBob);
  EXPECT_THAT(entry_.Words(), UnorderedElementsAre("1 start", "2 start"));
  EXPECT_TRUE(entry_.told[kAlice].starts());
  EXPECT_EQ(entry_.told[kAlice].asks(), Told::ASKS_READY);
  EXPECT_EQ(entry_.told[kAlice].match_id(), id_);
}

TEST_F(OwnerItemsTest, ARefusedSlotGivesTheOthersBackUntilTheEntryHasRoom) {
  BeginWithBots();
  CreateMatch();
  entry_.Words();
  SayReserved(kAlice);
  SayReserved(kBob, /*granted=*/false);
  EXPECT_THAT(entry_.Words(), ElementsAre("1 release 1"));
  EXPECT_FALSE(Runner()->begun());
  timers_.Advance(limits::kPeerBeat);
  entry_.Words();
  EntryItem item;
  item.set_stream(kBob);
  item.mutable_slots_free()->set_slots(1);
  Say(item);
  EXPECT_THAT(entry_.Words(),
              UnorderedElementsAre("1 reserve 1 of hypnosia", "2 reserve 1 of hypnosia"));
}

TEST_F(OwnerItemsTest, ABotWhoseSlotsAreTakenElsewhereIsNotAskedForAny) {
  BeginWithBots();
  const auto say_taken = [this](uint32_t taken) {
    EntryItem item;
    item.set_stream(kBob);
    item.mutable_capacity()->set_max_matches(1);
    item.mutable_capacity()->set_taken_elsewhere(taken);
    Say(item);
  };
  say_taken(1);
  CreateMatch();
  EXPECT_THAT(entry_.Words(), IsEmpty());
  say_taken(0);
  EXPECT_THAT(entry_.Words(), SizeIs(2));
}

TEST_F(OwnerItemsTest, ABotThatGoesBeforeItsSlotIsGrantedIsWaitedFor) {
  BeginWithBots();
  CreateMatch();
  SayReserved(kAlice);
  entry_.Words();
  SaySimple(kBob, [](EntryItem* item) { item->mutable_went(); });
  EXPECT_THAT(entry_.Words(), ElementsAre("1 release 1"));
  EXPECT_FALSE(Runner()->begun());
  Say(Came(3, "bob", 2));
  EXPECT_THAT(entry_.Words(),
              UnorderedElementsAre("1 reserve 1 of hypnosia", "3 reserve 1 of hypnosia"));
}

// --- What is told ---

TEST_F(OwnerItemsTest, ABotIsAskedForItsMoveAndTheOtherIsToldOfIt) {
  BeginWithBots();
  BeginMatch();
  const uint64_t mover = Mover();
  const uint64_t other = Other();
  const Told asked = entry_.told[mover];
  EXPECT_EQ(asked.asks(), Told::ASKS_MOVE);
  EXPECT_EQ(asked.turn(), 1u);
  EXPECT_FALSE(asked.again());
  EXPECT_EQ(asked.when(), Told::WHEN_TOGETHER);
  EXPECT_FALSE(entry_.asked[mover].legal_moves().empty()) << "it asked for them";
  Play(absl::Milliseconds(20));
  EXPECT_THAT(entry_.Words(), ElementsAre(To(other, "played 1"), To(other, "ask 2")));
}

TEST_F(OwnerItemsTest, TheEndOfAMatchFreesItsSlotAtTheEntry) {
  BeginWithBots();
  BeginMatch();
  host_->Cancel(MatchId::Parse(id_).value(), "enough").IgnoreError();
  EXPECT_THAT(entry_.Words(), UnorderedElementsAre("1 end", "2 end"));
  for (const uint64_t stream : {kAlice, kBob}) {
    EXPECT_TRUE(entry_.told[stream].ends());
    EXPECT_EQ(entry_.told[stream].match_id(), id_);
    EXPECT_EQ(entry_.told[stream].lost_turn(), 0u);
  }
}

TEST_F(OwnerItemsTest, WhatIsSaidOfAMatchThatIsOverIsAFault) {
  BeginWithBots();
  BeginMatch();
  const uint64_t mover = Mover();
  host_->Cancel(MatchId::Parse(id_).value(), "enough").IgnoreError();
  entry_.Words();
  SayMove(mover, absl::Milliseconds(1));
  EXPECT_THAT(entry_.Words(), ElementsAre(To(mover, "fault 1")));
  EXPECT_EQ(entry_.faults[mover].kind(), v1::FAULT_KIND_UNKNOWN_MATCH);
}

TEST_F(OwnerItemsTest, AMalformedItemIsAFault) {
  BeginWithBots();
  CreateMatch();
  for (const uint64_t stream : {kAlice, kBob}) SayReserved(stream);
  entry_.Words();
  v1::BotItem item;
  item.mutable_ready()->set_match_id(id_);
  item.mutable_ready()->set_nonce_hash("short");
  SaySaid(kAlice, item);
  EXPECT_THAT(entry_.Words(), ElementsAre("1 fault 0"));
  EXPECT_EQ(entry_.faults[kAlice].kind(), v1::FAULT_KIND_MALFORMED);
  EXPECT_EQ(entry_.finished, "") << "it is the bot's fault";
}

TEST_F(OwnerItemsTest, AfterAnIllegalMoveTheSameRequestIsAskedAgain) {
  BeginWithBots();
  match::Policies policies;
  policies.on_illegal.action = match::FaultPolicy::Action::kRetry;
  BeginMatch(policies);
  const uint64_t mover = Mover();
  v1::BotItem item;
  item.mutable_move()->set_match_id(id_);
  item.mutable_move()->set_turn(1);
  item.mutable_move()->mutable_move()->set_notation("nonsense");
  SaySaid(mover, item, absl::Milliseconds(5));
  EXPECT_THAT(entry_.Words(), ElementsAre(To(mover, "no fault 1")));
  EXPECT_EQ(entry_.told[mover].asks(), Told::ASKS_MOVE);
  EXPECT_TRUE(entry_.told[mover].again());
  EXPECT_EQ(entry_.told[mover].turn(), 1u);
}

TEST_F(OwnerItemsTest, ABotThatComesBackIsToldItsMatchesAgain) {
  BeginWithBots();
  BeginMatch();
  SaySimple(Mover(), [](EntryItem* item) { item->mutable_went(); });
  const bool alice = Mover() == kAlice;
  Say(Came(3, alice ? "alice" : "bob", 2));
  EXPECT_THAT(entry_.Words(), ElementsAre("3 resumed", "3 ask 1"));
  SayMove(3, absl::Milliseconds(1));
  EXPECT_THAT(Records<match::Played>(), SizeIs(1));
}

TEST_F(OwnerItemsTest, WhatABotSaysOnAStreamThatAnotherHasReplacedIsNotHeard) {
  BeginWithBots();
  BeginMatch();
  const uint64_t mover = Mover();
  Say(Came(3, mover == kAlice ? "alice" : "bob", 2));
  entry_.Words();
  SayMove(mover, absl::Milliseconds(1));
  EXPECT_THAT(Records<match::Played>(), IsEmpty());
  EXPECT_THAT(entry_.Words(), IsEmpty());
  EXPECT_EQ(entry_.finished, "");
}

// --- Time ---

TEST_F(OwnerItemsTest, TheTimeBetweenTheRefereesCountsForNobody) {
  BeginWithBots();
  BeginMatch();
  Play(absl::Milliseconds(20));
  Play(absl::Milliseconds(30));
  const auto played = Records<match::Played>();
  ASSERT_THAT(played, SizeIs(2));
  EXPECT_EQ(played[0].used, absl::Milliseconds(20));
  EXPECT_EQ(played[1].used, absl::Milliseconds(30));
  EXPECT_EQ(played[1].timing->own_delay(), kBetween);
}

TEST_F(OwnerItemsTest, TheClockStartsWhenTheRequestIsHandedToTheStream) {
  BeginWithBots();
  BeginMatch();
  const uint64_t first = Mover();
  entry_.ends_at_once = false;
  host_->TellNotice("alice", "something else");
  clock_.Advance(absl::Milliseconds(50));
  SayMove(first, absl::Milliseconds(50));
  clock_.Advance(absl::Milliseconds(300));  // the stream takes no more
  entry_.EndWrite();
  entry_.ends_at_once = true;
  entry_.EndWrite();
  Play(absl::Milliseconds(30));
  const auto played = Records<match::Played>();
  ASSERT_THAT(played, SizeIs(2));
  EXPECT_EQ(played[1].used, absl::Milliseconds(30));
}

TEST_F(OwnerItemsTest, AnAnswerIsNotTakenForLaterThanItCame) {
  BeginWithBots();
  BeginMatch();
  clock_.Advance(absl::Milliseconds(40));
  SayMove(Mover(), absl::Hours(1));
  const auto played = Records<match::Played>();
  ASSERT_THAT(played, SizeIs(1));
  EXPECT_EQ(played[0].used, absl::Milliseconds(40));
}

TEST_F(OwnerItemsTest, AnAnswerWithoutAMeasureIsTakenForWhenItCame) {
  BeginWithBots();
  BeginMatch();
  clock_.Advance(absl::Milliseconds(40));
  SayMove(Mover(), absl::nullopt);
  const auto played = Records<match::Played>();
  ASSERT_THAT(played, SizeIs(1));
  EXPECT_EQ(played[0].used, absl::Milliseconds(40));
}

TEST_F(OwnerItemsTest, TheRecordsSayWhatTheEntryMeasured) {
  BeginWithBots();
  BeginMatch();
  clock_.Advance(absl::Milliseconds(40));
  v1::BotItem move;
  move.mutable_move()->set_match_id(id_);
  move.mutable_move()->set_turn(1);
  *move.mutable_move()->mutable_move() = entry_.asked[Mover()].legal_moves(0);
  EntryItem item;
  item.set_stream(Mover());
  item.mutable_said()->set_item(move.SerializeAsString());
  item.mutable_said()->set_thought(30'000'000);
  item.mutable_said()->set_taken(2'000'000);
  item.mutable_said()->mutable_stalls()->set_total(5'000'000);
  item.mutable_said()->mutable_stalls()->set_longest(5'000'000);
  item.mutable_said()->set_round_trip(8'000'000);
  Say(item);
  const auto played = Records<match::Played>();
  ASSERT_THAT(played, SizeIs(1));
  EXPECT_EQ(played[0].timing->read, absl::Milliseconds(30));
  EXPECT_EQ(played[0].timing->written, absl::Milliseconds(2));
  EXPECT_EQ(played[0].timing->stalled, absl::Milliseconds(5));
  EXPECT_EQ(played[0].used, absl::Milliseconds(25));
}

// --- Deadlines ---

TEST_F(OwnerItemsTest, ADeadlineWaitsForWhatTheEntrySays) {
  BeginWithBots();
  BeginMatch();
  const uint64_t mover = Mover();
  Wait(11);
  EXPECT_THAT(entry_.Words(), Contains(To(mover, "elapsed?")));
  EXPECT_THAT(Records<match::Forfeited>(), IsEmpty());
  SayMove(mover, absl::Milliseconds(9'990));
  SayElapsed(mover, absl::nullopt);
  const auto played = Records<match::Played>();
  ASSERT_THAT(played, SizeIs(1));
  EXPECT_EQ(played[0].used, absl::Milliseconds(9'990));
}

TEST_F(OwnerItemsTest, ABotThatHasUsedItsTimeByTheClockOfTheEntryHasLost) {
  BeginWithBots();
  BeginMatch();
  const uint64_t mover = Mover();
  Wait(11);
  SayElapsed(mover, absl::Seconds(11));
  const auto forfeits = Records<match::Forfeited>();
  ASSERT_THAT(forfeits, SizeIs(1));
  EXPECT_EQ(forfeits[0].cause, match::Cause::kTimeout);
}

TEST_F(OwnerItemsTest, ABotThatHasTimeLeftByTheClockOfTheEntryIsAskedAboutAgain) {
  BeginWithBots();
  BeginMatch();
  const uint64_t mover = Mover();
  Wait(11);
  entry_.Words();
  SayElapsed(mover, absl::Seconds(4));
  Wait(5);
  EXPECT_THAT(Records<match::Forfeited>(), IsEmpty());
  Wait(3);
  EXPECT_THAT(entry_.Words(), Contains(To(mover, "elapsed?")));
  SayElapsed(mover, absl::Seconds(12));
  EXPECT_THAT(Records<match::Forfeited>(), SizeIs(1));
}

TEST_F(OwnerItemsTest, AMatchOfAnEntryThatIsGoneStandsStillAndGoesOn) {
  BeginWithBots();
  BeginMatch();
  const bool alice = Mover() == kAlice;
  clock_.Advance(absl::Seconds(8));
  session_->OnDone();
  timers_.Advance(absl::Seconds(15));
  EXPECT_THAT(Records<match::Forfeited>(), IsEmpty());
  Begin();
  SayHello("secret", "entry-2");
  Say(Came(kAlice, "alice", 2));
  Say(Came(kBob, "bob", 2));
  SayMove(alice ? kAlice : kBob, absl::Milliseconds(100));
  EXPECT_THAT(Records<match::Played>(), SizeIs(1));
}

TEST_F(OwnerItemsTest, AMatchOfAnEntryThatDoesNotComeBackIsVoid) {
  BeginWithBots();
  BeginMatch();
  session_->OnDone();
  timers_.Advance(limits::kEntryPatience + absl::Seconds(1));
  const auto ended = Records<match::Ended>();
  ASSERT_THAT(ended, SizeIs(1));
  EXPECT_EQ(ended[0].ending, match::Ending::kVoid);
  EXPECT_THAT(Records<match::Forfeited>(), IsEmpty());
}

}  // namespace
}  // namespace referee::service
