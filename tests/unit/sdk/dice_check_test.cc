// Tests of a bot's contribution to the dice, and of its check of the referee's dice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/dice/dice.h"
#include "sdk/cpp/src/dice_check.h"
#include "sdk/cpp/src/nonce.h"
#include "tests/unit/sdk/client_under_test.h"

namespace referee::sdk {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// --- The nonce ---

TEST(NonceOfABot, IsRevealedOnlyWhenItsOwnHashIsAmongThoseOfAll) {
  Nonce nonce;
  const std::string hash = nonce.Hash();
  EXPECT_EQ(nonce.Reveal({"another", "hash"}, 1), absl::nullopt);
  EXPECT_EQ(nonce.Reveal({hash, "another"}, 1), absl::nullopt);
  EXPECT_EQ(nonce.Reveal({hash}, 1), absl::nullopt);
  EXPECT_FALSE(nonce.part().revealed.has_value());
  const auto revealed = nonce.Reveal({"another", hash}, 1);
  ASSERT_TRUE(revealed.has_value());
  EXPECT_EQ(Sha256(*revealed), hash);
}

TEST(NonceOfABot, IsTheSameUntilItWasRevealedAndThenAnother) {
  Nonce nonce;
  const std::string hash = nonce.Hash();
  EXPECT_EQ(nonce.Hash(), hash);
  const auto revealed = nonce.Reveal({hash, "another"}, 0);
  EXPECT_EQ(nonce.Reveal({hash, "another"}, 0), revealed) << "asked again over a new link";
  EXPECT_EQ(nonce.Reveal({hash, "changed"}, 0), absl::nullopt);
  EXPECT_NE(nonce.Hash(), hash) << "asked anew, by a referee that has seen it";
}

TEST(NonceOfABot, IsSharedByTheMatchesOfABlock) {
  Nonces nonces;
  v1::Match match;
  EXPECT_NE(nonces.Of(match), nonces.Of(match));
  match.mutable_block()->set_block_id("block");
  const auto first = nonces.Of(match);
  match.mutable_block()->set_rotation(1);
  EXPECT_EQ(nonces.Of(match), first);
  match.mutable_block()->set_block_id("other");
  EXPECT_NE(nonces.Of(match), first);
}

// --- The check ---

// A match of seats 0 and 1, of which this bot has seat 1, as an honest referee plays it.
class Dice : public ::testing::Test {
 protected:
  Dice() {
    told_.set_game("hypnosia");
    for (const char* bot : {"alice", "bob"}) told_.add_bots(bot);
    told_.set_commitment(Sha256(kSeed));
    verdict_.set_state(v1::MATCH_STATE_FINISHED);
    verdict_.set_seed(kSeed);
    for (const char* nonce : {"ay", "bee"}) {
      verdict_.add_nonces(nonce);
      verdict_.add_nonce_hashes(Sha256(nonce));
    }
    own_.seat = 1;
    own_.revealed = Nonce::Revealed{"bee", {Sha256("ay"), Sha256("bee")}};
  }
  void See(uint32_t turn, uint32_t seat, int k) {
    const std::vector<std::string> nonces = {"ay", "bee"};
    const dice::Key key = dice::CommittedKey(dice::Seed{*dice::FromRaw(kSeed)}, nonces);
    int roll[2];
    key.Uniform(dice::Label::Roll(Seat(static_cast<int>(seat)), k), 6, absl::MakeSpan(roll));
    check_.SawTurn(turn, seat,
                   {static_cast<uint32_t>(roll[0] + 1), static_cast<uint32_t>(roll[1] + 1)});
  }
  std::string Problem() const { return check_.Problem(told_, verdict_, own_); }

