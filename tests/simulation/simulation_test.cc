// Tests of the simulation itself: it repeats exactly, its faults happen, and its witness detects
// violations.
#include <array>
#include <cstdio>
#include <set>
#include <sstream>
#include <string>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/games/catalogue.h"
#include "tests/simulation/trial.h"

namespace referee::simulation {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr uint64_t kSomeSeeds = 20;

std::string OutputOf(const std::string& command) {
  std::string output;
  FILE* const pipe = popen(command.c_str(), "r");
  std::array<char, 4096> buffer;
  while (pipe != nullptr && fgets(buffer.data(), buffer.size(), pipe) != nullptr) {
    output += buffer.data();
  }
  if (pipe != nullptr) pclose(pipe);
  return output;
}

TEST(Simulation, SameSeedGivesTheSameRun) {
  for (uint64_t seed = 1; seed <= kSomeSeeds; ++seed) {
    const Outcome one = Simulate(MakePlan(seed));
    const Outcome two = Simulate(MakePlan(seed));
    EXPECT_EQ(one.digest, two.digest) << "seed " << seed;
    EXPECT_EQ(one.recorded, two.recorded) << "seed " << seed;
  }
}

// Another process has other addresses, and its hash tables another order; and there may be runs
// beside it.
TEST(Simulation, SameSeedGivesTheSameRunInAnotherProcess) {
  const auto digest = [](int jobs) {
    return OutputOf(std::string(REFEREE_BINARY_DIR) + "/simulate --seeds 40 --jobs " +
                    std::to_string(jobs) + " | grep -o 'digest .*'");
  };
  const std::string alone = digest(1);
  EXPECT_THAT(alone, HasSubstr("digest "));
  EXPECT_EQ(alone, digest(1));
  EXPECT_EQ(alone, digest(4));
}

TEST(Simulation, DifferentSeedsGiveDifferentRuns) {
  std::set<uint64_t> digests;
  for (uint64_t seed = 1; seed <= kSomeSeeds; ++seed) {
    digests.insert(Simulate(MakePlan(seed)).digest);
  }
  EXPECT_EQ(digests.size(), kSomeSeeds);
}

TEST(Simulation, LogChangesNothing) {
  std::ostringstream log;
  EXPECT_EQ(Simulate(MakePlan(3), &log).digest, Simulate(MakePlan(3)).digest);
  EXPECT_THAT(log.str(), HasSubstr("referee starts 1"));
}

// Not at the event before: which that is depends on what other groups do.
TEST(Simulation, FaultsEndWhenThePlanSaysTheyDo) {
  for (uint64_t seed = 1; seed <= kSomeSeeds; ++seed) {
    const Plan plan = MakePlan(seed);
    std::ostringstream log;
    Simulate(plan, &log);
    EXPECT_THAT(log.str(), HasSubstr("\n" + absl::FormatDuration(plan.heals_at) + "  healed\n"))
        << "seed " << seed;
  }
}

TEST(Simulation, EveryKindOfFaultHappens) {
  std::ostringstream log;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    const Outcome outcome = Simulate(MakePlan(seed), &log);
    EXPECT_THAT(outcome.problem, IsEmpty()) << "seed " << seed;
  }
  for (const char* what : {"cut",
                           "hangs up",
                           "blocked",
                           "slow network",
                           "referee killed",
                           "referee drains",
                           "stalled",
                           "shut",
                           "calendar set",
                           "write failed",
                           "archive failed",
                           "set aside",
                           "recovered",
                           "resumed",
                           "faulted",
                           "no contest",
                           "cancelled",
                           "told fault",
                           "told hashes",
                           "resigned at start",
                           "nonce",
                           "block asked for",
                           "store refused",
                           "block begun again",
                           "joined",
                           "version set",
                           "season begun",
                           "entrant succeeded",
                           "turn waits",
                           "leaves",
                           "organiser meddles"}) {
    EXPECT_NE(log.str().find(std::string("  ") + what + " "), std::string::npos) << what;
  }
}

// --- The witness ---

std::array<uint8_t, 32> SeedOf(uint8_t secret) {
  std::array<uint8_t, 32> seed;
  seed.fill(secret);
  return seed;
}

