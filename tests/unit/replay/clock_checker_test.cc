// Tests that false times and faults are found, each in its turn.
//
// Each test takes a true match, changes one thing, and signs it as if it were true.
#include "gtest/gtest.h"
#include "referee/replay/verifier.h"
#include "tests/unit/replay/lies.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using match::Cause;
using match::Faulted;
using match::FaultPolicy;
using match::Forfeited;
using match::NoContest;
using match::Played;

FaultPolicy Substitute(FaultPolicy::Substitute substitute, int strikes) {
  FaultPolicy policy;
  policy.action = FaultPolicy::Action::kSubstitute;
  policy.substitute = substitute;
  policy.max_strikes = strikes;
  return policy;
}

// --- Where the time of a turn went. ---

TEST(ClockChecker, FindsNothingWrongInEventfulMatches) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    SampleOptions options = EventfulSample();
    options.seed = seed;
    options.seats = seed % 2 == 0 ? 2 : 4;
    if (seed % 3 == 0) options.policies.on_illegal = Substitute(FaultPolicy::Substitute::kFirst, 1);
    if (seed % 4 == 0) options.time_control.bank = absl::Seconds(20);
    if (seed % 5 == 0) options.time_control.match = absl::Milliseconds(1100);
    if (seed % 7 == 0) options.stall_at = 30;
    const Verification found = Verify(Encode(PlaySample(options), SampleSigner()));
    EXPECT_EQ(found.problem, "") << seed;
  }
}

TEST(ClockChecker, WantsToKnowWhereTheTimeWent) {
  ExpectFound(
      EventfulSample(), 3, [](Replay& r) { Turn(r, 3).timing.reset(); },
      "nothing says where the time went");
}

TEST(ClockChecker, WantsTheMomentsOfATurnInTheirOrder) {
  ExpectFound(
      EventfulSample(), 3, [](Replay& r) { Turn(r, 3).timing->started = -kNano; },
      "it started before the turn was due");
  ExpectFound(
      EventfulSample(), 3,
      [](Replay& r) { Turn(r, 3).timing->started = Turn(r, 3).timing->read + kNano; },
      "the reply was read before the clock started");
  ExpectFound(
      EventfulSample(), 3,
      [](Replay& r) { Turn(r, 3).timing->taken = Turn(r, 3).timing->read - kNano; },
      "the reply was taken up before it was read");
  ExpectFound(
      EventfulSample(), 3,
      [](Replay& r) { Turn(r, 3).timing->written = Turn(r, 3).timing->taken + kNano; },
      "the request was not written between due and taken up");
  ExpectFound(
      EventfulSample(), 3, [](Replay& r) { Turn(r, 3).timing->round_trip = -kNano; },
      "the round trip is less than nothing");
}

TEST(ClockChecker, ChargesWhatTheTimesGiveToTheNanosecond) {
  for (const absl::Duration by : {kNano, -kNano}) {
    ExpectFound(
        EventfulSample(), 4, [=](Replay& r) { Turn(r, 4).used += by; }, "but its times give");
    ExpectFound(
        EventfulSample(), 4, [=](Replay& r) { Turn(r, 4).timing->read += by; },
        "but its times give");
  }
}

TEST(ClockChecker, GrantsTheFirstMoveOfASeatMoreAndNoOther) {
  Replay replay = PlaySample(EventfulSample());
  Lengthen(Turn(replay, 1), absl::Milliseconds(2400));
  EXPECT_EQ(Verify(Encode(replay, SampleSigner())).problem, "");
  ExpectFound(
      EventfulSample(), 1, [](Replay& r) { Lengthen(Turn(r, 1), absl::Milliseconds(2500)); },
      "but the limit was 2500000000 ns");
  ExpectFound(
      EventfulSample(), 3, [](Replay& r) { Lengthen(Turn(r, 3), absl::Milliseconds(500)); },
      "but the limit was 500000000 ns");
}

// While the seat to move in turn 5 thinks, another one resigns.
SampleOptions InterruptedSample() {
  SampleOptions options;
  options.seats = 4;
  options.time_control.bank = absl::InfiniteDuration();
  options.time_control.increment = absl::ZeroDuration();
  options.resign_at = 5;
  return options;
}

