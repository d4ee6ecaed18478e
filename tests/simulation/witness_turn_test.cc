// The witness and single turns: their clocks, replaced requests, interruptions and lost links.
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/simulation/witness_fixture.h"

namespace referee::simulation {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Witness, IsContentWithATurnThatWasChargedAsItWent) {
  WitnessFixture court;
  court.Pass(absl::Milliseconds(2));
  court.witness.OnHandedOver(court.account, Seat(0), 1, 0, absl::ZeroDuration());
  court.Pass(absl::Milliseconds(30));
  court.HandleReply(1);
  court.Play(1, absl::Milliseconds(2), absl::Milliseconds(30));
  EXPECT_THAT(court.chronicle.problem(), IsEmpty());
}

TEST(Witness, SeesAClockThatStartsBeforeTheRequestIsHandedOver) {
  WitnessFixture court;
  court.Pass(absl::Milliseconds(2));
  court.witness.OnHandedOver(court.account, Seat(0), 1, 0, absl::ZeroDuration());
  court.Pass(absl::Milliseconds(30));
  court.HandleReply(1);
  court.Play(1, absl::ZeroDuration(), absl::Milliseconds(32));
  EXPECT_THAT(court.chronicle.problem(), HasSubstr("started 2ms before it had the request"));
}

TEST(Witness, SeesATurnThatNobodyReplied) {
  WitnessFixture court;
  court.witness.OnHandedOver(court.account, Seat(0), 1, 0, absl::ZeroDuration());
  court.Play(1, absl::ZeroDuration(), absl::ZeroDuration());
  EXPECT_THAT(court.chronicle.problem(), HasSubstr("played without a reply"));
}

TEST(Witness, SeesATimeLossOfABotThatRepliedInTime) {
  WitnessFixture court;
  court.witness.OnHandedOver(court.account, Seat(0), 1, 0, absl::ZeroDuration());
  court.Pass(absl::Milliseconds(99));
  court.HandleReply(1);
  court.witness.OnHandled();
  court.Pass(absl::Milliseconds(3));
  match::Forfeited forfeited;
  forfeited.seat = Seat(0);
  forfeited.number = 1;
  forfeited.used = absl::Milliseconds(102);
  forfeited.timing.emplace();
  forfeited.timing->read = forfeited.timing->taken = absl::Milliseconds(102);
  court.witness.OnFlushed(court.setup, forfeited);
  EXPECT_THAT(court.chronicle.problem(),
              HasSubstr("lost on time after its reply was read in time"));
}

TEST(Witness, SeesATurnThatIsPlayedByAReplyToARequestThatWasReplaced) {
  WitnessFixture court;
  court.ReplaceRequest();
  court.Pass(absl::Milliseconds(4));
  court.HandleReply(1, /*request=*/0);
  court.Play(1, absl::ZeroDuration(), absl::Milliseconds(4));
  EXPECT_THAT(court.chronicle.problem(), HasSubstr("played without a reply"));
}

TEST(Witness, SeesAForfeitForAReplyToARequestThatWasReplaced) {
  WitnessFixture court;
  court.ReplaceRequest();
  court.Pass(absl::Milliseconds(4));
  court.HandleReply(1, /*request=*/0, /*wild=*/true);
  match::Forfeited forfeited;
  forfeited.seat = Seat(0);
  forfeited.cause = match::Cause::kIllegal;
  forfeited.number = 1;
  forfeited.used = absl::Milliseconds(4);
  forfeited.timing.emplace();
  forfeited.timing->read = forfeited.timing->taken = absl::Milliseconds(4);
  court.witness.OnFlushed(court.setup, forfeited);
  EXPECT_THAT(court.chronicle.problem(), HasSubstr("judged illegal"));
}

// Seat a was asked for turn 1 with 100 ms, seat b resigned after 40, and seat a replies.
struct InterruptedCourt : WitnessFixture {
  explicit InterruptedCourt(absl::Duration replies) {
    witness.OnHandedOver(account, Seat(0), 1, 0, absl::ZeroDuration());
    Pass(absl::Milliseconds(40));
    ReplaceRequest();
    Pass(replies - absl::Milliseconds(40));
    HandleReply(1, /*request=*/1);
  }
};

TEST(Witness, IsContentWithAnInterruptedTurnThatTakesOneMoveMore) {
  InterruptedCourt court(absl::Milliseconds(200));
  court.PlayAsRead(absl::Milliseconds(200), absl::Milliseconds(200));
  EXPECT_THAT(court.chronicle.problem(), IsEmpty());
}

TEST(Witness, SeesAnInterruptedTurnThatTakesLonger) {
  InterruptedCourt court(absl::Milliseconds(201));
  court.PlayAsRead(absl::Milliseconds(201), absl::Milliseconds(201));
  EXPECT_THAT(court.chronicle.problem(), HasSubstr("was played by a reply that was late"));
}

TEST(Witness, SeesTimeBeforeAnInterruptionThatIsNotCharged) {
  InterruptedCourt court(absl::Milliseconds(70));
  court.PlayAsRead(absl::Milliseconds(30), absl::Milliseconds(30));
  EXPECT_THAT(court.chronicle.problem(), HasSubstr("was read 70ms after it was due"));
}

// The referee holds the request of turn 1 back for a millisecond, until the bot's link is closed.
// The bot comes back by a new link 20 ms later, or at once, and replies after 30 ms.
struct HeldCourt : WitnessFixture {
  void CloseLink() {
    Pass(absl::Milliseconds(1));
    witness.OnHeldInVain(account, Seat(0), 1, 0);
  }
  void AnswerOnTheNewLink() {
    witness.OnLinked(0);
    witness.OnHandedOver(account, Seat(0), 1, 0, absl::ZeroDuration());
    Pass(absl::Milliseconds(30));
    HandleReply(1);
  }
};

TEST(Witness, IsContentWithATurnThatIsDueWhenTheLinkIsLost) {
  HeldCourt court;
  court.setup.policies.link_grace = absl::Seconds(1);
  court.account->seats[0].grace_left = absl::Seconds(1);
  court.CloseLink();
  court.witness.OnUnlinked(0);
  court.Pass(absl::Milliseconds(20));
  court.AnswerOnTheNewLink();
  court.PlayAsRead(absl::Milliseconds(50), absl::Milliseconds(30), absl::Milliseconds(20));
  EXPECT_THAT(court.chronicle.problem(), IsEmpty());
}

TEST(Witness, SeesATurnThatIsDueOnlyWhenALostLinkIsBack) {
  HeldCourt court;
  court.CloseLink();
  court.witness.OnUnlinked(0);
  court.Pass(absl::Milliseconds(20));
  court.AnswerOnTheNewLink();
  court.PlayAsRead(absl::Milliseconds(30), absl::Milliseconds(30));
  EXPECT_THAT(court.chronicle.problem(), HasSubstr("was read 50ms after it was due"));
}

TEST(Witness, IsContentWithATurnThatIsDueOnTheLinkThatTookThePlaceOfAnother) {
  HeldCourt court;
  court.CloseLink();
  court.AnswerOnTheNewLink();
  court.PlayAsRead(absl::Milliseconds(30), absl::Milliseconds(30));
  EXPECT_THAT(court.chronicle.problem(), IsEmpty());
}

TEST(Witness, SeesATurnThatIsToldBeforeItIsWritten) {
  WitnessFixture court;
  View view;
  view.started = true;
  match::Played played;
  played.number = 1;
  court.witness.OnToldPlayed(*court.account, played, &view);
  EXPECT_THAT(court.chronicle.problem(), HasSubstr("told before it was written"));
}

}  // namespace
}  // namespace referee::simulation
