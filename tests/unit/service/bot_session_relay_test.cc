// Tests of a bot's session in matches of another referee: what it relays both ways and measures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "tests/support/match_id.h"
#include "tests/unit/service/bot_session_fixture.h"

namespace referee::service {
namespace {

using host::PassedOn;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Keeps what it is told.
class RecordedOwner final : public host::Relay {
 public:
  struct Heard {
    std::string bot;
    v1::BotItem item;
    host::Measured measured;
  };

  void Said(absl::string_view bot, std::string item, const host::Measured& measured) override {
    Heard heard{std::string(bot), {}, measured};
    EXPECT_TRUE(heard.item.ParseFromString(item));
    said.push_back(std::move(heard));
  }
  void Flush() override { ++flushes; }

  std::vector<Heard> said;
  int flushes = 0;
};

class BotSessionRelayTest : public BotSessionTest {
 protected:
  BotSessionRelayTest() { id_ = testing::NumberedId(1).text(); }

  // Alice is there, and what is written to her goes out at once. She plays a match of the owner.
  void Come() {
    alice_ = BotSessionTest::Come("alice");
    alice_->ends_at_once = true;
    alice_->EndWrite();
    alice_->Log();
    host_->TakeSlot("alice", id_, owner_);
  }
  PassedOn About(const v1::RefereeItem& item) {
    v1::PlayResponse response;
    *response.add_items() = item;
    PassedOn told;
    told.response = response.SerializeAsString();
    told.match_id = id_;
    return told;
  }
  PassedOn Notice(const std::string& text) {
    v1::RefereeItem item;
    item.mutable_notice()->set_text(text);
    return About(item);
  }
  PassedOn Turn(uint32_t turn, uint32_t request = 0) {
    v1::RefereeItem item;
    item.mutable_turn_request()->set_match_id(id_);
    item.mutable_turn_request()->set_turn(turn);
    item.mutable_turn_request()->set_request(request);
    PassedOn told = About(item);
    told.when = PassedOn::When::kTogether;
    told.asks = PassedOn::Asks::kMove;
    told.turn = turn;
    told.request = request;
    return told;
  }
  // The bot's move in `turn` was illegal, and it may try again.
  PassedOn Again(uint32_t turn) {
    v1::RefereeItem item;
    item.mutable_fault()->set_match_id(id_);
    item.mutable_fault()->set_turn(turn);
    PassedOn told = About(item);
    told.asks = PassedOn::Asks::kMove;
    told.turn = turn;
    told.again = true;
    return told;
  }
  PassedOn End() {
    v1::RefereeItem item;
    item.mutable_match_end()->set_match_id(id_);
    PassedOn told = About(item);
    told.ends = true;
    return told;
  }
  void Tell(const PassedOn& told) {
    alice_.session->PassOn(told);
    alice_.session->Flush();
  }
  const host::Measured& LastMeasured() { return owner_->said.back().measured; }
  host::Elapsed ElapsedNow() { return alice_.session->ElapsedIn(id_); }