TEST(ClockChecker, GrantsAnInterruptedTurnOneMoveMore) {
  Replay replay = PlaySample(InterruptedSample());
  ASSERT_TRUE(First<Forfeited>(replay).interrupts_turn);
  EXPECT_GT(Turn(replay, 5).used, absl::Milliseconds(2)) << "with the time before";
  Lengthen(Turn(replay, 5), absl::Milliseconds(990));
  EXPECT_EQ(Verify(Encode(replay, SampleSigner())).problem, "");
  ExpectFound(
      InterruptedSample(), 5, [](Replay& r) { Lengthen(Turn(r, 5), absl::Milliseconds(1000)); },
      "but the limit was 1000000000 ns");
  ExpectFound(
      InterruptedSample(), 6, [](Replay& r) { Lengthen(Turn(r, 6), absl::Milliseconds(500)); },
      "but the limit was 500000000 ns");
  ExpectFound(
      InterruptedSample(), 5,
      [](Replay& r) {
        First<Forfeited>(r).interrupts_turn = false;
        Lengthen(Turn(r, 5), absl::Milliseconds(500));
      },
      "but the limit was 500000000 ns");
}

TEST(ClockChecker, LetsOnlyASeatThatResignsInterruptATurnOfAnother) {
  SampleOptions at_once = InterruptedSample();
  at_once.resign_at = 1;
  ExpectFound(
      at_once, 1, [](Replay& r) { First<Forfeited>(r).cause = Cause::kTimeout; },
      "it interrupts a turn, but the seat did not resign");
}

