// Tests of the simulation of two nodes: it repeats exactly, finds nothing, its faults happen, and
// its witness sees each thing that must not be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "referee/base/limits.h"
#include "tests/simulation/relay_world.h"

namespace referee::simulation {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(RelaySimulation, SameSeedGivesTheSameRunWithALogOrWithout) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    std::ostringstream log;
    const Outcome one = SimulateRelay(MakeRelayPlan(seed), &log);
    EXPECT_EQ(one.digest, SimulateRelay(MakeRelayPlan(seed)).digest) << "seed " << seed;
  }
}

TEST(RelaySimulation, FindsNothing) {
  for (const uint64_t seed : {1, 5, 9}) {
    const Outcome outcome = SimulateRelay(MakeRelayPlan(seed));
    EXPECT_THAT(outcome.problem, IsEmpty()) << "seed " << seed;
    EXPECT_GT(outcome.matches, 0);
  }
}

TEST(RelaySimulation, EveryKindOfFaultHappens) {
  std::ostringstream log;
  for (uint64_t seed = 1; seed <= 60; ++seed) SimulateRelay(MakeRelayPlan(seed), &log);
  for (const char* what : {"cut", "peer cut", "peer muted", "peer held", "peers slow", "stalled",
                           "node killed", "recovered", "resumed", "forfeited", "told end"}) {
    EXPECT_NE(log.str().find(std::string("  ") + what), std::string::npos) << what;
  }
}

// A match of node 0, which has begun between bots 0, at node 0, and 1, at node 1.
class RelayWitnessTest : public ::testing::Test {
 protected:
  RelayWitnessTest() {
    witness_.OnAttached(0, 1, 0);
    witness_.OnAttached(1, 2, 1);
    Make(&setup_, 0);
    Begin(setup_);
  }

  void Make(match::Setup* setup, uint8_t number) {
    const std::array<uint8_t, 10> random{number};
    setup->id = MatchId::Make(queue_.WallNow(), random.data());
    setup->time_control.per_move = absl::Milliseconds(100);
    witness_.OnCreated(setup->id, number, 0, {0, 1});
    witness_.OnOpened(*setup);
  }
  void TellStart(const match::Setup& setup, int bot) {
    v1::RefereeItem item;
    item.mutable_match_start()->mutable_match()->set_match_id(setup.id.text());
    witness_.OnWritten(bot, bot + 1, item);
  }
  void Begin(const match::Setup& setup) {
    for (const int bot : {0, 1}) TellStart(setup, bot);
    witness_.OnRecord(setup, match::Started());
  }
  void Pass(absl::Duration time) {
    queue_.At(queue_.Now() + time, [] {});
    queue_.Step(Instant::InfiniteFuture());
  }
  void Ask(int bot, uint32_t turn) {
    v1::RefereeItem item;
    item.mutable_turn_request()->set_match_id(setup_.id.text());
    item.mutable_turn_request()->set_turn(turn);
    witness_.OnWritten(bot, bot + 1, item);
  }
  void Reply(int bot, uint32_t turn) {
    v1::BotItem item;
    item.mutable_move()->set_match_id(setup_.id.text());
    item.mutable_move()->set_turn(turn);
    witness_.OnRead(bot, bot + 1, item);
  }
  void Play(uint32_t turn, int seat, absl::Duration used) {
    match::Played played;
    played.number = turn;
    played.seat = Seat(seat);
    played.used = used;
    played.timing.emplace();
    witness_.OnRecord(setup_, played);
  }
  void Forfeit(int seat, match::Cause cause) {
    match::Forfeited forfeited;
    forfeited.seat = Seat(seat);
    forfeited.cause = cause;
    forfeited.timing.emplace();
    witness_.OnRecord(setup_, forfeited);
  }
  void End(match::Ending ending, std::vector<int> ranks = {}) {
    match::Ended ended;
    ended.ending = ending;
    ended.ranks = std::move(ranks);
    witness_.OnRecord(setup_, ended);
  }
  void TellEnd(int bot, const std::vector<uint32_t>& ranks) {
    v1::RefereeItem item;
    item.mutable_match_end()->set_match_id(setup_.id.text());
    for (const uint32_t rank : ranks) item.mutable_match_end()->mutable_verdict()->add_ranks(rank);
    witness_.OnWritten(bot, bot + 1, item);
  }
  void ExpectFound(const std::string& problem) {
    EXPECT_THAT(chronicle_.problem(), HasSubstr(problem));
  }
  void ExpectNothing() { EXPECT_THAT(chronicle_.problem(), IsEmpty()); }

  EventQueue queue_;
  Chronicle chronicle_{&queue_, nullptr};
  RelayWitness witness_{&queue_, &chronicle_, {1, 1}};
  match::Setup setup_;
};

TEST_F(RelayWitnessTest, IsContentWithATurnThatIsChargedAsTheEntryMeasuresIt) {
  Ask(1, 1);
  Pass(absl::Milliseconds(20));
  Reply(1, 1);
  Pass(absl::Milliseconds(200));
  Play(1, 1, absl::Milliseconds(20));
  ExpectNothing();
}

TEST_F(RelayWitnessTest, SeesTimeBetweenNodesThatIsCharged) {
  Ask(1, 1);
  Pass(absl::Milliseconds(20));
  Reply(1, 1);
  Pass(absl::Milliseconds(200));
  Play(1, 1, absl::Milliseconds(21));
  ExpectFound("was charged 21ms, and the bot had 20ms");
}