replay::Signer SignerOf(uint8_t secret) { return replay::Signer::FromSeed(SeedOf(secret)); }

struct WitnessFixture {
  EventQueue queue;
  Chronicle chronicle{&queue, nullptr};
  Witness witness{&queue, &chronicle, /*bots=*/2, SignatureChecker(SeedOf(1))};
  match::Setup setup;
  Account* account;

  WitnessFixture() {
    const std::array<uint8_t, 10> random{};
    setup.id = MatchId::Make(queue.WallNow(), random.data());
    setup.time_control.per_move = absl::Milliseconds(100);
    setup.dice_source.pinned_number = 7;
    account = witness.OnCreated(setup.id, /*match=*/0, {0, 1});
    witness.OnLinked(0);
    witness.OnLinked(1);
    witness.OnOpened(setup);
    witness.OnFlushed(setup, match::Started());
  }

  void Pass(absl::Duration time) {
    queue.At(queue.Now() + time, [] {});
    queue.Step(Instant::InfiniteFuture());
  }
  // Seat a plays the turn, as replied now, charged `used` since the clock `started`; `stalled` is
  // given back.
  void Play(uint32_t number, absl::Duration started, absl::Duration used,
            absl::Duration stalled = absl::ZeroDuration()) {
    match::Played played;
    played.number = number;
    played.seat = Seat(0);
    played.move = games::Move(7);
    played.used = used;
    played.bank_left = absl::InfiniteDuration();
    played.timing.emplace();
    played.timing->started = started;
    played.timing->stalled = stalled;
    played.timing->read = played.timing->taken = queue.Now() - account->due_since;
    witness.OnFlushed(setup, played);
  }
  // Seat a plays turn 1, as read so long after it was due, of which `used` is charged.
  void PlayAsRead(absl::Duration read, absl::Duration used,
                  absl::Duration paused = absl::ZeroDuration()) {
    match::Played played;
    played.number = 1;
    played.seat = Seat(0);
    played.move = games::Move(7);
    played.used = used;
    played.bank_left = absl::InfiniteDuration();
    played.timing.emplace();
    played.timing->paused = paused;
    played.timing->read = played.timing->taken = read;
    witness.OnFlushed(setup, played);
  }
  void HandleReply(uint32_t turn, uint32_t request = 0, bool wild = false) {
    const ReplyRead reply{Seat(0), turn, games::Move(7), wild, queue.Now(), queue.Now(), request};
    witness.OnReplyRead(account, reply);
    witness.OnHandling(account, reply);
  }
  // Seat a, which has been asked for turn 1 by request 0, is asked anew: seat b has resigned.
  void ReplaceRequest() {
    witness.OnHandedOver(account, Seat(0), 1, 0, absl::ZeroDuration());
    account->seats[1].resigned = true;
    match::Forfeited forfeited;
    forfeited.seat = Seat(1);
    forfeited.cause = match::Cause::kResigned;
    forfeited.number = 1;
    forfeited.interrupts_turn = true;
    witness.OnFlushed(setup, forfeited);
    witness.OnHandedOver(account, Seat(0), 1, account->request, absl::ZeroDuration());
  }
};

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

