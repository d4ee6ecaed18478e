// Tests that the work of every turn does not allocate.
#include <vector>

#include "tests/support/allocation_count.h"
#include "tests/unit/games/hypnosia_fixture.h"
#include "tests/unit/games/isaac_fixture.h"

namespace referee::games::hypnosia {
namespace {

using HypnosiaAllocation = HypnosiaTest;

TEST_F(HypnosiaAllocation, WholeMatchesAllocateNothingOnceBuffersHaveGrown) {
  for (int seats = 2; seats <= 6; ++seats) {
    Use(seats);
    const auto start = game_->NewState();
    const auto state = game_->NewState();
    const auto copy = game_->NewState();
    std::vector<Move> legal;
    legal.reserve(256);
    const dice::Key key = dice::PinnedKey(dice::PinnedSeed(9));
    const auto ignore = [](const Chance&, absl::Span<const int>) {};
    const int64_t before = ::referee::testing::AllocationCount();
    size_t turn = 0;
    for (DrawChance(key, state.get(), ignore); state->phase() == Phase::kTurn;
         DrawChance(key, state.get(), ignore)) {
      state->LegalMoves(&legal);
      const Move move = legal[turn++ * 7 % legal.size()];
      const auto resolved = state->Resolve(move, legal);
      copy->CopyFrom(*state);
      if (turn == 30) state->Forfeit(Seat(0));
      if (state->phase() == Phase::kTurn && turn != 30) state->Apply(*resolved);
    }
    EXPECT_EQ(::referee::testing::AllocationCount(), before) << seats;
    EXPECT_GT(turn, 20u);
  }
}

TEST_F(HypnosiaAllocation, PositionsOnTheWireReuseTheMessage) {
  const auto state = At("3a32/2b21/12 0000,0010 b 3,-3 - a 44");
  const std::vector<Move> legal = LegalOf(*state);
  ::referee::v1::Position position;
  ::referee::v1::Move move;
  Conversion().PositionToWire(*state, &position);
  Conversion().MoveToWire(*game_, legal.back(), &move);
  std::string text = state->Position();
  const int64_t before = ::referee::testing::AllocationCount();
  for (const Move m : legal) Conversion().MoveToWire(*game_, m, &move);
  Conversion().PositionToWire(*state, &position);
  text.clear();
  state->AppendPosition(&text);
  EXPECT_EQ(::referee::testing::AllocationCount(), before);
}

}  // namespace
}  // namespace referee::games::hypnosia

namespace referee::games::isaac {
namespace {

using IsaacAllocation = IsaacTest;

TEST_F(IsaacAllocation, WholeMatchesAllocateNothingOnceBuffersHaveGrown) {
  const auto state = game_->NewState();
  const auto copy = game_->NewState();
  const dice::Key key = dice::PinnedKey(dice::PinnedSeed(9));
  std::vector<Move> legal;
  legal.reserve(600);  // on the empty board, the most that random play meets
  std::string text;
  text.reserve(256);
  ::referee::v1::Position position;
  ::referee::v1::Move placement, removal;
  const auto play = [&] {
    size_t turn = 0;
    state->CopyFrom(*copy);
    while (state->phase() == Phase::kTurn) {
      state->LegalMoves(&legal);
      const Move move = *state->Resolve(legal[turn++ * 7 % legal.size()], legal);
      Conversion().PositionToWire(*state, &position);
      const bool placing = position.isaac().phase() == ::games::isaac::v1::PHASE_PLACEMENT;
      if (!move.is_pass()) {
        Conversion().MoveToWire(*game_, move, placing ? &placement : &removal);
      }
      text.clear();
      state->AppendPosition(&text);
      state->Apply(move);
    }
    return turn;
  };
  DrawChance(key, copy.get(), [](const Chance&, absl::Span<const int>) {});
  play();  // messages grow to what they hold
  const int64_t before = ::referee::testing::AllocationCount();
  EXPECT_GT(play(), 20u);
  EXPECT_EQ(::referee::testing::AllocationCount(), before);
}

}  // namespace
}  // namespace referee::games::isaac