TEST(ClockChecker, ChargesNoBankForTheFirstMovesAllowance) {
  SampleOptions options;
  options.time_control.first_move = absl::Seconds(2);
  Replay replay = PlaySample(options);
  EXPECT_EQ(Turn(replay, 1).bank_left, absl::Milliseconds(60'003));
  EXPECT_EQ(Turn(replay, 4).bank_left,
            Turn(replay, 2).bank_left - Turn(replay, 4).used + absl::Milliseconds(3));
  ExpectFound(
      options, 1, [](Replay& r) { Turn(r, 1).bank_left -= Turn(r, 1).used; }, "left in the bank");
}

TEST(ClockChecker, LetsTheClockStandStillOnlyIfTheLinkWasLost) {
  ExpectFound(
      EventfulSample(), 12, [](Replay& r) { Turn(r, 12).timing->link_lost = false; },
      "it stood still for 5000000 ns, but its link was not lost");
}

TEST(ClockChecker, LetsTheClockStandStillForTheGraceAndNoLonger) {
  // 5 ms each; the second time seat a has 7 of 12 left.
  Replay replay = PlaySample(EventfulSample());
  EXPECT_EQ(Turn(replay, 12).timing->paused, absl::Milliseconds(5));
  ExpectFound(
      EventfulSample(), 12,
      [](Replay& r) {
        Turn(r, 12).timing->paused += absl::Milliseconds(2) + kNano;
        Turn(r, 12).timing->read += absl::Milliseconds(2) + kNano;
        Turn(r, 12).timing->taken += absl::Milliseconds(2) + kNano;
      },
      "it stood still for 7000001 ns, but 7000000 ns of the grace");
  SampleOptions none = EventfulSample();
  none.policies.link_grace = absl::ZeroDuration();
  ExpectFound(
      none, 6,
      [](Replay& r) {
        Turn(r, 6).timing->paused = kNano;
        Turn(r, 6).used -= kNano;
      },
      "it stood still for 1 ns, but 0 ns of the grace");
}

TEST(ClockChecker, CreditsNetworkTimeUpToItsBounds) {
  const auto credit = [](uint32_t number, absl::Duration more) {
    return [=](Replay& r) {
      Turn(r, number).timing->credit += more;
      Turn(r, number).used -= more;
    };
  };
  // More than the round trip was.
  ExpectFound(EventfulSample(), 4, credit(4, kNano), "250001 ns of network time credited");
  // More than a move may have.
  SampleOptions slow = EventfulSample();
  slow.round_trip = absl::Milliseconds(1);
  ExpectFound(slow, 4, credit(4, kNano), "it should be at most 300000 ns");
  // More than a match may have: seat b has had four times 250 us of 1000.
  ExpectFound(EventfulSample(), 9, credit(9, kNano), "it should be at most 0 ns");
}

TEST(ClockChecker, GrantsAForcedPassNoTimes) {
  for (uint64_t seed = 1;; ++seed) {
    ASSERT_LT(seed, 5000u);
    SampleOptions options;
    options.seats = 4;
    options.seed = seed;
    const Replay replay = PlaySample(options);
    uint32_t pass = 0;
    for (const match::Record& record : replay.records) {
      const auto* turn = std::get_if<Played>(&record);
      if (turn != nullptr && turn->move.is_pass()) pass = turn->number;
    }
    if (pass == 0) continue;
    ExpectFound(
        options, pass, [=](Replay& r) { Turn(r, pass).timing.emplace(); },
        "nobody is asked for a pass");
    ExpectFound(
        options, pass, [=](Replay& r) { Turn(r, pass).substituted = Cause::kTimeout; },
        "nobody is asked for a pass");
    return;
  }
}

// --- Substitutes, strikes, tries. ---

TEST(ClockChecker, ChargesASeatThatWasPlayedForItsLimit) {
  ExpectFound(
      EventfulSample(), 5, [](Replay& r) { Turn(r, 5).used -= kNano; },
      "is charged its limit, 500000000 ns");
}

TEST(ClockChecker, PlaysForATimeLossOnlyIfThereWasOne) {
  ExpectFound(
      EventfulSample(), 3, [](Replay& r) { Turn(r, 3).substituted = Cause::kTimeout; },
      "but the limit was 500000000 ns");
  ExpectFound(
      EventfulSample(), 5, [](Replay& r) { Turn(r, 5).substituted.reset(); }, "but its times give");
}

TEST(ClockChecker, PlaysForATimeLossOnlyIfThatIsThePolicy) {
  ExpectFound(
      EventfulSample(), 5, [](Replay& r) { r.setup.policies.on_timeout = {}; },
      "but the policy is forfeit");
}

TEST(ClockChecker, ForgivesAsManyTimeLossesAsThereAreStrikes) {
  // Seat b loses on time in turns 5 and 7.
  ExpectFound(
      EventfulSample(), 7, [](Replay& r) { r.setup.policies.on_timeout.max_strikes = 1; },
      "had its 1 strikes");
  SampleOptions once_more = EventfulSample();
  once_more.time_outs = {5, 7, 9};
  once_more.restarts = {};
  ExpectFound(
      once_more, 9, [](Replay& r) { r.setup.policies.on_timeout.max_strikes = 3; },
      "for its time after 2 of 3 strikes");
}

TEST(ClockChecker, PlaysTheMoveThatThePolicyGives) {
  SampleOptions first = EventfulSample();
  first.policies.on_timeout = Substitute(FaultPolicy::Substitute::kFirst, 2);
  for (const bool random : {false, true}) {
    const SampleOptions options = random ? EventfulSample() : first;
    // The other policy gives another move.
    const auto other = [=](Replay& r) {
      r.setup.policies.on_timeout =
          random ? first.policies.on_timeout : EventfulSample().policies.on_timeout;
    };
    ExpectFound(options, 5, other, "for the seat, but the policy gives");
  }
}

TEST(ClockChecker, ForgivesAnIllegalMoveOnlyIfThatIsThePolicy) {
  ExpectFound(
      EventfulSample(), 8, [](Replay& r) { r.setup.policies.on_illegal = {}; },
      "an illegal move was forgiven, but the policy is forfeit");
}

TEST(ClockChecker, GivesAsManyTriesAsThereAre) {
  ExpectFound(
      EventfulSample(), 8, [](Replay& r) { r.setup.policies.on_illegal.max_tries = 2; },
      "try 2 of 2 was forgiven");
  SampleOptions out = EventfulSample();
  out.illegal_times = 3;
  ExpectFound(
      out, 8, [](Replay& r) { r.setup.policies.on_illegal.max_tries = 4; }, "for try 3 of 4");
  // In each turn anew: two in turn 8, two in turn 10.
  ExpectFound(
      EventfulSample(), 10,
      [](Replay& r) {
        const size_t at = Find<Faulted>(r, Find<Faulted>(r) + 2);
        r.records.insert(r.records.begin() + static_cast<std::ptrdiff_t>(at), r.records[at]);
      },
      "try 3 of 3 was forgiven");
}

TEST(ClockChecker, TakesNoTryAfterTheTimeIsUp) {
  ExpectFound(
      EventfulSample(), 8,
      [](Replay& r) { First<Faulted>(r).used = absl::Milliseconds(500) + kNano; },
      "a move after 500000001 ns, but the limit was 500000000 ns");
}

SampleOptions PlayedForIllegalMoves() {
  SampleOptions options = EventfulSample();
  options.policies.on_illegal = Substitute(FaultPolicy::Substitute::kFirst, 2);
  options.illegals = {8, 10, 12};
  options.illegal_times = 1;
  options.restarts = {};
  return options;
}

TEST(ClockChecker, PlaysForAnIllegalMoveOnceThatIsRecorded) {
  ExpectFound(
      PlayedForIllegalMoves(), 8, [](Replay& r) { Erase(r, Find<Faulted>(r)); },
      "whose move was not illegal");
  ExpectFound(
      PlayedForIllegalMoves(), 8, [](Replay& r) { Turn(r, 8).substituted.reset(); },
      "did not play for the seat whose move was illegal");
}

TEST(ClockChecker, ForgivesAsManyIllegalMovesAsThereAreStrikes) {
  ExpectFound(
      PlayedForIllegalMoves(), 10, [](Replay& r) { r.setup.policies.on_illegal.max_strikes = 1; },
      "but the seat had its 1 strikes");
  ExpectFound(
      PlayedForIllegalMoves(), 12, [](Replay& r) { r.setup.policies.on_illegal.max_strikes = 3; },
      "for a move after 2 of 3 strikes");
}

// --- Forfeits. ---

TEST(ClockChecker, WantsToKnowWhereTheTimeOfAForfeitWent) {
  SampleOptions options;
  options.time_out_at = 5;
  ExpectFound(
      options, 5, [](Replay& r) { First<Forfeited>(r).timing.reset(); },
      "nothing says where its time went");
  ExpectFound(
      options, 5,
      [](Replay& r) {
        First<Forfeited>(r).timing.reset();
        First<Forfeited>(r).used = absl::ZeroDuration();
      },
      "nothing says where its time went");
  ExpectFound(
      options, 5, [](Replay& r) { First<Forfeited>(r).used += kNano; }, "but its times give");
}

TEST(ClockChecker, LetsNoSeatForfeitForTheTimeOfAnother) {
  SampleOptions options;
  options.seats = 3;
  options.resign_at = 5;
  ExpectFound(
      options, 5, [](Replay& r) { First<Forfeited>(r).cause = Cause::kTimeout; },
      "for its time, but it was not to move");
  ExpectFound(
      options, 5, [](Replay& r) { First<Forfeited>(r).timing.emplace(); },
      "it has times, but it was not to move");
}

TEST(ClockChecker, LetsASeatForfeitForALostLinkOnlyIfItWasLost) {
  SampleOptions options;
  options.time_out_at = 5;
  const Lie disconnected = [](Replay& r) { First<Forfeited>(r).cause = Cause::kDisconnected; };
  ExpectFound(options, 5, disconnected, "for a lost link, but its link was not lost");
  Replay replay = PlaySample(options);
  disconnected(replay);
  First<Forfeited>(replay).timing->link_lost = true;
  EXPECT_EQ(Verify(Encode(replay, SampleSigner())).problem, "");
}

// --- No contest. ---

TEST(ClockChecker, VoidsAMatchOnlyForAStallThatMayHaveDecidedIt) {
  ASSERT_EQ(PlaySample(StalledSample()).ended()->ending, match::Ending::kVoid);
  ExpectFound(
      StalledSample(), 6,
      [](Replay& r) { First<NoContest>(r).stall = absl::Milliseconds(1) - kNano; },
      "which cannot have decided a loss by 1000000 ns");
  ExpectFound(
      StalledSample(), 6, [](Replay& r) { First<NoContest>(r).limit += kNano; },
      "a limit of 500000001 ns, but it was 500000000 ns");
  ExpectFound(
      StalledSample(), 6, [](Replay& r) { First<NoContest>(r).used += kNano; },
      "but its times give");
  ExpectFound(
      StalledSample(), 6,
      [](Replay& r) {
        NoContest& record = First<NoContest>(r);
        record.timing.written = absl::InfiniteDuration();
        Lengthen(&record.timing, &record.used, -absl::Milliseconds(1));
      },
      "which is not more than the limit");
}

TEST(ClockChecker, EndsAMatchWithoutAContestAsVoid) {
  ExpectFound(
      StalledSample(), 6,
      [](Replay& r) { First<match::Ended>(r).ending = match::Ending::kCancelled; },
      "a match without a contest goes on");
}

// --- Restarts. ---

TEST(ClockChecker, GrantsTheWholeTimeAnewAfterARestart) {
  for (const uint32_t turn : {1u, 2u, 8u, 20u}) {
    SampleOptions options = EventfulSample();
    options.restarts = {turn, turn + 1};
    EXPECT_EQ(Verify(Encode(PlaySample(options), SampleSigner())).problem, "") << turn;
  }
}

TEST(ClockChecker, TakesARestartBeforeTheStart) {
  for (const bool committed : {false, true}) {
    SampleOptions options;
    options.committed = committed;
    Replay replay = PlaySample(options);
    for (int i = 0; i < 2; ++i) {
      replay.records.insert(replay.records.begin(), match::Resumed{replay.setup.create_time});
      EXPECT_EQ(Verify(Encode(replay, SampleSigner())).problem, "");
    }
  }
}

TEST(ClockChecker, TakesARestartInTheMiddleOfAStep) {
  // After an illegal move was recorded, and before the referee's own for it was: the bot is asked
  // again, and plays what the referee would have.
  Replay replay = PlaySample(PlayedForIllegalMoves());
  Turn(replay, 8).substituted.reset();
  const auto next = replay.records.begin() + static_cast<std::ptrdiff_t>(Find<Faulted>(replay)) + 1;
  replay.records.insert(next, match::Resumed{replay.setup.create_time});
  EXPECT_EQ(Verify(Encode(replay, SampleSigner())).turn, 12u);  // a strike fewer
}

}  // namespace
}  // namespace referee::replay
