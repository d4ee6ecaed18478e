// The witness and blocks: dice that a sibling match has still to roll.
#include <array>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/games/catalogue.h"
#include "tests/simulation/chronicle.h"
#include "tests/simulation/event_queue.h"
#include "tests/simulation/signature_checker.h"
#include "tests/simulation/witness.h"
#include "tests/simulation/witness_fixture.h"

namespace referee::simulation {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

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

}  // namespace
}  // namespace referee::simulation
