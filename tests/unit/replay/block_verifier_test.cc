// Tests of what a match of a block may lack that another match may not.
//
// A block withholds events until the roll after them. If another match makes the block void, those
// events are never recorded. Each sample is true; the same records without a block, or with a
// result, are not.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <variant>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/verifier.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using match::Ended;
using match::Ending;
using match::Faulted;
using match::Forfeited;
using ::testing::HasSubstr;

std::string BlockProblem(const Replay& replay) {
  return Verify(Encode(replay, SampleSigner())).problem;
}

Replay WithoutBlock(Replay replay) {
  replay.setup.block.reset();
  return replay;
}

// The same, but that the match ends with a result.
Replay WithResult(Replay replay) {
  Ended& ended = std::get<Ended>(replay.records.back());
  ended.ending = Ending::kFinished;
  ended.reason = "LAST_SEAT";
  const auto seats = static_cast<size_t>(replay.setup.game->seats());
  ended.scores.assign(seats, 0);
  ended.ranks.assign(seats, 1);
  return replay;
}

template <typename R>
const R* RecordBeforeEnd(const Replay& replay) {
  return std::get_if<R>(&replay.records[replay.records.size() - 2]);
}

// A match of a block that ends after the illegal move of turn 8, before the referee has played.
Replay IllegalMoveInBlock(Ending ending) {
  SampleOptions options;
  options.policies.on_illegal.action = match::FaultPolicy::Action::kSubstitute;
  options.policies.on_illegal.max_strikes = 2;
  options.illegal_at = 8;
  options.rotation = 0;
  options.void_at = 8;
  options.block_ending = ending;
  return PlaySample(options);
}

template <typename R>
int Count(const Replay& replay) {
  return static_cast<int>(
      std::count_if(replay.records.begin(), replay.records.end(),
                    [](const match::Record& r) { return std::holds_alternative<R>(r); }));
}

// A match of a block, of four seats, that ends after the match's time is used up and so many seats
// have forfeited: what is withheld is that of the seat that was to move.
Replay TimedOutInBlock(int forfeits, Ending ending) {
  SampleOptions options = TimedOutSample();
  options.seats = 4;
  options.rotation = 0;
  options.block_ending = ending;
  for (options.seed = 1; options.seed < 100; ++options.seed) {
    options.void_at = 0;
    for (const match::Record& record : PlaySample(options).records) {
      if (const auto* fault = std::get_if<Faulted>(&record)) options.void_at = fault->number;
    }
    Replay replay = PlaySample(options);
    if (replay.ended()->ending == ending && Count<Forfeited>(replay) == forfeits) return replay;
  }
  ADD_FAILURE() << "no block is void after " << forfeits << " forfeits";
  std::abort();
}

TEST(BlockVerifier, FindsNothingWrongInWholeMatches) {
  for (int rotation = 0; rotation < 2; ++rotation) {
    SampleOptions options;
    options.rotation = rotation;
    EXPECT_EQ(BlockProblem(PlaySample(options)), "");
  }
}

TEST(BlockVerifier, LetsABlockBecomeVoidAtAnyRoll) {
  for (uint32_t turn = 1; turn < 12; ++turn) {
    SampleOptions options;
    options.rotation = 1;
    options.void_at = turn;
    const Replay replay = PlaySample(options);
    ASSERT_EQ(replay.ended()->ending, Ending::kVoid);
    EXPECT_EQ(BlockProblem(replay), "") << turn;
    EXPECT_EQ(BlockProblem(WithoutBlock(replay)), "") << "nothing that is due is missing";
  }
}

// --- The turn that the referee plays after an illegal move ---

TEST(BlockVerifier, LetsABlockBecomeVoidBeforeTheRefereePlaysForASeat) {
  for (const Ending ending : {Ending::kVoid, Ending::kCancelled}) {
    const Replay replay = IllegalMoveInBlock(ending);
    ASSERT_NE(RecordBeforeEnd<Faulted>(replay), nullptr);
    ASSERT_EQ(replay.ended()->ending, ending);
    EXPECT_EQ(BlockProblem(replay), "");
  }
}