TEST(Witness, SeesASeatThatWasTakenOutAndHasTheBetterRank) {
  WitnessFixture court;
  court.account->seats[0].forfeited = true;
  match::Ended ended;
  ended.ranks = {1, 2};
  court.witness.OnFlushed(court.setup, ended);
  EXPECT_THAT(court.chronicle.problem(), HasSubstr("seat 0 was taken out and ranks no lower"));
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

// A block of two matches, both of them in their first turn, which seat a is to play with roll 0.
struct BlockCourt {
  EventQueue queue;
  Chronicle chronicle{&queue, nullptr};
  Witness witness{&queue, &chronicle, /*bots=*/2, SignatureChecker(SeedOf(1))};
  std::array<match::Setup, 2> setups;
  std::array<Account*, 2> accounts;

  BlockCourt() {
    const auto game = games::Find("hypnosia")->type->Create(2, {}).value();
    for (int rotation = 0; rotation < 2; ++rotation) {
      std::array<uint8_t, 10> random{};
      match::Setup& setup = setups[static_cast<size_t>(rotation)];
      setup.game = game;
      setup.dice_source.pinned_number = 7;
      setup.block = match::BlockPlace{BlockId::Make(queue.WallNow(), random.data()), rotation};
      random[0] = static_cast<uint8_t>(rotation);
      setup.id = MatchId::Make(queue.WallNow(), random.data());
      Account*& account = accounts[static_cast<size_t>(rotation)];
      account = witness.OnCreated(setup.id, rotation, {rotation, 1 - rotation});
      witness.OnOpened(setup);
      witness.OnFlushed(setup, match::Started());
      Draw(setup, Seat(0), {6, 6});
      Draw(setup, Seat(1), {1, 1});
      witness.OnLinked(rotation);
    }
    for (Account* account : accounts) {
      View view;
      view.started = true;
      witness.OnToldAsk(account, Seat(0), 1, 0, view);
      witness.OnHandedOver(account, Seat(0), 1, 0, absl::ZeroDuration());
    }
  }

  void Draw(const match::Setup& setup, Seat seat, std::array<int, 2> dice) {
    match::Drawn drawn;
    drawn.kind = games::Chance::Kind::kSetupRoll;
    drawn.seat = seat;
    drawn.roll = match::Roll(dice);
    witness.OnFlushed(setup, drawn);
  }
  void Wait(absl::Duration time) {
    queue.At(queue.Now() + time, [] {});
    queue.Step(Instant::InfiniteFuture());
  }
  void Reply(size_t rotation) {
    const ReplyRead reply{Seat(0), 1, games::Move::Pass(), false, queue.Now(), queue.Now()};
    witness.OnReplyRead(accounts[rotation], reply);
    witness.OnHandling(accounts[rotation], reply);
    witness.OnHandled();
  }
  // The first turn is written, as replied so long after it was due; roll 1 comes with it.
  void Write(size_t rotation, absl::Duration replied) {
    match::Played played;
    played.number = 1;
    played.seat = Seat(0);
    played.roll = match::Roll({3, 4});
    played.used = replied;
    played.bank_left = absl::InfiniteDuration();
    played.timing.emplace();
    played.timing->read = played.timing->taken = replied;
    witness.OnFlushed(setups[rotation], played);
  }
};

TEST(Witness, IsContentWithARollThatAllMatchesOfABlockHadComeTo) {
  BlockCourt court;
  court.Wait(absl::Milliseconds(1));
  court.Reply(1);
  court.Wait(absl::Milliseconds(4));
  court.Reply(0);
  court.Write(0, absl::Milliseconds(5));
  court.Write(1, absl::Milliseconds(1));
  EXPECT_THAT(court.chronicle.problem(), IsEmpty());
}

TEST(Witness, SeesARollThatASiblingHadStillToComeTo) {
  BlockCourt court;
  court.Wait(absl::Milliseconds(1));
  court.Reply(0);
  court.Write(0, absl::Milliseconds(1));
  court.Wait(absl::Milliseconds(4));
  court.Reply(1);
  court.Write(1, absl::Milliseconds(5));
  EXPECT_THAT(court.chronicle.problem(), HasSubstr("when match 0 had shown roll 1"));
}

TEST(Witness, SeesAResultThatTellsTheSeedWhileASiblingGoesOn) {
  BlockCourt court;
  court.witness.OnFlushed(court.setups[0], match::Ended());
  EXPECT_THAT(court.chronicle.problem(), HasSubstr("match 1 of its block goes on"));
}

// The end of match 0 was being written when the referee died, after the recording of match 1
// failed.
TEST(Witness, IsContentWithAResultThatIsFoundAfterThatOfASiblingWhoseRecordingFailed) {
  BlockCourt court;
  court.witness.OnRecordingFailed(court.setups[1]);
  court.witness.LookAway(true);
  court.witness.LookAway(false);
  replay::MatchRead sibling;
  sibling.setup = court.setups[1];
  sibling.records.resize(court.witness.Find(sibling.setup.id)->records);
  court.witness.OnRecovered(sibling);
  replay::MatchRead decided;
  decided.setup = court.setups[0];
  decided.records.resize(court.witness.Find(decided.setup.id)->records);
  decided.records.emplace_back(match::Ended());
  court.witness.OnRecovered(decided);
  EXPECT_THAT(court.chronicle.problem(), IsEmpty());
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
