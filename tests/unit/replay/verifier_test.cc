#include "referee/replay/verifier.h"

#include <algorithm>
#include <functional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/games/catalogue.h"
#include "tests/unit/replay/lies.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// What the verifier finds in a match that was changed and then signed as if it were true.
Verification AfterTampering(Replay replay, const std::function<void(Replay&)>& tamper) {
  EXPECT_EQ(Verify(Encode(replay, SampleSigner())).problem, "");
  tamper(replay);
  const Verification found = Verify(Encode(replay, SampleSigner()));
  EXPECT_FALSE(found.ok);
  return found;
}

Verification AfterTampering(const std::function<void(Replay&)>& tamper) {
  return AfterTampering(PlaySample({}), tamper);
}

class VerifierOfWholeMatches : public ::testing::TestWithParam<int> {};

TEST_P(VerifierOfWholeMatches, FindsNothingWrong) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SampleOptions options;
    options.seats = GetParam();
    options.seed = seed;
    options.committed = seed % 2 == 0;
    if (seed % 3 == 0) options.time_control.bank = absl::InfiniteDuration();
    if (seed % 3 == 0) options.time_control.increment = absl::ZeroDuration();
    if (seed % 4 == 0) options.time_out_at = 6;
    if (seed % 5 == 0) options.illegal_at = 8;
    if (seed % 7 == 0) options.resign_at = 9;
    if (seed % 8 == 0) options.cancel_at = 20;
    const std::string file = Encode(PlaySample(options), SampleSigner());
    const Verification found = Verify(file, KeyRing(SampleSigner().public_key()));
    EXPECT_TRUE(found.ok) << "seed " << seed << ": " << found.problem;
    EXPECT_EQ(found.problem, "");
    EXPECT_EQ(found.public_key, SampleSigner().public_key());
  }
}

INSTANTIATE_TEST_SUITE_P(Seats, VerifierOfWholeMatches, ::testing::Values(2, 3, 4, 6));

// A position to start from is an option of the game, and in the replay as such.
TEST(Verifier, KnowsMatchesThatStartFromAPosition) {
  SampleOptions hypnosia;
  hypnosia.options = {{"position", "3a28B3/2b21/12 0110,0000 b -1,1 - a -"}};
  SampleOptions isaac;
  isaac.game = "isaac";
  isaac.options = {{"position", "a7h33,b3v70 54320,44321 0,0 0,0 - P b a"}};
  for (SampleOptions options : {hypnosia, isaac}) {
    for (const int rotation : {-1, 0, 1}) {
      options.rotation = rotation;
      options.committed = rotation >= 0;
      const std::string bytes = Encode(PlaySample(options), SampleSigner());
      EXPECT_EQ(Verify(bytes).problem, "") << options.game << " rotation " << rotation;
      const Replay again = Parse(bytes).value();
      const auto& source = again.setup.game->source();
      EXPECT_NE(std::find(source.begin(), source.end(), options.options[0]), source.end());
    }
  }
}

TEST(Verifier, HoldsAMatchToThePositionItStartsFrom) {
  SampleOptions options;
  options.options = {{"position", "3a28B3/2b21/12 0110,0000 b -1,1 - a -"}};
  const Verification found = AfterTampering(PlaySample(options), [](Replay& replay) {
    const auto type = games::Find("hypnosia")->type;
    replay.setup.game =
        type->Create(2, {{"position", "4a27B3/2b21/12 0110,0000 b -1,1 - a -"}}).value();
  });
  EXPECT_GT(found.turn, 0u);
}

TEST(Verifier, NamesTheTurnOfAWrongDigest) {
  for (const uint32_t number : {1u, 2u, 17u, 40u}) {
    ExpectFound(
        {}, number, [=](Replay& replay) { Turn(replay, number).digest ^= 1; },
        "turn " + std::to_string(number) + ": digest ");
  }
}

TEST(Verifier, NamesTheTurnOfAnIllegalMove) {
  ExpectFound(
      {}, 5,
      [](Replay& replay) {
        Turn(replay, 5).move = replay.setup.game->ParseMove("6:A30>A0").value();
      },
      "turn 5: illegal move 6:A30>A0: ");
}

