// Tests of the order of a session's messages, over a transport that the test controls.
#include "referee/service/play/bot_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/unit/service/bot_session_fixture.h"

namespace referee::service {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

// --- The fleet ---

TEST_F(BotSessionTest, BotIsToldWhereTheOtherRefereesAreWithItsWelcomeAndWhenThatChanges) {
  host_->SetFleet({"games2:7450", "games3:7450"});
  ComeBoth();
  ASSERT_THAT(alice_->fleets, SizeIs(1));
  EXPECT_THAT(alice_->fleets[0], UnorderedElementsAre("games2:7450", "games3:7450"));
  host_->SetFleet({"games2:7450", "games3:7450"});
  EXPECT_THAT(alice_->fleets, SizeIs(1)) << "it knows that";
  host_->SetFleet({});
  ASSERT_THAT(alice_->fleets, SizeIs(2));
  EXPECT_THAT(alice_->fleets[1], IsEmpty());
  EXPECT_THAT(bob_->fleets, SizeIs(2));
}

TEST_F(BotSessionTest, OfManyRefereesABotIsToldEightInAnOrderOfItsOwn) {
  std::vector<std::string> addresses;
  for (int i = 0; i < 20; ++i) addresses.push_back(absl::StrCat("games", i, ":7450"));
  host_->SetFleet(addresses);
  ComeBoth();
  EXPECT_THAT(alice_->fleets[0], SizeIs(8));
  EXPECT_NE(alice_->fleets[0], bob_->fleets[0]);
}

TEST_F(BotSessionTest, AFleetThatChangesWhileABotIsWelcomedIsToldAfterIt) {
  on_connection_ = [this](absl::string_view) { host_->SetFleet({"games2:7450"}); };
  alice_ = Come("alice");
  alice_->EndWrite();
  ASSERT_THAT(alice_->fleets, SizeIs(::testing::Ge(2u)));
  EXPECT_THAT(alice_->fleets.front(), IsEmpty());
  EXPECT_THAT(alice_->fleets.back(), ElementsAre("games2:7450"));
}

// --- Writing ---

TEST_F(BotSessionTest, WhatIsToldWhileNothingIsWrittenGoesOutAtOnce) {
  const Guest alice = Come("alice");
  EXPECT_THAT(alice->Log(), ElementsAre("read", "welcome", "read"));
}

TEST_F(BotSessionTest, WhatIsToldDuringAWriteGoesOutWhenThatEnds) {
  Begin();
  const Guest& first = First();
  EXPECT_THAT(first->Log(), ElementsAre("read"));
  first->EndWrite();
  EXPECT_THAT(first->Log(), ElementsAre("ask 1, ping"));
  first->EndWrite();
  EXPECT_THAT(first->Log(), IsEmpty());
}

TEST_F(BotSessionTest, AWriteMayEndBeforeTheCallThatStartsItReturns) {
  Begin();
  for (Guest* guest : {&alice_, &bob_}) {
    (*guest)->ends_at_once = true;
    (*guest)->EndWrite();
  }
  for (uint32_t turn = 1; turn <= 20; ++turn) {
    const Guest& mover = alice_->asked.turn() == turn ? alice_ : bob_;
    if (mover->asked.turn() == turn) SayLegalMove(mover);
  }
  for (Guest* guest : {&alice_, &bob_}) {
    EXPECT_THAT(absl::StrJoin((*guest)->Log(), ", "), HasSubstr("end"));
  }
}

TEST_F(BotSessionTest, AFaultFollowsTheRequestThatItIsAbout) {
  match::Policies policies;
  policies.on_illegal.action = match::FaultPolicy::Action::kRetry;
  policies.on_illegal.max_tries = 3;
  Begin(policies);
  const Guest& first = First();
  first->Log();
  SayNonsense(first, 1);  // before it was asked
  first->EndWrite();
  EXPECT_THAT(first->Log(), ElementsAre("read", "ask 1, fault 1, ping"));
}

// --- Mistakes that only other languages make ---

TEST_F(BotSessionTest, ATokenThatIsEmptySaysWhereToGetOne) {
  for (const char* token : {"", " \n"}) {
    const Guest nobody = Come(token);
    EXPECT_EQ(nobody->finished, "UNAUTHENTICATED");
    EXPECT_THAT(nobody->why, AllOf(HasSubstr("hello.token: empty"), HasSubstr("REFEREE_TOKEN")));
  }
}

TEST_F(BotSessionTest, ATokenWithALineEndSaysSo) {
  EXPECT_THAT(Come("alice\n")->why, HasSubstr("white space before or after it"));
  EXPECT_THAT(Come("mallory")->why, HasSubstr("it was mistyped"));
}

TEST_F(BotSessionTest, TheReasonForAResignationIsKeptAsPlainTextOf200BytesAtMost) {
  Begin();
  v1::BotItem item;
  item.mutable_resign()->set_match_id(id_);
  item.mutable_resign()->set_reason("Error:\n\x1b[2J" + std::string(300, 'x'));
  Say(First(), item);
  std::string detail;
  for (const match::Record& record : recorder_.matches().at(id_).records) {
    const auto* const forfeited = std::get_if<match::Forfeited>(&record);
    if (forfeited != nullptr) detail = forfeited->detail;
  }
  EXPECT_EQ(detail, "resigned in turn 1: Error: ?[2J" + std::string(200 - 11, 'x'));
}

TEST_F(BotSessionTest, AGameThatThereIsNotIsToldInANotice) {
  games_ = {"hypnosia", "hypnosa"};
  const Guest alice = Come("alice");
  alice->EndWrite();
  EXPECT_THAT(alice->notices,
              ElementsAre(AllOf(HasSubstr("hello.games: game 'hypnosa'"),
                                HasSubstr("known: hypnosia, isaac"), HasSubstr("mend the name"))));
}

TEST_F(BotSessionTest, AnItemWithoutAMatchIdSaysThatItIsEmpty) {
  const Guest alice = Come("alice");
  alice->EndWrite();
  alice->ends_at_once = true;
  SayMove(alice, 1, {});
  EXPECT_THAT(alice->faults, ElementsAre(AllOf(HasSubstr("match_id: '' is empty"),
                                               HasSubstr("is misspelt comes empty"))));
}

// --- Pings ---

TEST_F(BotSessionTest, BotThatPlaysNothingIsPingedAndItsAnswerIsNoted) {
  ComeBoth();
  const auto answered = [&] {
    return host_->Look({{"alice"}, "hypnosia", 2, {}}).bots[0].answered;
  };
  EXPECT_FALSE(answered().has_value());
  host_->Ping("alice");
  EXPECT_THAT(alice_->Log(), Contains("ping"));
  host_->Ping("alice");
  EXPECT_THAT(alice_->Log(), Not(Contains("ping"))) << "the first one waits for its answer";
  EXPECT_FALSE(answered().has_value());
  clock_.Advance(absl::Seconds(3));
  SayPong(alice_);
  EXPECT_EQ(answered(), clock_.Now());
  EXPECT_THAT(alice_->faults, IsEmpty());
  host_->Ping("nobody");
}

// --- Links that are replaced ---

TEST_F(BotSessionTest, AReplacingSessionIsAskedWhatTheOtherHadNotSent) {
  Begin();
  Guest& first = First();
  const Guest again = Come(IsFirst(alice_) ? "alice" : "bob");
  EXPECT_THAT(again->Log(), ElementsAre("read", "welcome, resumed, ask 1, ping", "read"));
  EXPECT_EQ(first->finished, "");
  first->EndWrite();
  EXPECT_TRUE(first->writing) << "what was told before goes out";
  first->EndWrite();
  EXPECT_EQ(first->finished, "ABORTED");
}

// The first session knows a round trip, and hands its request over after it was replaced;
// the second knows none.
TEST_F(BotSessionTest, ARequestThatGoesOutAfterCloseCreditsNothing) {
  match::Policies policies;
  policies.lag.per_move = absl::Milliseconds(30);
  policies.lag.per_match = absl::Seconds(10);
  Begin(policies);
  Guest& first = First();
  Guest& second = Second();
  const std::string name = &first == &alice_ ? "alice" : "bob";
  first->EndWrite();
  clock_.Advance(kRoundTrip);
  SayPong(first);
  SayLegalMove(first);
  second->EndWrite();
  second->EndWrite();
  SayLegalMove(second);  // while "ask 1" is being written still
  ASSERT_TRUE(first->writing);
  const Guest again = Come(name);
  ASSERT_EQ(again->asked.turn(), 3u);
  first->EndWrite();  // hands over turn 3, too
  clock_.Advance(absl::Milliseconds(25));
  again->EndWrite();
  second->ends_at_once = true;
  if (second->writing) second->EndWrite();
  SayLegalMove(again);
  EXPECT_EQ(second->played.turn(), 3u);
  EXPECT_EQ(second->played.time_used().nanos(), 25'000'000);
}

TEST_F(BotSessionTest, AFarewellThatIsNotTakenIsCutShort) {
  const Guest alice = Come("alice");
  alice.session->Close(absl::AbortedError("enough"));
  EXPECT_EQ(alice->finished, "");
  timers_.Advance(absl::Seconds(4));
  EXPECT_FALSE(alice->cancelled);
  timers_.Advance(absl::Seconds(2));
  EXPECT_TRUE(alice->cancelled);
}

// --- Parking ---

TEST_F(BotSessionTest, ABotThatOwesNothingIsNotReadUntilItIsToldSomething) {
  const Guest alice = Come("alice");
  const Guest bob = Come("bob");
  for (const Guest* guest : {&alice, &bob}) {
    (*guest)->EndWrite();
    Say(*guest, v1::BotItem());
    EXPECT_FALSE((*guest)->reading);
    (*guest)->Log();
  }
  CreateMatch();
  EXPECT_THAT(alice->Log(), ElementsAre("start", "read"));
  EXPECT_THAT(bob->Log(), ElementsAre("start", "read"));
}

TEST_F(BotSessionTest, ABotThatOwesNothingIsReadAWhileLater) {
  const Guest alice = Come("alice");
  alice->EndWrite();
  Say(alice, v1::BotItem());
  EXPECT_FALSE(alice->reading);
  timers_.Advance(absl::Milliseconds(101));
  EXPECT_TRUE(alice->reading);
}

TEST_F(BotSessionTest, ABotThatOwesAnAnswerIsRead) {
  Begin();
  First()->EndWrite();
  EXPECT_TRUE(First()->reading);
}

// --- The log ---

TEST_F(BotSessionTest, TheLogHearsWhoComesIsRefusedAndGoesAndNoToken) {
  std::vector<std::string> heard;
  log::SparseLog log(&clock_, [&](const log::Event& event) {
    heard.push_back(absl::StrCat(event.name, " ", event.fields[log::kBot]));
    EXPECT_THAT(event.message, Not(HasSubstr("mallory")));
    EXPECT_NE(event.fields[log::kAddress], "");
  });
  environment_.log = &log;
  Come("mallory");
  alice_ = Come("alice");
  alice_.session->Close(absl::OkStatus());
  bob_ = Come("bob");
  bob_.session->Close(absl::ResourceExhaustedError("too much"));
  EXPECT_THAT(heard, ElementsAre("bot_refused ", "bot_connected alice", "bot_left alice",
                                 "bot_connected bob", "bot_cut_off bob"));
  alice_->EndWrite();
  bob_->EndWrite();
  environment_.log = nullptr;
}

}  // namespace
}  // namespace referee::service
