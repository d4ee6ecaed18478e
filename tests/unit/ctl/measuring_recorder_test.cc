#include "referee/ctl/duel/measuring_recorder.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/ctl/countdown.h"

namespace referee::ctl {
namespace {

match::Setup SetupNamed(uint8_t last) {
  const uint8_t random[10] = {0, 0, 0, 0, 0, 0, 0, 0, 0, last};
  match::Setup setup;
  setup.id = MatchId::Make(absl::UnixEpoch(), random);
  setup.game = games::Countdown().Create(2, {}).value();
  setup.bots = {"x", "y"};
  return setup;
}

match::Played Turn(int seat, games::Move move, absl::Duration used) {
  match::Played turn;
  turn.seat = Seat(seat);
  turn.move = move;
  turn.used = used;
  return turn;
}

// Counts what reaches it.
class CountingRecorder final : public replay::Recorder {
 public:
  class Recording final : public replay::Recording {
   public:
    explicit Recording(CountingRecorder* recorder) : recorder_(*recorder) {}
    void Add(const match::Record&) override { ++recorder_.added; }
    absl::Status Flush() override { return recorder_.status; }
    absl::Status Seal() override { return recorder_.status; }

   private:
    CountingRecorder& recorder_;
  };

  absl::StatusOr<std::unique_ptr<replay::Recording>> Open(const match::Setup&,
                                                          const dice::Seed&) override {
    if (!status.ok()) return status;
    return std::make_unique<Recording>(this);
  }
  absl::Status Check() override { return status; }