TEST(Verifier, NamesTheTurnOfALegalMoveThatWasNotPlayed) {
  const Verification found = AfterTampering([](Replay& replay) {
    // Both orders of two different dice with two pawns are legal turns with one result; any other
    // legal turn gives another position.
    match::Played& turn = Turn(replay, 3);
    turn.move = replay.setup.game->ParseMove("3:L3>A18 6:A18>A24").value();
  });
  EXPECT_EQ(found.turn, 3u);
}

TEST(Verifier, NamesTheTurnOfWrongDice) {
  const Verification found = AfterTampering([](Replay& replay) {
    match::Played& turn = Turn(replay, 4);
    turn.roll = match::Roll(
        absl::Span<const int>(turn.roll[0] == 6 ? std::vector<int>{1, 1} : std::vector<int>{6, 6}));
  });
  EXPECT_THAT(found.problem, StartsWith("turn 4: dice "));
  EXPECT_EQ(found.turn, 4u);
}

TEST(Verifier, NamesTheTurnOfAWrongSeat) {
  const Verification found = AfterTampering([](Replay& replay) {
    match::Played& turn = Turn(replay, 6);
    turn.seat = Seat(1 - turn.seat.index());
  });
  EXPECT_THAT(found.problem, HasSubstr("turn 6: seat "));
}

TEST(Verifier, NamesTheTurnOfAWrongLegalCount) {
  const Verification found =
      AfterTampering([](Replay& replay) { Turn(replay, 7).legal_count += 1; });
  EXPECT_THAT(found.problem, ::testing::ContainsRegex("^turn 7: .* legal moves"));
}

TEST(Verifier, NamesTheTurnThatIsMissing) {
  const Verification found =
      AfterTampering([](Replay& replay) { Erase(replay, Find<match::Played>(replay) + 7); });
  EXPECT_EQ(found.problem, "turn 8: the record says turn 9");
}

TEST(Verifier, NamesTheTurnThatTookLongerThanItsLimit) {
  const Verification found = AfterTampering([](Replay& replay) {
    match::Played& turn = Turn(replay, 9);
    turn.used = absl::Milliseconds(500) + absl::Nanoseconds(1);
    turn.timing->read = turn.timing->started + turn.used;
    turn.timing->taken = turn.timing->read;
  });
  EXPECT_EQ(found.problem, "turn 9: clock: 500000001 ns used, but the limit was 500000000 ns");
}

TEST(Verifier, CountsTheBankToTheNanosecond) {
  ExpectFound(
      {}, 10, [](Replay& replay) { Turn(replay, 10).bank_left += kNano; }, "turn 10: clock: ");
}

TEST(Verifier, GrantsNoTimeToAPass) {
  // Stacks bar the way now and then, so that some match has a pass.
  for (uint64_t seed = 1;; ++seed) {
    ASSERT_LT(seed, 5000u);
    SampleOptions options;
    options.seats = 4;
    options.seed = seed;
    const Replay replay = PlaySample(options);
    uint32_t pass = 0;
    for (const match::Record& record : replay.records) {
      const auto* turn = std::get_if<match::Played>(&record);
      if (turn != nullptr && turn->move.is_pass()) pass = turn->number;
    }
    if (pass == 0) continue;
    const Verification found = AfterTampering(
        replay, [=](Replay& changed) { Turn(changed, pass).used = absl::Nanoseconds(1); });
    EXPECT_EQ(found.turn, pass);
    EXPECT_THAT(found.problem, HasSubstr("1 ns used for a pass"));
    return;
  }
}

TEST(Verifier, HoldsTheSeedAgainstTheCommitment) {
  const Verification found =
      AfterTampering([](Replay& replay) { First<match::Ended>(replay).seed.bytes[31] ^= 1; });
  EXPECT_THAT(found.problem, StartsWith("seed: its SHA-256 is "));
}

TEST(Verifier, DerivesThePinnedSeed) {
  const Verification found =
      AfterTampering([](Replay& replay) { replay.setup.dice_source.pinned_number = 8; });
  EXPECT_EQ(found.problem, "seed: it is not the one that the number 8 gives");
  const Verification other = AfterTampering([](Replay& replay) {
    replay.setup.dice_source.pinned_number.reset();
    replay.setup.dice_source.pinned_seed = dice::PinnedSeed(8);
  });
  EXPECT_EQ(other.problem, "seed: it is not the one that the match was pinned to");
}