TEST_F(RelayWitnessTest, SeesTimeOfALostStreamBetweenNodesThatIsCharged) {
  Ask(1, 1);
  Pass(absl::Milliseconds(20));
  witness_.OnPeerStream(1, false);
  Pass(absl::Milliseconds(200));
  witness_.OnPeerStream(1, true);
  Reply(1, 1);
  Play(1, 1, absl::Milliseconds(21));
  ExpectFound("was charged 21ms, and the bot had 20ms");
}

TEST_F(RelayWitnessTest, SeesTimeThatIsNotCharged) {
  Ask(1, 1);
  Pass(absl::Milliseconds(20));
  Reply(1, 1);
  Play(1, 1, absl::Milliseconds(19));
  ExpectFound("had exactly 20ms");
}

TEST_F(RelayWitnessTest, SeesATimeoutOfABotThatAnsweredInTime) {
  Ask(1, 1);
  Pass(absl::Milliseconds(90));
  Reply(1, 1);
  Pass(absl::Milliseconds(90));
  Forfeit(1, match::Cause::kTimeout);
  ExpectFound("bot 1 lost on time in turn 1, and had 90ms of 100ms");
}

TEST_F(RelayWitnessTest, IsContentWithATimeoutOfABotThatWasAwayForLong) {
  Ask(1, 1);
  Pass(absl::Milliseconds(20));
  witness_.OnLost(1, 2, /*own=*/true);
  Pass(absl::Milliseconds(90));
  Forfeit(1, match::Cause::kDisconnected);
  ExpectNothing();
}

TEST_F(RelayWitnessTest, SeesADisconnectionOfABotWhoseEntryIsGone) {
  Ask(1, 1);
  Pass(absl::Milliseconds(20));
  witness_.OnLost(1, 2, /*own=*/false);
  Pass(absl::Milliseconds(90));
  Forfeit(1, match::Cause::kDisconnected);
  ExpectFound("and had 20ms of 100ms");
}

TEST_F(RelayWitnessTest, SeesMoreMatchesAtOnceThanABotTakes) {
  match::Setup other;
  Make(&other, 1);
  TellStart(other, 1);
  ExpectFound("bot 1 is in 2 matches at once, and takes 1");
}

TEST_F(RelayWitnessTest, SeesTwoEnds) {
  End(match::Ending::kFinished, {1, 2});
  End(match::Ending::kFinished, {1, 2});
  ExpectFound("a record was written after the end");
}

TEST_F(RelayWitnessTest, SeesAnEndThatIsToldTwice) {
  End(match::Ending::kFinished, {1, 2});
  TellEnd(0, {1, 2});
  ExpectNothing();
  TellEnd(0, {1, 2});
  ExpectFound("a bot was told its end twice");
}

TEST_F(RelayWitnessTest, SeesAnotherResultThanThatOnRecord) {
  End(match::Ending::kFinished, {1, 2});
  TellEnd(0, {2, 1});
  ExpectFound("its end has ranks 1 2, and a bot was told ranks 2 1");
}

TEST_F(RelayWitnessTest, SeesAResultOfAMatchThatABotWasToldIsVoid) {
  TellEnd(1, {});
  End(match::Ending::kFinished, {1, 2});
  ExpectFound("its end has ranks 1 2, and a bot was told no result");
}

TEST_F(RelayWitnessTest, SeesAnEndThatIsNeverTold) {
  End(match::Ending::kFinished, {1, 2});
  TellEnd(0, {1, 2});
  witness_.CheckTheEnd();
  ExpectFound("is not over");
}

TEST_F(RelayWitnessTest, SeesAMatchThatIsVoidForNothing) {
  Pass(kExcusedFor * 2);
  End(match::Ending::kVoid);
  ExpectFound("it is void, and nothing has failed");
}

TEST_F(RelayWitnessTest, ExcusesAVoidMatchAfterAFailure) {
  Pass(absl::Seconds(1));
  witness_.OnTrouble(/*excuses=*/true);
  Pass(absl::Seconds(25));
  End(match::Ending::kVoid);
  ExpectNothing();
}

TEST_F(RelayWitnessTest, SeesABotThatIsNotToldThatTheOwnerIsGone) {
  witness_.OnKilled(0, /*for_good=*/true, queue_.Now());
  Pass(limits::kEntryPatience);
  witness_.CheckProgress();
  ExpectNothing();
  Pass(absl::Milliseconds(2));
  witness_.CheckProgress();
  ExpectFound("bot 1 was not told in time that it is void");
}

TEST_F(RelayWitnessTest, SeesMatchesThatWaitForEver) {
  match::Setup waits;
  Make(&waits, 1);
  Pass(kBeginsWithin);
  witness_.CheckProgress();
  ExpectNothing();
  Pass(absl::Seconds(1));
  witness_.CheckProgress();
  ExpectFound("it waits for bots that are connected");
}

TEST_F(RelayWitnessTest, SeesAReplayThatDoesNotVerify) {
  End(match::Ending::kFinished, {1, 2});
  replay::Replay replay;
  replay.setup = setup_;
  witness_.OnArchived(replay);
  ExpectFound("its replay does not verify");
}

}  // namespace
}  // namespace referee::simulation