  int added = 0;
  absl::Status status;
};

TEST(MeasuringRecorder, MeasuresMovesBySeatAndLeavesPassesOut) {
  MeasuringRecorder recorder(nullptr);
  const match::Setup setup = SetupNamed(1);
  auto recording = recorder.Open(setup, dice::Seed()).value();
  recording->Add(Turn(0, games::Move(1), absl::Milliseconds(2)));
  recording->Add(Turn(1, games::Move::Pass(), absl::ZeroDuration()));
  recording->Add(Turn(0, games::Move(2), absl::Milliseconds(4)));
  EXPECT_TRUE(recording->Flush().ok());
  EXPECT_TRUE(recording->Seal().ok());
  const MatchFigures figures = recorder.Take(setup.id);
  ASSERT_EQ(figures.times.size(), 2u);
  EXPECT_EQ(figures.times[0].moves, 2);
  EXPECT_EQ(figures.times[0].total, absl::Milliseconds(6));
  EXPECT_EQ(figures.times[0].worst, absl::Milliseconds(4));
  EXPECT_EQ(figures.times[1].moves, 0);
}

match::Faulted IllegalMove(int seat) {
  match::Faulted fault;
  fault.seat = Seat(seat);
  fault.cause = match::Cause::kIllegal;
  return fault;
}

TEST(MeasuringRecorder, CountsTurnsPlayedInABotsPlaceByCause) {
  MeasuringRecorder recorder(nullptr);
  match::Setup setup = SetupNamed(1);
  setup.policies.on_illegal.action = match::FaultPolicy::Action::kSubstitute;
  auto recording = recorder.Open(setup, dice::Seed()).value();
  match::Played late = Turn(1, games::Move(1), absl::Milliseconds(2));
  late.substituted = match::Cause::kTimeout;
  match::Played illegal = Turn(1, games::Move(1), absl::Milliseconds(2));
  illegal.substituted = match::Cause::kIllegal;
  recording->Add(late);
  recording->Add(IllegalMove(1));
  recording->Add(illegal);
  recording->Add(late);
  recording->Add(Turn(0, games::Move(1), absl::Milliseconds(2)));
  const MatchFigures figures = recorder.Take(setup.id);
  ASSERT_EQ(figures.forgiven.size(), 2u);
  EXPECT_EQ(figures.forgiven[0].substituted_timeouts, 0);
  EXPECT_EQ(figures.forgiven[1].substituted_timeouts, 2);
  EXPECT_EQ(figures.forgiven[1].substituted_illegal, 1);
  EXPECT_EQ(figures.forgiven[1].retried, 0) << "an illegal move counts once";
}

TEST(MeasuringRecorder, CountsIllegalMovesTriedAgain) {
  MeasuringRecorder recorder(nullptr);
  match::Setup setup = SetupNamed(1);
  setup.policies.on_illegal.action = match::FaultPolicy::Action::kRetry;
  auto recording = recorder.Open(setup, dice::Seed()).value();
  recording->Add(IllegalMove(0));
  recording->Add(IllegalMove(0));
  recording->Add(Turn(0, games::Move(1), absl::Milliseconds(2)));
  match::Faulted end_of_match_time;
  end_of_match_time.seat = Seat(0);
  end_of_match_time.cause = match::Cause::kTimeout;
  recording->Add(end_of_match_time);
  const MatchFigures figures = recorder.Take(setup.id);
  ASSERT_EQ(figures.forgiven.size(), 2u);
  EXPECT_EQ(figures.forgiven[0].retried, 2);
  EXPECT_EQ(figures.forgiven[1].retried, 0);
}

match::Forfeited Forfeit(int seat, match::Cause cause, uint32_t turn, const std::string& detail) {
  match::Forfeited forfeit;
  forfeit.seat = Seat(seat);
  forfeit.cause = cause;
  forfeit.number = turn;
  forfeit.detail = detail;
  return forfeit;
}

TEST(MeasuringRecorder, KeepsWhyASeatWasTakenOut) {
  MeasuringRecorder recorder(nullptr);
  const match::Setup setup = SetupNamed(1);
  auto recording = recorder.Open(setup, dice::Seed()).value();
  recording->Add(Turn(0, games::Move(1), absl::Milliseconds(2)));
  match::Forfeited illegal = Forfeit(1, match::Cause::kIllegal, 2, "illegal move 9 in turn 2");
  illegal.timing.emplace();
  recording->Add(illegal);
  const MatchFigures figures = recorder.Take(setup.id);
  EXPECT_FALSE(figures.faults[0].has_value());
  ASSERT_TRUE(figures.faults[1].has_value());
  EXPECT_EQ(figures.faults[1]->cause, match::Cause::kIllegal);
  EXPECT_EQ(figures.faults[1]->turn, 2u);
  EXPECT_EQ(figures.faults[1]->detail, "illegal move 9 in turn 2");
  EXPECT_TRUE(figures.faults[1]->forfeits);
  EXPECT_FALSE(figures.faults[1]->unready);
}

TEST(MeasuringRecorder, KeepsTheFirstIllegalMoveThatWasForgiven) {
  MeasuringRecorder recorder(nullptr);
  const match::Setup setup = SetupNamed(1);
  auto recording = recorder.Open(setup, dice::Seed()).value();
  match::Faulted first = IllegalMove(1);
  first.detail = "first";
  match::Faulted second = IllegalMove(1);
  second.detail = "second";
  recording->Add(first);
  recording->Add(second);
  const MatchFigures figures = recorder.Take(setup.id);
  ASSERT_TRUE(figures.faults[1].has_value());
  EXPECT_EQ(figures.faults[1]->detail, "first");
  EXPECT_FALSE(figures.faults[1]->forfeits);
}

TEST(MeasuringRecorder, TellsWhoWasNotReadyFromWhoWasLate) {
  MeasuringRecorder recorder(nullptr);
  const match::Setup setup = SetupNamed(1);
  auto recording = recorder.Open(setup, dice::Seed()).value();
  recording->Add(Forfeit(0, match::Cause::kTimeout, 1, "was not ready within 10s"));
  match::Forfeited late = Forfeit(1, match::Cause::kTimeout, 1, "used 501 ms");
  late.timing.emplace();
  recording->Add(late);
  const MatchFigures figures = recorder.Take(setup.id);
  EXPECT_TRUE(figures.faults[0]->unready);
  EXPECT_FALSE(figures.faults[1]->unready);
}

TEST(MeasuringRecorder, TellsWhoResignedBeforeItWasAskedFromWhoGaveUp) {
  MeasuringRecorder recorder(nullptr);
  const match::Setup setup = SetupNamed(1);
  auto recording = recorder.Open(setup, dice::Seed()).value();
  recording->Add(Forfeit(0, match::Cause::kResigned, 1, "resigned before the first turn"));
  match::Forfeited asked = Forfeit(1, match::Cause::kResigned, 1, "resigned in turn 1");
  asked.timing.emplace();
  recording->Add(asked);
  const MatchFigures figures = recorder.Take(setup.id);
  EXPECT_TRUE(figures.faults[0]->unready);
  EXPECT_FALSE(figures.faults[1]->unready);
}

TEST(MeasuringRecorder, GivesTheFiguresOfAMatchOnce) {
  MeasuringRecorder recorder(nullptr);
  const auto one = recorder.Open(SetupNamed(1), dice::Seed());
  const auto two = recorder.Open(SetupNamed(2), dice::Seed());
  EXPECT_EQ(recorder.Take(SetupNamed(1).id).times.size(), 2u);
  EXPECT_EQ(recorder.Take(SetupNamed(1).id).times.size(), 0u) << "taken already";
}

TEST(MeasuringRecorder, HandsEverythingToItsKeeper) {
  CountingRecorder keeper;
  MeasuringRecorder recorder(&keeper);
  auto recording = recorder.Open(SetupNamed(1), dice::Seed()).value();
  match::Forfeited forfeit;
  forfeit.seat = Seat(1);
  recording->Add(forfeit);
  recording->Add(match::Ended());
  EXPECT_EQ(keeper.added, 2);
}

TEST(MeasuringRecorder, PassesOnWhatItsKeeperCannotDo) {
  CountingRecorder keeper;
  MeasuringRecorder recorder(&keeper);
  auto recording = recorder.Open(SetupNamed(1), dice::Seed()).value();
  keeper.status = absl::ResourceExhaustedError("the disk is full");
  EXPECT_EQ(recording->Flush(), keeper.status);
  EXPECT_EQ(recording->Seal(), keeper.status);
  EXPECT_EQ(recorder.Check(), keeper.status);
  EXPECT_EQ(recorder.Open(SetupNamed(2), dice::Seed()).status(), keeper.status);
}

}  // namespace
}  // namespace referee::ctl
