// Tests of resolving moves of Hypnosia: which move a claim means, or which rule it breaks.
#include "tests/unit/games/hypnosia_fixture.h"

namespace referee::games::hypnosia {
namespace {

using ::testing::HasSubstr;

class HypnosiaResolve : public HypnosiaTest {
 protected:
  struct WireStep {
    uint32_t die;
    uint32_t area, index;
    bool stack = false;
    int to_area = -1, to_index = 0;
  };

  // A typed move as a bot sends it; `to` only where given, captures never.
  absl::StatusOr<std::string> ResolveWire(absl::string_view position,
                                          const std::vector<WireStep>& steps) const {
    ::referee::v1::Move move;
    move.mutable_hypnosia();
    for (const WireStep& step : steps) {
      auto* out = move.mutable_hypnosia()->add_steps();
      out->set_die(step.die);
      out->mutable_from()->set_area(step.area);
      out->mutable_from()->set_index(step.index);
      out->set_stack(step.stack);
      out->set_captured(2);  // not read
      if (step.to_area < 0) continue;
      out->mutable_to()->set_area(static_cast<uint32_t>(step.to_area));
      out->mutable_to()->set_index(static_cast<uint32_t>(step.to_index));
    }
    const auto claimed = Conversion().MoveFromWire(*game_, move);
    if (!claimed.ok()) return claimed.status();
    const auto state = At(position);
    const auto resolved = state->Resolve(*claimed, LegalOf(*state));
    if (!resolved.ok()) return resolved.status();
    return game_->MoveText(*resolved);
  }