TEST(BlockVerifier, LetsNoOtherMatchEndBeforeTheRefereePlaysForASeat) {
  for (const Ending ending : {Ending::kVoid, Ending::kCancelled}) {
    EXPECT_THAT(BlockProblem(WithoutBlock(IllegalMoveInBlock(ending))),
                HasSubstr("turn 8: the referee did not play for the seat whose move was illegal"));
  }
}

TEST(BlockVerifier, TakesNoResultBeforeTheRefereePlaysForASeat) {
  EXPECT_THAT(BlockProblem(WithResult(IllegalMoveInBlock(Ending::kVoid))),
              HasSubstr("turn 8: the referee did not play for the seat whose move was illegal"));
}

TEST(BlockVerifier, LetsTheSeatNotMoveInstead) {
  SampleOptions options;
  options.policies.on_illegal.action = match::FaultPolicy::Action::kSubstitute;
  options.illegal_at = 8;
  options.rotation = 0;
  Replay replay = PlaySample(options);
  ASSERT_EQ(BlockProblem(replay), "");
  for (match::Record& record : replay.records) {
    auto* const turn = std::get_if<match::Played>(&record);
    if (turn != nullptr && turn->number == 8) turn->substituted.reset();
  }
  EXPECT_THAT(BlockProblem(replay),
              HasSubstr("turn 8: the referee did not play for the seat whose move was illegal"));
}

// --- The forfeits when the match's time is used up ---

TEST(BlockVerifier, LetsABlockBecomeVoidBeforeSeatsForfeitWhoseTimeIsUsedUp) {
  for (const Ending ending : {Ending::kVoid, Ending::kCancelled}) {
    const Replay replay = TimedOutInBlock(0, ending);
    ASSERT_NE(RecordBeforeEnd<Faulted>(replay), nullptr);
    EXPECT_EQ(BlockProblem(replay), "");
  }
}

TEST(BlockVerifier, LetsABlockBecomeVoidBetweenSuchForfeits) {
  const Replay replay = TimedOutInBlock(1, Ending::kVoid);
  ASSERT_NE(RecordBeforeEnd<Forfeited>(replay), nullptr);
  EXPECT_EQ(BlockProblem(replay), "");
}

TEST(BlockVerifier, LetsNoOtherMatchEndBeforeSeatsForfeitWhoseTimeIsUsedUp) {
  for (const int forfeits : {0, 1}) {
    for (const Ending ending : {Ending::kVoid, Ending::kCancelled}) {
      EXPECT_THAT(BlockProblem(WithoutBlock(TimedOutInBlock(forfeits, ending))),
                  HasSubstr("the match's time was used up, but the seats do not forfeit"));
    }
  }
}

TEST(BlockVerifier, TakesNoResultBeforeSeatsForfeitWhoseTimeIsUsedUp) {
  for (const int forfeits : {0, 1}) {
    EXPECT_THAT(BlockProblem(WithResult(TimedOutInBlock(forfeits, Ending::kVoid))),
                HasSubstr("the match ends before the game is over"));
  }
}

// --- A seat that resigns before it is asked ---

TEST(BlockVerifier, LetsASeatResignWhoseRollWasWithheld) {
  SampleOptions options;
  options.rotation = 0;
  options.resign_unasked_after = 6;
  const Replay replay = PlaySample(options);
  const auto* const forfeit = RecordBeforeEnd<Forfeited>(replay);
  ASSERT_NE(forfeit, nullptr);
  EXPECT_EQ(forfeit->number, 7u);
  EXPECT_FALSE(forfeit->timing);
  EXPECT_EQ(BlockProblem(replay), "");
  EXPECT_THAT(BlockProblem(WithoutBlock(replay)),
              HasSubstr("turn 7: forfeit of seat b: nothing says where its time went"));
}

}  // namespace
}  // namespace referee::replay
