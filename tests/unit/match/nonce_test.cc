// Tests of nonces in two steps: a bot gains nothing by deviating.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "referee/base/limits.h"
#include "tests/unit/match/table.h"

namespace referee::match {
namespace {

using testing::CountingRules;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const DiceSource kCommitted = {};

CountingRules Dice(int seats) {
  CountingRules rules = Seats(seats);
  rules.dice = true;
  return rules;
}

// A committed match whose start was told.
std::unique_ptr<Table> Begun(int seats = 2) {
  auto table = std::make_unique<Table>(Dice(seats), TimeControl{}, kCommitted);
  table->Step({}, Begin{});
  return table;
}

// A match of a block of two.
Match RotationOfBlock(int rotation) {
  Setup setup;
  setup.game = testing::NewCountingGame(Dice(2));
  setup.bots = {"x", "y"};
  setup.commitment = dice::Commit(dice::Seed{});
  setup.block = BlockPlace{{}, rotation};
  return Match(setup, dice::Seed{});
}

TEST(MatchNonces, HashesOfAllAreToldBeforeAnyNonceIsAskedFor) {
  const auto table = Begun(3);
  EXPECT_EQ(table->Ready(kB, "bee"), "");
  EXPECT_EQ(table->Ready(kA, "ay"), "");
  EXPECT_THAT(table->match().nonce_hashes(), IsEmpty());
  EXPECT_EQ(table->Ready(kC, "sea"), "nonce? a; nonce? b; nonce? c");
  EXPECT_EQ(table->match().stage(), Match::Stage::kRevealing);
  EXPECT_THAT(table->match().nonce_hashes(),
              ElementsAre(dice::HashNonce("ay"), dice::HashNonce("bee"), dice::HashNonce("sea")));
}

TEST(MatchNonces, KeyTakesThemInSeatOrder) {
  const auto table = Begun();
  table->Ready(kB, "bee");
  table->Ready(kA, "ay");
  EXPECT_EQ(table->Reveal(kB, "bee"), "");
  EXPECT_EQ(table->Reveal(kA, "ay"), "started; ask a");
  const Started started = table->All<Started>()[0];
  EXPECT_THAT(started.nonces, ElementsAre("ay", "bee"));
  EXPECT_THAT(started.nonce_hashes, ElementsAre(dice::HashNonce("ay"), dice::HashNonce("bee")));
  const dice::Key key = dice::CommittedKey(table->seed(), {"ay", "bee"});
  int roll[2];
  key.Uniform(dice::Label::Roll(kA, 0), 6, absl::MakeSpan(roll));
  EXPECT_THAT(table->match().state().roll(), ElementsAre(roll[0] + 1, roll[1] + 1));
}

TEST(MatchNonces, ReadyWithoutAHashIsNotReady) {
  const auto table = Begun();
  EXPECT_EQ(table->Step({}, ReadyReceived{kA, {}}), "fault a 0");
  EXPECT_THAT(table->faults(), ElementsAre(HasSubstr("SHA-256")));
  table->Ready(kB, "bee");
  EXPECT_EQ(table->match().stage(), Match::Stage::kReadying);
  EXPECT_EQ(table->Ready(kA, ""), "nonce? a; nonce? b");
}

TEST(MatchNonces, RevealedBeforeTheHashesItCountsForNothing) {
  const auto table = Begun();
  EXPECT_EQ(table->Reveal(kA, "ay"), "fault a 0");
  table->Ready(kA, "ay");
  EXPECT_EQ(table->Reveal(kA, "ay"), "fault a 0");
  EXPECT_EQ(table->Ready(kB, "bee"), "nonce? a; nonce? b");
  EXPECT_EQ(table->Reveal(kB, "bee"), "");
  EXPECT_EQ(table->Reveal(kA, "ay"), "started; ask a");
  EXPECT_THAT(table->faults(), ElementsAre(HasSubstr("do not have all hashes"),
                                           HasSubstr("do not have all hashes")));
}

TEST(MatchNonces, OneThatDoesNotFitItsHashIsRefusedAndTheRightOneStillTaken) {
  const auto table = Begun();
  table->Ready(kA, "ay");
  table->Ready(kB, "bee");
  EXPECT_EQ(table->Reveal(kA, "another"), "fault a 0");
  EXPECT_EQ(table->Reveal(kB, "bee"), "");
  EXPECT_EQ(table->Reveal(kA, "bee"), "fault a 0");
  EXPECT_EQ(table->Reveal(kA, "ay"), "started; ask a");
  EXPECT_THAT(table->faults()[0], HasSubstr(dice::Hex(dice::HashNonce("ay"))));
}

TEST(MatchNonces, WhoRevealedCannotRevealAnother) {
  const auto table = Begun();
  table->Ready(kA, "ay");
  table->Ready(kB, "bee");
  table->Reveal(kA, "ay");
  EXPECT_EQ(table->Reveal(kA, "another"), "fault a 0");
  table->Reveal(kB, "bee");
  EXPECT_EQ(table->Reveal(kB, "another"), "fault b 0");
  EXPECT_THAT(table->faults(), ElementsAre(HasSubstr("has revealed"), HasSubstr("has revealed")));
  EXPECT_THAT(table->All<Started>()[0].nonces, ElementsAre("ay", "bee"));
}

TEST(MatchNonces, NoHashIsTakenOnceTheHashesWereTold) {
  const auto table = Begun(3);
  table->Ready(kA, "ay");
  table->Ready(kB, "bee");
  EXPECT_EQ(table->TickAt(limits::kReadyLimit), "nonce? a; nonce? b");
  EXPECT_EQ(table->Ready(kC, "late"), "fault c 0");
  EXPECT_EQ(table->Reveal(kC, "late"), "fault c 0");
  table->Step({}, LinkLost{kA});
  EXPECT_EQ(table->Step({}, LinkBack{kA}), "start a; nonce? a");
  EXPECT_EQ(table->Ready(kA, "another"), "fault a 0");
  EXPECT_THAT(table->match().nonce_hashes(),
              ElementsAre(dice::HashNonce("ay"), dice::HashNonce("bee"), absl::nullopt));
}

TEST(MatchNonces, BotThatDoesNotRevealIsNotReady) {
  const auto table = Begun(3);
  for (Seat seat : {kA, kB, kC}) table->Ready(seat, "n");
  table->Reveal(kB, "n");
  EXPECT_EQ(table->next_deadline(), limits::kReadyLimit);
  table->Step({}, LinkLost{kC});
  EXPECT_FALSE(table->match().ready(kA));
  EXPECT_EQ(table->TickAt(limits::kReadyLimit),
            "started; forfeit a TIMEOUT 1; forfeit c DISCONNECTED 1; finished ALONE");
  EXPECT_THAT(table->All<Started>()[0].nonces, ElementsAre("", "n", ""));
  EXPECT_THAT(table->match().forfeits()[0].detail,
              HasSubstr("did not reveal its nonce within 10s"));
}

TEST(MatchNonces, BotsThatAreReadyLateLeaveTheOthersTheWholeTimeToReveal) {
  const auto table = Begun(3);
  table->Ready(kA, "ay");
  table->Ready(kC, "sea");
  EXPECT_EQ(table->TickAt(limits::kReadyLimit), "nonce? a; nonce? c");
  EXPECT_EQ(table->next_deadline(), 2 * limits::kReadyLimit);
  table->Reveal(kA, "ay");
  EXPECT_EQ(table->Reveal(kC, "sea"), "started; forfeit b TIMEOUT 1; ask a");
  EXPECT_THAT(table->All<Started>()[0].nonces, ElementsAre("ay", "", "sea"));
}

TEST(MatchNonces, BotThatResignedIsNotAskedForItsOwn) {
  const auto table = Begun(3);
  table->Ready(kA, "ay");
  table->Ready(kB, "bee");
  table->Step({}, Resigned{kA});
  EXPECT_EQ(table->Ready(kC, "sea"), "nonce? b; nonce? c");
  table->Step({}, LinkLost{kA});
  EXPECT_EQ(table->Step({}, LinkBack{kA}), "start a");
  table->Reveal(kB, "bee");
  EXPECT_EQ(table->Reveal(kC, "sea"), "started; forfeit a RESIGNED 1; ask b");
  EXPECT_THAT(table->All<Started>()[0].nonces, ElementsAre("", "bee", "sea"));
}

TEST(MatchNonces, BotThatResignsInsteadOfRevealingItsOwnIsNotWaitedFor) {
  const auto table = Begun(3);
  for (Seat seat : {kA, kB, kC}) table->Ready(seat, "n");
  table->Reveal(kB, "n");
  table->Reveal(kC, "n");
  EXPECT_EQ(table->Step({}, Resigned{kA}), "started; forfeit a RESIGNED 1; ask b");
}

TEST(MatchNonces, MatchThatAResignationDecidesTakesThoseThatAreThere) {
  const auto table = Begun();
  EXPECT_EQ(table->Step({}, Resigned{kA}), "started; forfeit a RESIGNED 1; finished ALONE");
  EXPECT_THAT(table->All<Started>()[0].nonces, ElementsAre("", ""));
  EXPECT_THAT(table->All<Started>()[0].nonce_hashes, ElementsAre(absl::nullopt, absl::nullopt));

  const auto later = Begun();
  later->Ready(kA, "ay");
  later->Ready(kB, "bee");
  later->Reveal(kA, "ay");
  EXPECT_EQ(later->Step({}, Resigned{kA}), "started; forfeit a RESIGNED 1; finished ALONE");
  EXPECT_THAT(later->All<Started>()[0].nonces, ElementsAre("ay", ""));
  EXPECT_THAT(later->All<Started>()[0].nonce_hashes,
              ElementsAre(dice::HashNonce("ay"), dice::HashNonce("bee")));
}

TEST(MatchNonces, WithoutAnyTheMatchIsCancelled) {
  const auto table = Begun();
  table->Ready(kA, "ay");
  table->Ready(kB, "bee");
  EXPECT_EQ(table->TickAt(limits::kReadyLimit), "cancelled no bot revealed its nonce within 10s");
  EXPECT_THAT(table->match().ended()->nonces, IsEmpty());
}

TEST(MatchNonces, CopiedHashOpensWithTheCopiedNonceAlone) {
  const auto table = Begun();
  table->Ready(kA, "ay");
  table->Ready(kB, "ay");
  EXPECT_EQ(table->Reveal(kB, "bee"), "fault b 0");
  table->Reveal(kA, "ay");
  EXPECT_EQ(table->Reveal(kB, "ay"), "started; ask a");
  EXPECT_EQ(table->All<Started>()[0].nonces, (std::vector<std::string>{"ay", "ay"}));
}

TEST(MatchNonces, SeatWhoseLinkIsBackIsToldTheStepThatItIsAt) {
  const auto table = Begun();
  table->Ready(kA, "ay");
  table->Step({}, LinkLost{kA});
  EXPECT_EQ(table->Step({}, LinkBack{kA}), "start a");
  EXPECT_EQ(table->Ready(kB, "bee"), "nonce? a; nonce? b");
  table->Step({}, LinkLost{kA});
  EXPECT_EQ(table->Step({}, LinkBack{kA}), "start a; nonce? a");
  EXPECT_EQ(table->Reveal(kA, "ay"), "");
  table->Step({}, LinkLost{kA});
  EXPECT_EQ(table->Step({}, LinkBack{kA}), "start a");
  EXPECT_EQ(table->Reveal(kB, "bee"), "started; ask a");
}

TEST(MatchNonces, BotThatWasStartedAgainBeforeTheHashesWereToldMayTellAnother) {
  const auto table = Begun();
  table->Ready(kA, "forgotten");
  table->Step({}, LinkLost{kA});
  table->Step({}, LinkBack{kA});
  EXPECT_EQ(table->Ready(kA, "ay"), "");
  EXPECT_EQ(table->Ready(kA, "third"), "fault a 0");
  table->Ready(kB, "bee");
  EXPECT_THAT(table->match().nonce_hashes()[0], dice::HashNonce("ay"));
}

TEST(MatchNonces, VerdictRevealsThemWithTheirHashes) {
  const auto table = Begun();
  table->Ready(kA, "ay");
  table->Ready(kB, "bee");
  table->Reveal(kA, "ay");
  table->Reveal(kB, "bee");
  table->Step({}, Resigned{kA});
  const Verdict verdict = *table->match().ended();
  EXPECT_EQ(verdict.seed, table->seed());
  EXPECT_THAT(verdict.nonces, ElementsAre("ay", "bee"));
  EXPECT_THAT(verdict.nonce_hashes, ElementsAre(dice::HashNonce("ay"), dice::HashNonce("bee")));
}

TEST(MatchNonces, RotationsAfterTheFirstAskForNone) {
  Match match = RotationOfBlock(1);
  EXPECT_FALSE(match.AsksNonces());
  match.Step(Begin{}, Table::Time({}), Table::ReadingAt({}));
  match.Step(ReadyReceived{kA, {}}, Table::Time({}), Table::ReadingAt({}));
  const auto effects = match.Step(ReadyReceived{kB, {}}, Table::Time({}), Table::ReadingAt({}));
  ASSERT_EQ(effects.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<AwaitNonces>(effects[0]));
  const auto started =
      match.Step(NoncesSettled{{"ay", "bee"}, {dice::HashNonce("ay"), dice::HashNonce("bee")}},
                 Table::Time({}), Table::ReadingAt({}));
  EXPECT_THAT(std::get<Started>(std::get<Record>(started[0])).nonces, ElementsAre("ay", "bee"));
  EXPECT_THAT(match.nonce_hashes(), ElementsAre(dice::HashNonce("ay"), dice::HashNonce("bee")));
}

// The effects of an event, described.
std::string StepOf(Match* match, const Event& event) {
  return absl::StrJoin(match->Step(event, Table::Time({}), Table::ReadingAt({})), "; ",
                       [](std::string* out, const Effect& effect) { *out += Describe(effect); });
}

TEST(MatchNonces, RotationThatAResignationDecidesWaitsForNoBotOfItsOwn) {
  Match match = RotationOfBlock(1);
  StepOf(&match, Begin{});
  EXPECT_EQ(StepOf(&match, Resigned{kA}), "nonces, decided");
  EXPECT_EQ(StepOf(&match, NoncesSettled{{"ay", "bee"}, {absl::nullopt, absl::nullopt}}),
            "started; roll 0");
  EXPECT_EQ(StepOf(&match, RollReleased{0}), "forfeit a RESIGNED 1; block");
}

TEST(MatchNonces, RotationThatIsDecidedAfterItsBotsWereReadySaysSo) {
  Match match = RotationOfBlock(1);
  StepOf(&match, Begin{});
  for (Seat seat : {kA, kB}) StepOf(&match, ReadyReceived{seat, {}});
  EXPECT_EQ(StepOf(&match, Resigned{kB}), "nonces, decided");
}

TEST(MatchNonces, DecidedFirstRotationStillCollectsThoseForTheOthers) {
  Match match = RotationOfBlock(0);
  StepOf(&match, Begin{});
  EXPECT_EQ(StepOf(&match, Resigned{kA}), "nonces, decided");
  EXPECT_EQ(StepOf(&match, ReadyReceived{kB, dice::HashNonce("bee")}), "nonce? b");
  EXPECT_EQ(StepOf(&match, NonceReceived{kB, "bee"}), "started; roll 0");
  EXPECT_THAT(*match.nonces(), ElementsAre("", "bee"));
}

TEST(MatchNonces, DecidedFirstRotationStartsWithoutThemWhenNoneOfTheBlockNeedsThem) {
  Match match = RotationOfBlock(0);
  StepOf(&match, Begin{});
  StepOf(&match, Resigned{kA});
  EXPECT_EQ(StepOf(&match, NoncesSettled{}), "started; roll 0");
  EXPECT_THAT(*match.nonces(), ElementsAre("", ""));
}

TEST(MatchNonces, DecidedFirstRotationStartsWithoutThemWhenTheTimeForReadinessIsOver) {
  Match match = RotationOfBlock(0);
  StepOf(&match, Begin{});
  StepOf(&match, Resigned{kA});
  const Instant deadline = match.next_deadline();
  match.Step(Tick{}, deadline, {deadline, Table::WallTime(limits::kReadyLimit)});
  EXPECT_EQ(match.stage(), Match::Stage::kStarting);
  EXPECT_THAT(*match.nonces(), ElementsAre("", ""));
}

TEST(MatchNonces, AfterARestartBeforeTheStartAllAreAskedAnew) {
  const auto before = Begun();
  before->Ready(kA, "ay");
  before->Ready(kB, "bee");
  before->Reveal(kA, "ay");
  EXPECT_THAT(before->records(), IsEmpty());
  Table after(Dice(2), {}, kCommitted);
  ASSERT_TRUE(after.match().Rebuild(before->records()).ok());
  after.Step({}, Resume{absl::Minutes(1)});
  EXPECT_EQ(after.Step({}, LinkBack{kA}), "start a");
  after.Step({}, LinkBack{kB});
  EXPECT_EQ(after.Reveal(kB, "bee"), "fault b 0");
  after.Ready(kA, "new");
  EXPECT_EQ(after.Ready(kB, "newer"), "nonce? a; nonce? b");
}

}  // namespace
}  // namespace referee::match
