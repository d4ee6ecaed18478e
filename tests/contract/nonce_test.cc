// The nonces of committed dice over the wire, in two steps: what a bot that deviates from them does
// not gain, and what every bot can check.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "referee/dice/dice.h"
#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string RawHash(absl::string_view nonce) {
  return std::string(dice::Raw(dice::HashNonce(nonce)));
}

// Two bots whose match has been told to them. They answer RevealNonce only when a test does.
class Nonces : public ::testing::Test {
 protected:
  void Announce(const v1::CreateMatchRequest& request) {
    match_id_ = referee_.Create(request);
    for (RawBot* bot : {&alice_, &bob_}) {
      bot->HearReveals();
      starts_.push_back(bot->Hear(v1::RefereeItem::kMatchStart).match_start());
    }
  }
  v1::CreateMatchRequest Committed() {
    v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
    request.clear_dice();
    return request;
  }
  void Announce() { Announce(Committed()); }
  // The same with little time to be ready, and to reveal.
  void AnnounceHurried() {
    v1::CreateMatchRequest request = Committed();
    request.mutable_time_control()->mutable_ready()->set_seconds(2);
    Announce(request);
  }
  v1::Fault FaultOf(RawBot* bot) { return bot->Hear(v1::RefereeItem::kFault).fault(); }

  RefereeUnderTest referee_;
  RawBot alice_{&referee_, "alice"};
  RawBot bob_{&referee_, "bob"};
  std::string match_id_;
  std::vector<v1::MatchStart> starts_;
};

TEST_F(Nonces, BotThatWaitsForTheOthersNoncesCannotChooseItsOwn) {
  Announce();
  bob_.Say(ReadyFor(match_id_, "bee"));
  // Nobody is asked for a nonce before alice has told the hash of hers; so there is none to see.
  bob_.Say(NonceFor(match_id_, "bee"));
  EXPECT_EQ(bob_.Hear().fault().kind(), v1::FAULT_KIND_UNEXPECTED_NONCE);
  alice_.Say(ReadyFor(match_id_, "ay"));
  for (RawBot* bot : {&alice_, &bob_}) {
    const v1::RevealNonce reveal = bot->Hear().reveal_nonce();
    EXPECT_EQ(reveal.match_id(), match_id_);
    EXPECT_THAT(reveal.nonce_hashes(), ElementsAre(RawHash("ay"), RawHash("bee")));
    EXPECT_TRUE(reveal.has_limit());
  }
  bob_.Say(NonceFor(match_id_, "bee"));
  // Now she may know his, but can neither tell another hash nor reveal another nonce.
  alice_.Say(ReadyFor(match_id_, "chosen"));
  EXPECT_EQ(FaultOf(&alice_).kind(), v1::FAULT_KIND_UNEXPECTED_READY);
  alice_.Say(NonceFor(match_id_, "chosen"));
  EXPECT_EQ(FaultOf(&alice_).kind(), v1::FAULT_KIND_WRONG_NONCE);
  alice_.Say(NonceFor(match_id_, "ay"));
  v1::RefereeItem item;
  RawBot::HearFirst({&alice_, &bob_}, v1::RefereeItem::kTurnRequest, &item);
  alice_.Say(ResignFrom(match_id_));
  const v1::Verdict verdict = bob_.Hear(v1::RefereeItem::kMatchEnd).match_end().verdict();
  EXPECT_THAT(verdict.nonces(), ElementsAre("ay", "bee"));
}

TEST_F(Nonces, NonceThatDoesNotFitItsHashIsRefused) {
  Announce();
  for (RawBot* bot : {&alice_, &bob_}) bot->Say(ReadyFor(match_id_, "told"));
  alice_.Hear(v1::RefereeItem::kRevealNonce);
  alice_.Say(NonceFor(match_id_, "another"));
  const v1::Fault fault = alice_.Hear().fault();
  EXPECT_EQ(fault.kind(), v1::FAULT_KIND_WRONG_NONCE);
  EXPECT_EQ(fault.match_id(), match_id_);
  EXPECT_THAT(fault.message(), HasSubstr(dice::Hex(dice::HashNonce("told"))));
  for (RawBot* bot : {&alice_, &bob_}) bot->Say(NonceFor(match_id_, "told"));
  v1::RefereeItem item;
  RawBot::HearFirst({&alice_, &bob_}, v1::RefereeItem::kTurnRequest, &item);
}

TEST_F(Nonces, BotThatDoesNotRevealIsNotReady) {
  AnnounceHurried();
  for (RawBot* bot : {&alice_, &bob_}) bot->Say(ReadyFor(match_id_));
  bob_.Hear(v1::RefereeItem::kRevealNonce);
  bob_.Say(NonceFor(match_id_));
  const v1::Verdict verdict = bob_.Hear(v1::RefereeItem::kMatchEnd).match_end().verdict();
  EXPECT_EQ(verdict.state(), v1::MATCH_STATE_FINISHED);
  EXPECT_THAT(verdict.ranks(), ElementsAre(2u, 1u));
  ASSERT_EQ(verdict.forfeits_size(), 1);
  EXPECT_EQ(verdict.forfeits(0).cause(), v1::FORFEIT_CAUSE_TIMEOUT);
  EXPECT_THAT(verdict.forfeits(0).detail(), HasSubstr("did not reveal its nonce"));
  EXPECT_THAT(verdict.nonces(), ElementsAre("", kNonce));
}