TEST(Verifier, RollsTheSetupAgain) {
  const Verification found = AfterTampering([](Replay& replay) {
    First<match::Drawn>(replay).roll = match::Roll(std::vector<int>{3, 4});
  });
  EXPECT_EQ(found.problem,
            "setup roll of seat a in round 0: the record says 34 by seat a, the key gives 33 by "
            "seat a");
}

TEST(Verifier, MissesASetupRoll) {
  const Verification found =
      AfterTampering([](Replay& replay) { replay.records.erase(replay.records.begin() + 4); });
  EXPECT_THAT(found.problem, HasSubstr("setup roll of seat b in round 1: it is missing"));
}

Replay PlayCommitted() {
  SampleOptions options;
  options.committed = true;
  return PlaySample(options);
}

TEST(Verifier, MixesTheNoncesIntoTheKey) {
  const Verification found = AfterTampering(PlayCommitted(), [](Replay& replay) {
    match::Started& started = First<match::Started>(replay);
    started.nonces[0] += "x";
    started.nonce_hashes[0] = dice::HashNonce(started.nonces[0]);
  });
  EXPECT_THAT(found.problem, StartsWith("setup roll of seat "));
}

TEST(Verifier, TakesNoNonceThatDoesNotFitTheHashToldBefore) {
  const Verification another = AfterTampering(
      PlayCommitted(), [](Replay& replay) { First<match::Started>(replay).nonces[0] += "x"; });
  EXPECT_THAT(another.problem, StartsWith("nonce of seat a: its SHA-256 is "));
  const Verification unhashed = AfterTampering(PlayCommitted(), [](Replay& replay) {
    First<match::Started>(replay).nonce_hashes[1] = absl::nullopt;
  });
  EXPECT_THAT(unhashed.problem, HasSubstr("no hash was told before"));
}

TEST(Verifier, TakesNoNonceAwayFromASeatThatStaysIn) {
  const Verification found = AfterTampering(
      PlayCommitted(), [](Replay& replay) { First<match::Started>(replay).nonces[1].clear(); });
  EXPECT_EQ(found.problem,
            "nonce of seat b: it was not revealed, and yet the seat was not taken out");
}

TEST(Verifier, TakesAMatchThatAResignationDecidedBeforeTheStart) {
  SampleOptions options;
  options.committed = true;
  options.resign_before = {0};
  for (const int rotation : {-1, 0, 1}) {
    options.rotation = rotation;
    const Replay replay = PlaySample(options);
    EXPECT_EQ(replay.ended()->ending, match::Ending::kFinished);
    EXPECT_EQ(replay.turns(), 0u);
    EXPECT_TRUE(replay.ended()->forfeits[0].unasked);
    const Verification found = Verify(Encode(replay, SampleSigner()));
    EXPECT_TRUE(found.ok) << found.problem;
    EXPECT_EQ(Parse(Encode(replay, SampleSigner()))->ended()->forfeits, replay.ended()->forfeits);
  }
}

TEST(Verifier, TakesNoNonceAwayWhereMoreThanOneSeatStays) {
  SampleOptions options;
  options.committed = true;
  options.seats = 3;
  options.resign_before = {0};
  const Replay replay = PlaySample(options);
  EXPECT_TRUE(VerifyMatch(replay).ok);
  const Verification found = AfterTampering(
      replay, [](Replay& changed) { First<match::Started>(changed).nonces[1].clear(); });
  EXPECT_EQ(found.problem,
            "nonce of seat b: it was not revealed, and yet the seat was not taken out");
}

TEST(Verifier, SaysWhereTheDiceComeFrom) {
  EXPECT_EQ(VerifyMatch(PlaySample({})).dice, DiceOrigin::kPinned);
  const Verification two_steps = VerifyMatch(PlayCommitted());
  EXPECT_TRUE(two_steps.ok) << two_steps.problem;
  EXPECT_EQ(two_steps.dice, DiceOrigin::kTwoSteps);
}

