// The witness and stalls of the referee: the time that they give back, and what they may decide.
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/simulation/witness_fixture.h"

namespace referee::simulation {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Seat a was asked for turn 1, the referee stood still for 10 ms, and it replies after so long.
struct StalledCourt : WitnessFixture {
  explicit StalledCourt(absl::Duration replies) {
    witness.OnHandedOver(account, Seat(0), 1, 0, absl::ZeroDuration());
    witness.OnStalled(queue.Now(), queue.Now() + absl::Milliseconds(10));
    Pass(replies);
    HandleReply(1);
  }
  match::Timing TimingNow() const {
    match::Timing timing;
    timing.read = timing.taken = queue.Now() - account->due_since;
    return timing;
  }
};

TEST(Witness, IsContentWithAStallThatIsGivenBack) {
  StalledCourt court(absl::Milliseconds(105));
  court.Play(1, absl::ZeroDuration(), absl::Milliseconds(95), absl::Milliseconds(10));
  EXPECT_THAT(court.chronicle.problem(), IsEmpty());
}

// What the next life is charged for is not excused by a stall that the last one was killed in.
TEST(Witness, TakesAStallForOverWhenTheRefereeStartsAnew) {
  WitnessFixture court;
  court.witness.OnStalled(court.queue.Now(), court.queue.Now() + absl::Seconds(10));
  court.witness.OnStarted();
  court.witness.OnHandedOver(court.account, Seat(0), 1, 0, absl::ZeroDuration());
  court.Pass(absl::Milliseconds(105));
  court.HandleReply(1);
  match::Forfeited forfeited;
  forfeited.seat = Seat(0);
  forfeited.number = 1;
  forfeited.cause = match::Cause::kTimeout;
  forfeited.used = absl::Milliseconds(105);
  match::Timing timing;
  timing.read = timing.taken = court.queue.Now() - court.account->due_since;
  forfeited.timing = timing;
  court.witness.OnFlushed(court.setup, forfeited);
  EXPECT_THAT(court.chronicle.problem(), IsEmpty());
}

TEST(Witness, SeesMoreGivenBackThanTheRefereeStoodStill) {
  StalledCourt court(absl::Milliseconds(105));
  court.Play(1, absl::ZeroDuration(), absl::Milliseconds(90), absl::Milliseconds(15));
  EXPECT_THAT(court.chronicle.problem(), HasSubstr("15ms were given back, of stalls of 10.05ms"));
}

TEST(Witness, SeesAReplyThatIsTakenAndWasLate) {
  StalledCourt court(absl::Milliseconds(111));
  court.Play(1, absl::ZeroDuration(), absl::Milliseconds(100), absl::Milliseconds(11));
  EXPECT_THAT(court.chronicle.problem(), HasSubstr("played by a reply that was late"));
}

TEST(Witness, SeesAMatchThatIsVoidForAStallThatIsGivenBack) {
  StalledCourt court(absl::Milliseconds(105));
  match::NoContest no_contest;
  no_contest.seat = Seat(0);
  no_contest.number = 1;
  no_contest.stall = absl::Milliseconds(10);
  no_contest.timing = court.TimingNow();
  court.witness.OnFlushed(court.setup, no_contest);
  EXPECT_THAT(court.chronicle.problem(),
              HasSubstr("void for a stall of 10.05ms, which is no more than may be given back"));
}

TEST(Witness, SeesATimeLossThatTheRefereesStallMade) {
  StalledCourt court(absl::Milliseconds(105));
  court.witness.OnHandled();
  match::Forfeited forfeited;
  forfeited.seat = Seat(0);
  forfeited.number = 1;
  forfeited.used = absl::Milliseconds(105);
  forfeited.timing = court.TimingNow();
  court.witness.OnFlushed(court.setup, forfeited);
  EXPECT_THAT(court.chronicle.problem(),
              HasSubstr("lost on time after its reply was read in time"));
}

}  // namespace
}  // namespace referee::simulation