TEST_F(Nonces, ReadyWithoutAHashIsToldWhatToDoAndIsNotReady) {
  AnnounceHurried();
  alice_.Say(ReadyFor(match_id_, absl::nullopt));
  const v1::Fault fault = alice_.Hear().fault();
  EXPECT_EQ(fault.kind(), v1::FAULT_KIND_WRONG_NONCE);
  EXPECT_THAT(fault.message(), HasSubstr("SHA-256"));
  bob_.Say(ReadyFor(match_id_));
  bob_.Hear(v1::RefereeItem::kRevealNonce);
  bob_.Say(NonceFor(match_id_));
  const v1::Verdict verdict = bob_.Hear(v1::RefereeItem::kMatchEnd).match_end().verdict();
  EXPECT_THAT(verdict.forfeits(0).detail(), HasSubstr("was not ready"));
}

TEST_F(Nonces, BotThatLosesItsLinkInBetweenIsAskedAgainForTheSame) {
  Announce();
  for (RawBot* bot : {&alice_, &bob_}) bot->Say(ReadyFor(match_id_));
  alice_.Hear(v1::RefereeItem::kRevealNonce);
  RawBot again(referee_.NewChannel());
  again.HearReveals();  // before it has anything to hear
  again.Say(HelloAs("alice"));
  const v1::MatchStart start = again.Hear(v1::RefereeItem::kMatchStart).match_start();
  EXPECT_FALSE(start.has_ready_limit());
  EXPECT_FALSE(start.has_resumed());
  EXPECT_THAT(again.Hear(v1::RefereeItem::kRevealNonce).reveal_nonce().nonce_hashes(),
              ElementsAre(RawHash(kNonce), RawHash(kNonce)));
  for (RawBot* bot : {&again, &bob_}) bot->Say(NonceFor(match_id_));
  v1::RefereeItem item;
  RawBot::HearFirst({&again, &bob_}, v1::RefereeItem::kTurnRequest, &item);
}

TEST_F(Nonces, VerdictShowsEachNonceWithTheHashThatWasToldBefore) {
  Announce();
  EXPECT_FALSE(starts_[0].match().pinned());
  alice_.Say(ReadyFor(match_id_, "ay"));
  bob_.Say(ReadyFor(match_id_, "bee"));
  bob_.Hear(v1::RefereeItem::kRevealNonce);
  alice_.Hear(v1::RefereeItem::kRevealNonce);
  alice_.Say(NonceFor(match_id_, "ay"));
  bob_.Say(NonceFor(match_id_, "bee"));
  v1::RefereeItem item;
  RawBot::HearFirst({&alice_, &bob_}, v1::RefereeItem::kTurnRequest, &item);
  bob_.Say(ResignFrom(match_id_));
  const v1::Verdict verdict = alice_.Hear(v1::RefereeItem::kMatchEnd).match_end().verdict();
  EXPECT_THAT(verdict.nonces(), ElementsAre("ay", "bee"));
  EXPECT_THAT(verdict.nonce_hashes(), ElementsAre(RawHash("ay"), RawHash("bee")));
  EXPECT_EQ(RawHash(verdict.seed()), starts_[0].match().commitment());
}

TEST_F(Nonces, BotThatResignsInsteadOfBeingReadyEndsTheMatchAtOnce) {
  Announce();
  bob_.Say(ResignFrom(match_id_));
  const v1::Verdict verdict = alice_.Hear(v1::RefereeItem::kMatchEnd).match_end().verdict();
  EXPECT_EQ(verdict.state(), v1::MATCH_STATE_FINISHED);
  EXPECT_THAT(verdict.ranks(), ElementsAre(1, 2));
  EXPECT_THAT(verdict.nonces(), ElementsAre("", ""));
  EXPECT_THAT(verdict.nonce_hashes(), ElementsAre("", ""));
  EXPECT_EQ(verdict.forfeits(0).cause(), v1::FORFEIT_CAUSE_RESIGNED);
}

TEST_F(Nonces, PinnedMatchesSaySoAndAskForNone) {
  v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
  request.mutable_dice()->set_pinned_number(7);
  Announce(request);
  EXPECT_TRUE(starts_[0].match().pinned());
  for (RawBot* bot : {&alice_, &bob_}) bot->Say(ReadyFor(match_id_, absl::nullopt));
  v1::RefereeItem item;
  const size_t mover = RawBot::HearFirst({&alice_, &bob_}, v1::RefereeItem::kTurnRequest, &item);
  RawBot* const bot = mover == 0 ? &alice_ : &bob_;
  bot->Say(ResignFrom(match_id_));
  const v1::Verdict verdict = bot->Hear(v1::RefereeItem::kMatchEnd).match_end().verdict();
  EXPECT_THAT(verdict.nonces(), IsEmpty());
  EXPECT_THAT(verdict.nonce_hashes(), IsEmpty());
}

}  // namespace
}  // namespace referee::testing