TEST(Verifier, FindsNoncesWithoutHashes) {
  Replay replay = PlayCommitted();
  First<match::Started>(replay).nonce_hashes.clear();
  EXPECT_EQ(VerifyMatch(replay).problem, "start: 0 hashes of nonces, not 2");
  EXPECT_THAT(Verify(Encode(replay, SampleSigner())).problem,
              HasSubstr("there are 0 hashes of nonces, not 2"));
}

TEST(Verifier, HasTheNoncesWithTheirHashesInTheVerdict) {
  const Replay replay = Parse(Encode(PlayCommitted(), SampleSigner())).value();
  EXPECT_THAT(replay.ended()->nonces, ElementsAre("nonce0", "nonce1"));
  EXPECT_THAT(replay.ended()->nonce_hashes,
              ElementsAre(dice::HashNonce("nonce0"), dice::HashNonce("nonce1")));
}

TEST(Verifier, CountsTheScoresAgain) {
  EXPECT_THAT(
      AfterTampering([](Replay& replay) { ++First<match::Ended>(replay).scores[0]; }).problem,
      StartsWith("end: the scores are "));
  EXPECT_THAT(AfterTampering([](Replay& replay) {
                std::swap(First<match::Ended>(replay).ranks[0],
                          First<match::Ended>(replay).ranks[1]);
              }).problem,
              StartsWith("end: the ranks are "));
  EXPECT_THAT(
      AfterTampering([](Replay& replay) { First<match::Ended>(replay).reason = "SLEEP"; }).problem,
      StartsWith("end: the reason is SLEEP, but the rules give "));
}

TEST(Verifier, TakesNoResultBeforeTheGameIsOver) {
  SampleOptions options;
  options.cancel_at = 12;
  const Verification found = AfterTampering(PlaySample(options), [](Replay& replay) {
    match::Ended& ended = First<match::Ended>(replay);
    ended.ending = match::Ending::kFinished;
    ended.reason = "CENTRE_FULL";
    ended.scores = {1, 0};
    ended.ranks = {1, 2};
  });
  EXPECT_EQ(found.problem, "turn 12: the match ends before the game is over");
}

TEST(Verifier, HoldsAForfeitAgainstTheClock) {
  SampleOptions options;
  options.time_out_at = 5;
  const Verification found = AfterTampering(PlaySample(options), [](Replay& replay) {
    match::Forfeited& forfeit = First<match::Forfeited>(replay);
    forfeit.used = absl::Milliseconds(500);
    forfeit.timing->read = forfeit.timing->started + forfeit.used;
  });
  EXPECT_EQ(found.problem,
            "turn 5: forfeit of seat b: for its time after 500000000 ns, but the limit was "
            "500000000 ns");
}

TEST(Verifier, ForfeitsOnlyTheMoverForAMove) {
  SampleOptions options;
  options.seats = 3;
  options.resign_at = 5;
  const Verification found = AfterTampering(PlaySample(options), [](Replay& replay) {
    First<match::Forfeited>(replay).cause = match::Cause::kIllegal;
  });
  EXPECT_EQ(found.turn, 5u);
  EXPECT_THAT(found.problem, HasSubstr("it was not to move"));
}

TEST(Verifier, CountsOnlyTheSignatureThatIsAskedFor) {
  const std::string file = Encode(PlaySample({}), SampleSigner(2));
  EXPECT_TRUE(Verify(file).ok);
  const Verification found = Verify(file, KeyRing(SampleSigner(1).public_key()));
  EXPECT_FALSE(found.ok);
  EXPECT_THAT(found.problem,
              StartsWith("signature: not this referee's: by the key with fingerprint "));
}

TEST(Verifier, NamesTheTurnEvenIfTheSignatureIsWrongToo) {
  Replay replay = PlaySample({});
  Turn(replay, 17).digest ^= 1;
  std::string file = Encode(replay, SampleSigner());
  file.back() ^= 1;
  const Verification found = Verify(file);
  EXPECT_EQ(found.turn, 17u);
  EXPECT_THAT(found.problem, HasSubstr("; signature: "));
}

}  // namespace
}  // namespace referee::replay
