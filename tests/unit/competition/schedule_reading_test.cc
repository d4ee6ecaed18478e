// Tests that a ladder that is loaded from the store knows which bots have met.
#include "referee/competition/schedule_reading.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/leased.h"
#include "tests/support/memory_store.h"

namespace referee::competition {
namespace {

using rating::Pairing;

constexpr char kOwner[] = "referee";

class LadderReading : public ::testing::Test {
 protected:
  void Start(int bots, int seats) {
    store::Competition row;
    row.id = store::CompetitionId("cup");
    row.spec.name = "cup";
    row.spec.format = schedule::Format::kLadder;
    row.spec.seats = seats;
    for (int bot = 0; bot < bots; ++bot) row.spec.entrants.push_back(std::to_string(bot));
    ASSERT_TRUE(store_.CreateCompetition(row, absl::nullopt).ok());
    using State = store::CompetitionState;
    ASSERT_TRUE(store_.SetState(row.id, State::kNew, State::kRunning, {}, absl::nullopt).ok());
  }

  void Begin(std::vector<int> bots) {
    const store::Competition row = Row();
    Apply(store::BeginBlock{row.id, row.version, row.next_block, {std::move(bots)}, {}});
  }
  void DropLast(store::BlockState state = store::BlockState::kDropped) {
    Apply(store::DropBlock{Row().id, Row().next_block - 1, 0, {}, state});
  }
  // Counts all that is over, with ten blocks of these two.
  void CountTenOf(int low, int high) {
    const store::Competition row = Row();
    store::PairTotal total{low, high, {}, 0};
    total.blocks[2] = 10;
    Apply(store::CountBlocks{row.id, row.version, row.counted, row.next_block, {}, {total}});
  }

  // Whom the first bot meets next if all are free and equal.
  std::vector<int> NextOfEquals() {
    const store::Competition row = Row();
    std::vector<store::Entrant> equals(row.spec.entrants.size());
    for (size_t i = 0; i < equals.size(); ++i) equals[i].number = static_cast<int>(i);
    std::vector<int64_t> taken;
    const auto ladder = ReadSchedule(
        &store_, row, equals, [&](const store::Block& block) { taken.push_back(block.number); });
    EXPECT_TRUE(ladder.ok()) << ladder.status();
    EXPECT_EQ(taken.size(), static_cast<size_t>(row.next_block - row.counted));
    return (*ladder)->Next(std::vector<bool>(equals.size(), true), Instant())->bots;
  }

 private:
  store::Competition Row() { return store_.GetCompetition(store::CompetitionId("cup")).value(); }
  void Apply(const store::Change& change) {
    ASSERT_EQ(testing::ApplyAs(&store_, kOwner, {change}), absl::OkStatus());
  }

  test::MemoryStore store_;
};

TEST_F(LadderReading, KnowsWhoHasMetInBlocksThatAreNotCounted) {
  Start(4, 2);
  EXPECT_EQ(NextOfEquals(), (std::vector<int>{0, 1}));
  Begin({0, 1});
  Begin({2, 0});
  EXPECT_EQ(NextOfEquals(), (std::vector<int>{0, 3}));
}

TEST_F(LadderReading, KnowsWhoHasMetInBlocksThatAreCounted) {
  Start(4, 2);
  Begin({2, 3});
  DropLast();
  CountTenOf(0, 1);
  EXPECT_EQ(NextOfEquals(), (std::vector<int>{0, 2}));
}

TEST_F(LadderReading, DoesNotTakeABlockThatWasDroppedForAMeeting) {
  Start(4, 2);
  Begin({0, 1});
  DropLast();
  EXPECT_EQ(NextOfEquals(), (std::vector<int>{0, 1}));
}

TEST_F(LadderReading, DoesNotTakeABlockThatIsVoidForAMeeting) {
  Start(6, 3);
  Begin({0, 1, 2});
  DropLast(store::BlockState::kVoid);
  EXPECT_EQ(NextOfEquals(), (std::vector<int>{0, 1, 2}));
}

TEST_F(LadderReading, KnowsWhoHasMetOfMoreSeats) {
  Start(5, 3);
  EXPECT_EQ(NextOfEquals(), (std::vector<int>{0, 1, 2}));
  Begin({0, 1, 2});
  EXPECT_EQ(NextOfEquals(), (std::vector<int>{0, 3, 4}));
}

}  // namespace
}  // namespace referee::competition