  std::string WireError(absl::string_view position, const std::vector<WireStep>& steps) const {
    const auto resolved = ResolveWire(position, steps);
    EXPECT_FALSE(resolved.ok());
    return std::string(resolved.status().message());
  }
};

constexpr char kStart[] = "36/24/12 1111,1111 - 0,0 - a 54";

TEST_F(HypnosiaResolve, NamesTheDieThatWasNotRolled) {
  EXPECT_THAT(WhyIllegal(kStart, "3:L1>A2 4:A2>A6"), HasSubstr("step 1: no die shows 3"));
  EXPECT_THAT(WhyIllegal(kStart, "5:L1>A4 5:A4>A9"),
              HasSubstr("step 2: the die 5 has been played already (rolled: 5 and 4)"));
}

TEST_F(HypnosiaResolve, NamesTheSpaceWithoutAnOwnPawn) {
  EXPECT_THAT(WhyIllegal(kStart, "5:A0>A5 4:L4>A0"), HasSubstr("step 1: no own pawn on A0"));
  EXPECT_THAT(WhyIllegal("b35/24/12 0011,0011 - 0,0 - a 54", "5:A0>A5 4:L4>A0"),
              HasSubstr("no own pawn on A0"));
  EXPECT_THAT(WhyIllegal("36/24/12 0011,0011 - 0,0 - a 54", "5:L1>A4 4:L4>A0"),
              HasSubstr("no own pawn on L1"));
  EXPECT_THAT(WhyIllegal("36/24/12 0011,0011 a 0,0 - a 54", "5:X>A4 4:L4>A0"),
              HasSubstr("a pawn in the centre does not move"));
}

TEST_F(HypnosiaResolve, NamesTheLaneRule) {
  EXPECT_THAT(WhyIllegal("36/24/12 1111,1111 - 0,0 - a 21", "2:L3>A0 1:L1>A0"),
              HasSubstr("step 1: a pawn leaves L3 with a die of at least 3"));
  EXPECT_THAT(WhyIllegal(kStart, "5:L4>L1 4:L4>A0"), HasSubstr("within or into a lane"));
  EXPECT_THAT(WhyIllegal(kStart, "5:L1*>A4 4:L4>A0"), HasSubstr("no stacks in a lane"));
}

TEST_F(HypnosiaResolve, NamesTheStackRules) {
  EXPECT_THAT(WhyIllegal("aA34/24/12 0001,1111 - 0,0 - a 15", "1:A0>A1 5:A1>A6"),
              HasSubstr("an own stack stands on A1"));
  EXPECT_THAT(WhyIllegal("Aa34/24/12 0001,1111 - 0,0 - a 15", "1:A0*>A1 5:A1>A6"),
              HasSubstr("a stack may not land on the own pawn on A1"));
  EXPECT_THAT(WhyIllegal("aB34/24/12 0001,0011 - 0,0 - a 15", "1:A0>A1xx 5:A1>A6"),
              HasSubstr("a single pawn may not land on the stack on A1"));
  EXPECT_THAT(WhyIllegal("a35/24/12 0001,0011 - 0,0 - a 15", "1:A0*>A1 5:A1*>A6"),
              HasSubstr("a single pawn stands on A0, no stack"));
}

TEST_F(HypnosiaResolve, NamesTheBridgeRules) {
  Use(2, {{"stack_bridges", "false"}});
  EXPECT_THAT(WhyIllegal("3A32/24/12 0001,0011 - 0,0 - a 45", "4:A3*>B3 5:B3>B8"),
              HasSubstr("a stack may not cross a bridge"));
  EXPECT_THAT(WhyIllegal("2a33/24/12 0001,0011 - 0,0 - a 45", "4:A2>B3 5:B3>B8"),
              HasSubstr("A2 is not a bridge space"));
  EXPECT_THAT(WhyIllegal("3a32/24/12 0001,0011 - 0,0 - a 45", "4:A3>B4 5:B4>B9"),
              HasSubstr("a 4 leads from A3 to A7 or B3, not to B4"));
  EXPECT_THAT(WhyIllegal("36/24/1a10 0001,0011 - 0,0 - a 45", "5:C1>X 4:L4>A0"),
              HasSubstr("the centre is entered with a 1 only"));
}

TEST_F(HypnosiaResolve, NotationMustStateCapturesExactly) {
  EXPECT_THAT(WhyIllegal("ab34/24/12 0000,0001 - 0,0 - a 15", "1:A0>A1 5:A1>A6"),
              HasSubstr("step 1: captures 1, not 0"));
  EXPECT_THAT(WhyIllegal(kStart, "5:L1>A4x 4:L4>A0"), HasSubstr("captures 0, not 1"));
  EXPECT_THAT(WhyIllegal("36/24/1aa9 0000,1111 - 0,0 - a 16", "1:C1>Xx 6:C2>C8"),
              HasSubstr("captures 0, not 1"));
}

TEST_F(HypnosiaResolve, BothDiceMustBePlayed) {
  EXPECT_THAT(WhyIllegal(kStart, "5:L1>A4"), HasSubstr("both dice must be played"));
  EXPECT_THAT(WhyIllegal(kStart, "-"), HasSubstr("a pass is for a seat that can play no die"));
  EXPECT_THAT(WhyIllegal("aBB33/24/12 0000,0000 - 0,0 - a 12", "1:A0>A1"),
              HasSubstr("the turn is a pass"));
}

TEST_F(HypnosiaResolve, NothingFollowsTheStepThatEndsTheGame) {
  EXPECT_THAT(WhyIllegal("36/24/1a10 1000,1100 aabb 0,0 - a 13", "1:C1>X 3:L1>A2"),
              HasSubstr("the game has ended with step 1"));
}

TEST_F(HypnosiaResolve, WireMoveNeedsNeitherEndsNorCaptures) {
  const auto move = ResolveWire("ab34/24/12 0000,0001 - 0,0 - a 15", {{1, 1, 0}, {5, 1, 1}});
  ASSERT_TRUE(move.ok()) << move.status();
  EXPECT_EQ(*move, "1:A0>A1x 5:A1>A6");
}

TEST_F(HypnosiaResolve, WireMoveThatStatesAnEndMustStateTheRightOne) {
  const char kPosition[] = "3a32/24/12 0000,1111 - 0,0 - a 44";
  const auto move = ResolveWire(kPosition, {{4, 1, 3, false, 2, 3}, {4, 2, 3}});
  ASSERT_TRUE(move.ok()) << move.status();
  EXPECT_EQ(*move, "4:A3>B3 4:B3>B7");
  EXPECT_THAT(WireError(kPosition, {{4, 1, 3, false, 2, 4}, {4, 2, 4}}), HasSubstr("not to B4"));
}

TEST_F(HypnosiaResolve, WireMoveThatCouldWalkOrCrossMustSayWhich) {
  EXPECT_THAT(WireError("3a32/24/12 0001,0111 - 0,0 - a 45", {{5, 1, 3}, {4, 0, 4}}),
              HasSubstr("say where each step ends"));
  // Here the second step tells.
  const auto move = ResolveWire("3a32/24/12 0000,1111 - 0,0 - a 44", {{4, 1, 3}, {4, 2, 3}});
  ASSERT_TRUE(move.ok()) << move.status();
  EXPECT_EQ(*move, "4:A3>B3 4:B3>B7");
}

TEST_F(HypnosiaResolve, WireErrorsNameTheRuleToo) {
  EXPECT_THAT(WireError(kStart, {{3, 0, 1}, {4, 0, 4}}), HasSubstr("no die shows 3"));
  EXPECT_THAT(WireError("3B32/24/12 0000,0011 - 0,0 - b 45", {{4, 1, 5}, {5, 0, 4}}),
              HasSubstr("no own pawn on A5"));
}

TEST_F(HypnosiaResolve, WireFieldsOutOfRangeAreNamed) {
  EXPECT_THAT(WireError(kStart, {{0, 0, 1}}), HasSubstr("steps[0].die: 0"));
  EXPECT_THAT(WireError(kStart, {{5, 0, 1}, {7, 0, 1}}), HasSubstr("steps[1].die: 7"));
  EXPECT_THAT(WireError(kStart, {{5, 0, 0}}), HasSubstr("steps[0].from.index: 0"));
  EXPECT_THAT(WireError(kStart, {{5, 1, 36}}), HasSubstr("ring A, 0 to 35"));
  EXPECT_THAT(WireError(kStart, {{5, 4, 0}}), HasSubstr("steps[0].from.area: 4"));
  EXPECT_THAT(WireError(kStart, {{5, 4000000000u, 0}}), HasSubstr("steps[0].from.area"));
  EXPECT_THAT(WireError(kStart, {{5, 0, 1, false, 9, 1}}), HasSubstr("steps[0].to.index: 1"));
  EXPECT_THAT(WireError(kStart, {{5, 0, 1}, {4, 0, 1}, {4, 0, 1}}),
              HasSubstr("steps: there are 3"));
  ::referee::v1::Move move;
  EXPECT_FALSE(Conversion().MoveFromWire(*game_, move).ok());
  move.mutable_hypnosia()->add_steps()->set_die(5);
  EXPECT_THAT(std::string(Conversion().MoveFromWire(*game_, move).status().message()),
              HasSubstr("steps[0].from: not set"));
}

}  // namespace
}  // namespace referee::games::hypnosia