  const std::shared_ptr<RecordedOwner> owner_ = std::make_shared<RecordedOwner>();
};

// --- To the bot ---

TEST_F(BotSessionRelayTest, WhatAnOwnerTellsGoesOutAsItIs) {
  Come();
  Tell(Turn(7));
  EXPECT_THAT(alice_->Log(), ElementsAre(HasSubstr("ask 7")));
  EXPECT_EQ(alice_->asked.match_id(), id_);
}

TEST_F(BotSessionRelayTest, ItemsOfBothRefereesKeepTheirOrder) {
  Come();
  alice_->ends_at_once = false;
  Tell(Notice("0"));
  alice_.session->TellNotice("1");
  alice_.session->PassOn(Notice("2"));
  alice_.session->TellNotice("3");
  alice_.session->PassOn(Notice("4"));
  alice_.session->Flush();
  alice_->EndWrite();
  EXPECT_THAT(alice_->notices, ElementsAre("0", "1", "2", "3", "4"));
  EXPECT_EQ(alice_->Log().back(), "other, other, other, other");
}

TEST_F(BotSessionRelayTest, ManyItemsGoOutWholeAndInOrder) {
  Come();
  alice_->ends_at_once = false;
  Tell(Notice("0"));
  for (int i = 1; i <= 100; ++i) {
    const std::string text = absl::StrCat(i, std::string(30'000, 'x'));
    i % 3 == 0 ? alice_.session->TellNotice(text) : alice_.session->PassOn(Notice(text));
  }
  alice_.session->Flush();
  while (alice_->writing) alice_->EndWrite();
  ASSERT_EQ(alice_->notices.size(), 101u);
  for (int i = 1; i <= 100; ++i) {
    EXPECT_EQ(alice_->notices[static_cast<size_t>(i)].find(absl::StrCat(i, "x")), 0u) << i;
  }
}

TEST_F(BotSessionRelayTest, NewsWaitsOnlyForABotThatSaysSo) {
  for (const bool may_wait : {false, true}) {
    news_may_wait_ = may_wait;
    Come();
    PassedOn news = Notice("somebody played");
    news.when = PassedOn::When::kLater;
    Tell(news);
    EXPECT_EQ(alice_->notices.empty(), may_wait);
    timers_.Advance(absl::Milliseconds(101));
    EXPECT_EQ(alice_->notices.size(), 1u);
  }
}

TEST_F(BotSessionRelayTest, ABotThatDoesNotReadIsDisconnectedWhenTooMuchOfAnOwnerWaits) {
  Come();
  alice_->ends_at_once = false;
  Tell(Notice("first"));
  for (int i = 0; i < 200 && alice_->finished.empty() && !alice_->cancelled; ++i) {
    Tell(Notice(std::string(100'000, 'x')));
  }
  alice_->EndWrite();
  while (alice_->writing) alice_->EndWrite();
  EXPECT_EQ(alice_->finished, "RESOURCE_EXHAUSTED");
}

TEST_F(BotSessionRelayTest, FaultsInMatchesOfAnOwnerCountAgainstTheAllowance) {
  limits_.faults = {1, 3};
  Come();
  PassedOn fault = Again(1);
  fault.asks = PassedOn::Asks::kNothing;
  for (int i = 0; i < 10; ++i) Tell(fault);
  EXPECT_EQ(alice_->finished, "");
  fault.fault = true;
  for (int i = 0; i < 3; ++i) Tell(fault);
  EXPECT_EQ(alice_->finished, "");
  Tell(fault);
  EXPECT_EQ(alice_->finished, "RESOURCE_EXHAUSTED");
}

// --- From the bot ---

TEST_F(BotSessionRelayTest, AMoveGoesToTheOwnerWithTheTimesThatTheBotAndItsTransportTook) {
  Come();
  alice_->ends_at_once = false;
  Tell(Turn(7));
  clock_.Advance(absl::Milliseconds(3));
  alice_->EndWrite();
  clock_.Advance(absl::Milliseconds(17));
  SayNonsense(alice_, 7);
  ASSERT_EQ(owner_->said.size(), 1u);
  EXPECT_EQ(owner_->said[0].bot, "alice");
  EXPECT_EQ(owner_->said[0].item.move().turn(), 7u);
  EXPECT_EQ(owner_->said[0].item.move().move().notation(), "nonsense");
  EXPECT_EQ(LastMeasured().thought, absl::Milliseconds(20));
  EXPECT_EQ(LastMeasured().taken, absl::Milliseconds(3));
  EXPECT_EQ(owner_->flushes, 1);
}

TEST_F(BotSessionRelayTest, AnAnswerToAReadyCountsFromWhenItWasTold) {
  Come();
  PassedOn start = Notice("a start");
  start.asks = PassedOn::Asks::kReady;
  Tell(start);
  clock_.Advance(absl::Milliseconds(5));
  SayReady(alice_);
  EXPECT_TRUE(owner_->said.back().item.has_ready());
  EXPECT_EQ(LastMeasured().thought, absl::Milliseconds(5));
}

TEST_F(BotSessionRelayTest, WhatAnswersNothingIsNotMeasured) {
  Come();
  v1::BotItem item;
  item.mutable_resign()->set_match_id(id_);
  Say(alice_, item);
  EXPECT_TRUE(owner_->said.back().item.has_resign());
  EXPECT_FALSE(LastMeasured().thought.has_value());
}

TEST_F(BotSessionRelayTest, AMessageOfManyItemsIsFlushedToTheOwnerOnce) {
  Come();
  v1::PlayRequest request;
  for (int i = 0; i < 5; ++i) request.add_items()->mutable_resign()->set_match_id(id_);
  alice_->reading = false;
  alice_.session->OnRead(request, clock_.Now());
  EXPECT_EQ(owner_->said.size(), 5u);
  EXPECT_EQ(owner_->flushes, 1);
}

TEST_F(BotSessionRelayTest, AnotherTryCountsFromTheFirstHandover) {
  Come();
  Tell(Turn(7));
  clock_.Advance(absl::Milliseconds(10));
  SayNonsense(alice_, 7);
  clock_.Advance(absl::Milliseconds(100));  // to the owner and back
  Tell(Again(7));
  EXPECT_EQ(ElapsedNow().time, absl::Milliseconds(110));
  clock_.Advance(absl::Milliseconds(10));
  SayNonsense(alice_, 7);
  EXPECT_EQ(LastMeasured().thought, absl::Milliseconds(120));
  timers_.Advance(absl::Milliseconds(101));  // it is read again
  SayNonsense(alice_, 7);                    // nobody asked again, but its time is known
  EXPECT_EQ(LastMeasured().thought, absl::Milliseconds(221));
}

TEST_F(BotSessionRelayTest, ABotThatDoesNotReadIsChargedFromWhenItsRequestWasOffered) {
  Come();
  alice_->ends_at_once = false;
  Tell(Notice("something else"));
  clock_.Advance(absl::Milliseconds(50));
  Tell(Turn(7));
  EXPECT_TRUE(ElapsedNow().waits);
  clock_.Advance(absl::Milliseconds(300));
  EXPECT_EQ(ElapsedNow().time, absl::Milliseconds(300));
  alice_->EndWrite();
  alice_->EndWrite();
  clock_.Advance(absl::Milliseconds(100));
  SayNonsense(alice_, 7);
  EXPECT_EQ(LastMeasured().thought, absl::Milliseconds(400));
}

TEST_F(BotSessionRelayTest, TheRefereesOwnStallsAndTheRoundTripAreTold) {
  Come();
  Tell(Turn(7));
  clock_.Advance(kRoundTrip);
  SayPong(alice_);
  stalls_.Looked(clock_.Now(), absl::Milliseconds(15));
  SayNonsense(alice_, 7);
  EXPECT_EQ(LastMeasured().stalls.total, absl::Milliseconds(15));
  EXPECT_EQ(LastMeasured().stalls.longest, absl::Milliseconds(15));
  EXPECT_EQ(LastMeasured().round_trip, kRoundTrip);
}

// --- What it owes ---

TEST_F(BotSessionRelayTest, TheTimeOfARequestIsKnownUntilItIsAnswered) {
  Come();
  EXPECT_FALSE(ElapsedNow().time.has_value());
  EXPECT_FALSE(ElapsedNow().waits);
  alice_.session->PassOn(Turn(7));
  EXPECT_TRUE(ElapsedNow().waits);
  alice_.session->Flush();
  clock_.Advance(absl::Seconds(1));
  EXPECT_EQ(ElapsedNow().time, absl::Seconds(1));
  SayNonsense(alice_, 7);
  EXPECT_FALSE(ElapsedNow().time.has_value());
  EXPECT_FALSE(ElapsedNow().waits);
  EXPECT_FALSE(alice_.session->ElapsedIn("no id of a match").time.has_value());
}

TEST_F(BotSessionRelayTest, ABotThatOwesAnOwnerAnAnswerIsRead) {
  Come();
  Say(alice_, v1::BotItem());
  EXPECT_FALSE(alice_->reading) << "it is parked";
  Tell(Turn(7));
  EXPECT_TRUE(alice_->reading);
  Say(alice_, v1::BotItem());
  EXPECT_TRUE(alice_->reading);
  SayNonsense(alice_, 7);
  EXPECT_FALSE(alice_->reading);
}

TEST_F(BotSessionRelayTest, AMoveAfterTheEndOfTheMatchIsExplainedHere) {
  Come();
  Tell(Turn(7));
  clock_.Advance(absl::Seconds(1));
  PassedOn end = End();
  end.lost_turn = 7;
  end.lost_limit = absl::Milliseconds(900);
  Tell(end);
  host_->FreeSlot("alice", id_);
  clock_.Advance(absl::Milliseconds(50));
  SayNonsense(alice_, 7);
  EXPECT_THAT(owner_->said, IsEmpty());
  EXPECT_THAT(alice_->faults, Contains(HasSubstr("150 ms after the limit of 900 ms")));
}

TEST_F(BotSessionRelayTest, NonsenseOfAnOwnerDoesNoHarm) {
  Come();
  PassedOn told = Turn(7);
  told.match_id = "no id of a match";
  Tell(told);
  told.match_id = "";
  told.ends = true;
  told.lost_turn = 3;
  told.lost_limit = absl::InfiniteDuration();
  Tell(told);
  SayNonsense(alice_, 7);
  EXPECT_EQ(alice_->finished, "");
  EXPECT_THAT(alice_->Log(), Not(IsEmpty()));
}

}  // namespace
}  // namespace referee::service
