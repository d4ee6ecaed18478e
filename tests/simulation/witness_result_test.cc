// The witness and results: ranks, verdicts, and the signatures of replays.
#include <array>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/games/catalogue.h"
#include "tests/simulation/signature_checker.h"
#include "tests/simulation/witness_fixture.h"

namespace referee::simulation {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Witness, SeesASeatThatWasTakenOutAndHasTheBetterRank) {
  WitnessFixture court;
  court.account->seats[0].forfeited = true;
  match::Ended ended;
  ended.ranks = {1, 2};
  court.witness.OnFlushed(court.setup, ended);
  EXPECT_THAT(court.chronicle.problem(), HasSubstr("seat 0 was taken out and ranks no lower"));
}

// The match of that number is cancelled before its start, and archived with this signature.
void Archive(int match, const replay::Signer& signer, WitnessFixture* court) {
  replay::Replay cancelled;
  match::Setup& setup = cancelled.setup;
  const std::array<uint8_t, 10> random{static_cast<uint8_t>(match)};
  setup.id = MatchId::Make(court->queue.WallNow(), random.data());
  setup.game = games::Find("isaac")->type->Create(2, {}).value();
  setup.bots = {"ann", "bob"};
  setup.dice_source.pinned_number = 7;
  match::Ended ended;
  ended.ending = match::Ending::kCancelled;
  ended.seed = dice::PinnedSeed(7);
  setup.commitment = dice::Commit(ended.seed);
  cancelled.records = {ended};
  court->witness.OnCreated(setup.id, match, {0, 1});
  court->witness.OnOpened(setup);
  court->witness.OnFlushed(setup, ended);
  court->witness.OnArchived(cancelled, replay::Encode(cancelled, signer));
}

TEST(Witness, SeesAReplayThatTheRefereeHasNotSigned) {
  WitnessFixture court;
  Archive(1, SignerOf(1), &court);
  Archive(2, SignerOf(1), &court);
  EXPECT_THAT(court.chronicle.problem(), IsEmpty());
  Archive(3, SignerOf(2), &court);
  EXPECT_THAT(court.chronicle.problem(), HasSubstr("match 3: its replay is not signed"));
}

TEST(SignatureChecker, AgreesWithTheVerification) {
  const SignatureChecker checker(SeedOf(1));
  for (const std::string message : {"", "ab", "a replay of some length, longer than a block"}) {
    const replay::Signature signature = SignerOf(1).Sign(message);
    ASSERT_TRUE(replay::VerifySignature(message, signature, checker.public_key()));
    EXPECT_TRUE(checker.IsSigned(message, signature));
    EXPECT_FALSE(checker.IsSigned(message + "x", signature));
    EXPECT_FALSE(checker.IsSigned(message, SignerOf(2).Sign(message)));
    for (size_t bit = 0; bit < 8 * signature.size(); ++bit) {
      replay::Signature flipped = signature;
      flipped[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
      EXPECT_FALSE(checker.IsSigned(message, flipped)) << "bit " << bit;
    }
  }
}

TEST(Witness, SeesASecondVerdict) {
  WitnessFixture court;
  court.witness.OnFlushed(court.setup, match::Ended());
  court.witness.OnFlushed(court.setup, match::Ended());
  EXPECT_THAT(court.chronicle.problem(), HasSubstr("a record was written after the end"));
}

}  // namespace
}  // namespace referee::simulation