  const std::string kSeed = std::string(32, 's');
  v1::Match told_;
  v1::Verdict verdict_;
  Nonce::Part own_;
  DiceCheck check_;
};

TEST_F(Dice, OfAnHonestRefereeFit) {
  See(1, 1, 0);
  See(2, 0, 0);
  See(3, 1, 1);
  See(3, 1, 1);  // asked again
  See(4, 0, 1);
  EXPECT_EQ(Problem(), "");
}

TEST_F(Dice, OfAnotherSeedDoNotFit) {
  verdict_.set_seed(std::string(32, 'x'));
  EXPECT_THAT(Problem(), HasSubstr("the seed has the commitment"));
}

TEST_F(Dice, OfASeedOfAnotherLengthDoNotFit) {
  verdict_.set_seed("short");
  told_.set_commitment(Sha256("short"));
  EXPECT_EQ(Problem(), "the seed has 5 bytes, and should have 32");
}

TEST_F(Dice, OfASeatThatDoesNotExistDoNotFit) {
  check_.SawTurn(1, 256, {1, 2});
  EXPECT_EQ(Problem(), "in turn 1 seat 256 does not exist");
}

TEST_F(Dice, OfAHiddenSeedDoNotFit) {
  verdict_.clear_seed();
  EXPECT_EQ(Problem(), "the seed was not revealed");
  verdict_.set_state(v1::MATCH_STATE_VOID);
  EXPECT_EQ(Problem(), "");
}

TEST_F(Dice, WithAnotherNonceInThePlaceOfTheBotsOwnDoNotFit) {
  verdict_.set_nonces(1, "sea");
  EXPECT_THAT(Problem(), HasSubstr("the nonce of seat 1 has the hash"));
  verdict_.set_nonce_hashes(1, Sha256("sea"));
  EXPECT_THAT(Problem(), HasSubstr("not those that were told before they were revealed"));
  own_.revealed->hashes[1] = Sha256("sea");
  EXPECT_THAT(Problem(), HasSubstr("but it had revealed"));
}

TEST_F(Dice, WithoutANonceOfASeatThatDidNotForfeitBeforeTheFirstTurnDoNotFit) {
  for (const uint32_t seat : {0, 1}) {
    const std::string nonce = verdict_.nonces(static_cast<int>(seat));
    verdict_.set_nonces(static_cast<int>(seat), "");
    EXPECT_EQ(Problem(), absl::StrCat("the nonce of seat ", seat,
                                      " was not revealed, and yet the seat did not forfeit before "
                                      "turn 1"));
    v1::SeatForfeited* const forfeit = verdict_.add_forfeits();
    forfeit->set_seat(seat);
    forfeit->set_turn(2);
    EXPECT_THAT(Problem(), HasSubstr("was not revealed"));
    forfeit->set_turn(1);
    EXPECT_EQ(Problem(), "");
    verdict_.clear_forfeits();
    verdict_.set_nonces(static_cast<int>(seat), nonce);
  }
}

TEST_F(Dice, WithoutTheOwnNonceFitWhereAllOthersResignedFirst) {
  verdict_.set_nonces(0, "");
  verdict_.set_nonces(1, "");
  verdict_.set_nonce_hashes(0, "");
  verdict_.set_nonce_hashes(1, "");
  own_.revealed.reset();
  v1::SeatForfeited* const forfeit = verdict_.add_forfeits();
  forfeit->set_seat(0);
  forfeit->set_turn(1);
  forfeit->set_cause(v1::FORFEIT_CAUSE_TIMEOUT);
  EXPECT_THAT(Problem(), HasSubstr("the nonce of seat 1 was not revealed"));
  forfeit->set_cause(v1::FORFEIT_CAUSE_RESIGNED);
  EXPECT_EQ(Problem(), "");
}

TEST_F(Dice, WithoutANonceFitWhereAForfeitMayHaveBeenForgottenOrWasStillToCome) {
  verdict_.set_nonces(0, "");
  own_.came_back = true;
  EXPECT_EQ(Problem(), "");
  own_.came_back = false;
  verdict_.set_state(v1::MATCH_STATE_VOID);
  EXPECT_EQ(Problem(), "");
}

TEST_F(Dice, OfASeatWhoseNonceWasEmptyFit) {
  verdict_.set_nonces(0, "");
  verdict_.set_nonce_hashes(0, Sha256(""));
  own_.revealed->hashes[0] = Sha256("");
  EXPECT_EQ(Problem(), "");
}

TEST_F(Dice, WithANonceThatTheBotNeverRevealedDoNotFit) {
  own_.revealed.reset();
  EXPECT_THAT(Problem(), HasSubstr("but it had revealed none"));
  // Another process of the bot's may have revealed it.
  own_.came_back = true;
  EXPECT_EQ(Problem(), "");
}

TEST_F(Dice, OfABlockThatNeverAskedForTheBotsNonceDoNotFit) {
  told_.mutable_block()->set_block_id("block");
  told_.mutable_block()->set_rotation(1);
  own_ = Nonce::Part();
  EXPECT_THAT(Problem(), HasSubstr("was not asked for its nonce"));
  own_.seat = 2;  // there is none
  EXPECT_THAT(Problem(), HasSubstr("was not asked for its nonce"));
}

TEST_F(Dice, WithAHashThatWasChosenAfterwardsDoNotFit) {
  verdict_.set_nonces(0, "chosen");
  verdict_.set_nonce_hashes(0, Sha256("chosen"));
  EXPECT_THAT(Problem(), HasSubstr("not those that were told before they were revealed"));
}

TEST_F(Dice, WithoutHashesDoNotFit) {
  verdict_.clear_nonce_hashes();
  EXPECT_THAT(Problem(), HasSubstr("2 nonces and 0 hashes"));
}

TEST_F(Dice, ThatWereRolledOtherwiseDoNotFit) {
  See(1, 1, 0);
  See(2, 0, 7);
  EXPECT_THAT(Problem(), HasSubstr("in turn 2 seat 0 had the dice"));
}

TEST_F(Dice, OfASeatThatForfeitsDoNotCountForTheNext) {
  See(1, 1, 0);
  See(2, 0, 0);  // it forfeits
  See(2, 1, 1);
  See(3, 1, 2);
  EXPECT_EQ(Problem(), "");
}

TEST_F(Dice, AfterAMissedTurnAreNotHeldAgainstTheReferee) {
  See(1, 1, 0);
  See(7, 0, 3);
  See(8, 1, 9);
  EXPECT_EQ(Problem(), "");
}

TEST_F(Dice, ThatArePinnedHaveNoNonces) {
  told_.set_pinned(true);
  own_.revealed.reset();
  EXPECT_THAT(Problem(), HasSubstr("should be 0"));
  verdict_.clear_nonces();
  verdict_.clear_nonce_hashes();
  EXPECT_EQ(Problem(), "");
}

TEST_F(Dice, OfALaterRotationAreThoseThatTheNonceOfTheFirstMade) {
  told_.mutable_block()->set_block_id("block");
  told_.mutable_block()->set_rotation(1);
  EXPECT_EQ(Problem(), "");
  verdict_.set_nonces(1, "sea");
  verdict_.set_nonce_hashes(1, Sha256("sea"));
  EXPECT_THAT(Problem(), HasSubstr("not those that were told"));
}

// --- The client ---

v1::RefereeItem StartOfRotation(uint32_t rotation) {
  v1::RefereeItem start = StartItem(absl::StrCat("m", rotation));
  v1::BlockPlace* const place = start.mutable_match_start()->mutable_match()->mutable_block();
  place->set_block_id("block");
  place->set_rotation(rotation);
  return start;
}

v1::RefereeItem RevealItem(const std::string& match_id, const std::vector<std::string>& hashes) {
  v1::RefereeItem item = Item(absl::StrCat("reveal_nonce { match_id: '", match_id, "' }"));
  for (const std::string& hash : hashes) item.mutable_reveal_nonce()->add_nonce_hashes(hash);
  return item;
}

TEST_F(SdkClient, RevealsItsNonceWhenAllHashesAreTold) {
  Begin();
  referee_.Say({StartItem("m1")});
  const std::string hash = referee_.Hear().ready().nonce_hash();
  referee_.Say({RevealItem("m1", {"a", hash, "c"})});
  const v1::BotItem reply = referee_.Hear();
  EXPECT_EQ(reply.nonce().match_id(), "m1");
  EXPECT_EQ(Sha256(reply.nonce().nonce()), hash);
}

TEST_F(SdkClient, KeepsItsNonceWhenAnotherHashIsInItsPlaceAndSaysSo) {
  Begin({"m1"});
  referee_.Say({RevealItem("m1", {"a", "b", "c"}), TurnItem("m1", 1)});
  EXPECT_TRUE(referee_.Hear().has_move());
  referee_.Say({EndItem("m1")});
  EXPECT_EQ(Drain().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(mismatches_, ElementsAre(HasSubstr("its nonce stays secret")));
}

TEST_F(SdkClient, HoldsTheMatchesOfABlockToTheCommitmentThatItWasToldFirst) {
  Begin();
  for (const uint32_t rotation : {0u, 1u}) {
    v1::RefereeItem start = StartOfRotation(rotation);
    start.mutable_match_start()->mutable_match()->set_commitment(
        std::string(32, rotation == 0 ? 'c' : 'd'));
    referee_.Say({start});
    EXPECT_TRUE(referee_.Hear().has_ready());
  }
  referee_.Say({EndItem("m0"), EndItem("m1")});
  EXPECT_EQ(Drain().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(mismatches_, ElementsAre(HasSubstr("m1: the commitment is not the one")));
}

TEST_F(SdkClient, HoldsAMatchToTheCommitmentThatItWasToldFirst) {
  Begin({"m1"});
  v1::RefereeItem again = StartItem("m1");
  again.mutable_match_start()->mutable_match()->set_commitment(std::string(32, 'd'));
  referee_.Say({again});
  EXPECT_TRUE(referee_.Hear().has_ready());
  referee_.Say({EndItem("m1")});
  EXPECT_EQ(Drain().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(mismatches_, ElementsAre(HasSubstr("m1: the commitment is not the one")));
}

v1::RefereeItem EndOfRotation(uint32_t rotation, const std::vector<std::string>& nonces) {
  v1::RefereeItem end = EndItem(absl::StrCat("m", rotation));
  for (const std::string& nonce : nonces) {
    end.mutable_match_end()->mutable_verdict()->add_nonces(nonce);
  }
  return end;
}

TEST_F(SdkClient, HoldsTheMatchesOfABlockToTheSameNonces) {
  Begin();
  for (const uint32_t rotation : {0u, 1u, 2u}) {
    referee_.Say({StartOfRotation(rotation)});
    EXPECT_TRUE(referee_.Hear().has_ready());
  }
  const std::vector<std::string> nonces = {"ay", "bee", "sea"};
  referee_.Say(
      {EndOfRotation(0, nonces), EndOfRotation(1, nonces), EndOfRotation(2, {"ay", "bee", ""})});
  EXPECT_EQ(Drain().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(mismatches_, ElementsAre(HasSubstr("m2: the nonces are not those that another")));
}

TEST_F(SdkClient, MissesTheMatchOfABlockThatShouldHaveAskedForItsNonce) {
  Begin();
  const std::string seed(32, 's');
  v1::RefereeItem start = StartOfRotation(1);
  start.mutable_match_start()->mutable_match()->set_commitment(Sha256(seed));
  referee_.Say({start});
  EXPECT_TRUE(referee_.Hear().has_ready());
  v1::RefereeItem end = EndOfRotation(1, {"ay", "bee", "sea"});
  v1::Verdict* const verdict = end.mutable_match_end()->mutable_verdict();
  verdict->set_state(v1::MATCH_STATE_FINISHED);
  verdict->set_seed(seed);
  for (const std::string& nonce : verdict->nonces()) {
    verdict->add_nonce_hashes(Sha256(nonce));
  }
  referee_.Say({end});
  EXPECT_EQ(Drain().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(mismatches_, ElementsAre(HasSubstr("m1: this bot was not asked for its nonce")));
}

TEST_F(SdkClient, SaysLoudlyWhenTheDiceDoNotFit) {
  KeepLog(LogLevel::kError);
  Begin({"m1"});
  v1::RefereeItem end = EndItem("m1");
  end.mutable_match_end()->mutable_verdict()->set_state(v1::MATCH_STATE_FINISHED);
  end.mutable_match_end()->mutable_verdict()->set_seed(std::string(32, 's'));
  referee_.Say({end});
  const absl::Status status = Drain();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("the dice of 1 match did not fit"));
  EXPECT_THAT(mismatches_, ElementsAre(HasSubstr("m1: the seed has the commitment")));
  EXPECT_THAT(log_.All(), ElementsAre(HasSubstr("match m1: THE DICE DO NOT FIT: the seed")));
}

}  // namespace
}  // namespace referee::sdk
