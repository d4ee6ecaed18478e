// Tests of which match begins next, without a host: names and numbers.
#include "referee/host/seating.h"

#include <algorithm>
#include <map>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/match_id.h"

namespace referee::host {
namespace {

using ::referee::testing::NumberedId;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Bots with so many free slots, taken by what is seated.
class SeatingQueue : public ::testing::Test {
 protected:
  void Wait(int number, std::vector<std::string> bots, int matches = 1,
            absl::Duration limit = absl::Minutes(1)) {
    parties_[NumberedId(number)] = {NumberedId(number), "go", std::move(bots), matches};
    seating_.Wait(parties_[NumberedId(number)], now_ + limit);
  }
  Seating::Begin Begin() {
    return [this](const Seating::Waiting& seated) {
      const Seating::Party& party = seated.party;
      for (const std::string& bot : party.bots) free_[bot] -= party.matches;
      begun_.push_back(party.id);
    };
  }

  const Instant now_ = Instant::FromNanos(1'000'000'000);
  std::map<std::string, int> free_;
  std::map<MatchId, Seating::Party> parties_;
  std::vector<MatchId> begun_;
  std::map<std::string, bool> away_;
  Seating seating_{3, [this](const std::string& bot, const std::string& game, int) {
                     if (game != "go" || away_[bot]) return Seating::Slots{};
                     return Seating::Slots{free_[bot], true};
                   }};
};

TEST_F(SeatingQueue, BeginsAMatchWhenTheLastOfItsBotsHasAFreeSlot) {
  Wait(1, {"ada", "bob"});
  free_["ada"] = 1;
  seating_.SeatFor("ada", Begin());
  EXPECT_THAT(begun_, IsEmpty());
  free_["bob"] = 1;
  seating_.SeatFor("bob", Begin());
  EXPECT_THAT(begun_, ElementsAre(NumberedId(1)));
  EXPECT_EQ(seating_.running(), 1);
  seating_.SeatAny(Begin());
  EXPECT_THAT(begun_, ElementsAre(NumberedId(1))) << "it waits no more";
}

TEST_F(SeatingQueue, TakesTheOldestFirstAndPassesOverThoseThatCannotBegin) {
  Wait(1, {"ada", "bob"});
  Wait(2, {"ada", "cid"});
  Wait(3, {"ada", "dan"});
  free_ = {{"ada", 1}, {"cid", 1}, {"dan", 1}};
  seating_.SeatFor("ada", Begin());
  EXPECT_THAT(begun_, ElementsAre(NumberedId(2)));
}

TEST_F(SeatingQueue, BeginsNothingWhileItIsFull) {
  free_ = {{"ada", 9}, {"bob", 9}};
  for (int i = 1; i <= 4; ++i) Wait(i, {"ada", "bob"});
  seating_.SeatAny(Begin());
  EXPECT_THAT(begun_, ElementsAre(NumberedId(1), NumberedId(2), NumberedId(3)));
  EXPECT_TRUE(seating_.full());
  seating_.SeatOne(NumberedId(4), Begin());
  EXPECT_EQ(begun_.size(), 3u);
  seating_.Ended();
  seating_.SeatAny(Begin());
  EXPECT_EQ(begun_.back(), NumberedId(4));
}

TEST_F(SeatingQueue, BeginsABlockAsOneAndBeyondTheLimit) {
  seating_.Began();
  seating_.Began();
  Wait(1, {"ada", "bob"}, 2);
  free_ = {{"ada", 2}, {"bob", 1}};
  seating_.SeatAny(Begin());
  EXPECT_THAT(begun_, IsEmpty()) << "a slot for each of its matches";
  free_["bob"] = 2;
  seating_.SeatAny(Begin());
  EXPECT_THAT(begun_, ElementsAre(NumberedId(1)));
  EXPECT_EQ(seating_.running(), 4);
}

TEST_F(SeatingQueue, GivesUpThoseThatHaveWaitedForTooLong) {
  EXPECT_EQ(seating_.first_limit(), Instant::InfiniteFuture());
  Wait(1, {"ada", "bob"}, 1, absl::Seconds(10));
  Wait(2, {"ada", "bob"}, 1, absl::Seconds(20));
  EXPECT_EQ(seating_.first_limit(), now_ + absl::Seconds(10));
  EXPECT_THAT(seating_.GiveUpLate(now_ + absl::Seconds(10)), ElementsAre(NumberedId(1)));
  EXPECT_EQ(seating_.first_limit(), now_ + absl::Seconds(20));
  Wait(3, {"ada", "bob"});
  EXPECT_THAT(seating_.GiveUpAll(), ElementsAre(NumberedId(2), NumberedId(3)));
  free_ = {{"ada", 9}, {"bob", 9}};
  seating_.SeatAny(Begin());
  EXPECT_THAT(begun_, IsEmpty());
}

TEST_F(SeatingQueue, DoesNotBeginWhatWasRemoved) {
  Wait(1, {"ada", "bob"});
  seating_.Remove(NumberedId(1));
  seating_.Remove(NumberedId(1));
  free_ = {{"ada", 1}, {"bob", 1}};
  seating_.SeatFor("ada", Begin());
  EXPECT_THAT(begun_, IsEmpty());
}

// Ada has four slots. Two blocks of two matches with her go on at any time, never in step.
class OverlappingBlocks : public SeatingQueue {
 protected:
  void SetUp() override {
    seating_.SetMaxRunning(100);
    free_ = {{"ada", 4}, {"bob", 100}, {"cid", 4}};
    Come();
    Come();
  }
  void Come() {
    Wait(next_++, {"ada", "bob"}, 2);
    seating_.SeatFor("ada", Begin());
  }
  // The block that has been played for longest ends, and another small one comes.
  void GoOn() {
    if (begun_.size() > ended_) End(parties_.at(begun_[ended_++]));
    Come();
  }
  void End(const Seating::Party& party) {
    for (const std::string& bot : party.bots) free_[bot] += party.matches;
    for (int i = 0; i < party.matches; ++i) seating_.Ended();
  }
  bool HasBegun(int number) const {
    return std::count(begun_.begin(), begun_.end(), NumberedId(number)) > 0;
  }

  int next_ = 10;
  size_t ended_ = 0;  // of begun_, in their order
};

TEST_F(OverlappingBlocks, LetABlockThatNeedsAllSlotsOfABotBeginInTheEnd) {
  const int large = next_++;
  Wait(large, {"ada", "cid"}, 4);
  const size_t before = begun_.size();
  for (int i = 0; i < 100 && !HasBegun(large); ++i) GoOn();
  EXPECT_TRUE(HasBegun(large));
  EXPECT_EQ(begun_.size(), before + Seating::kMostOvertakes + 1) << "16 small ones, and it";
}

TEST_F(OverlappingBlocks, OvertakeOneThatWaitsForABotThatIsNotThere) {
  away_["cid"] = true;
  Wait(next_++, {"ada", "cid"}, 4);
  for (int i = 0; i < 50; ++i) GoOn();
  EXPECT_GE(begun_.size(), 50u);
  EXPECT_EQ(seating_.kept("ada"), 0);
}

TEST_F(OverlappingBlocks, GoOnWhenOneForWhichTheirBotsAreKeptLosesABot) {
  Wait(next_++, {"ada", "cid"}, 4);
  free_["cid"] = 0;  // busy elsewhere
  for (int i = 0; i < Seating::kMostOvertakes + 10; ++i) GoOn();
  const size_t begun = begun_.size();
  EXPECT_EQ(seating_.kept("ada"), 4);
  EXPECT_EQ(free_["ada"], 4) << "what was begun before is over";
  GoOn();
  EXPECT_EQ(begun_.size(), begun);
  away_["cid"] = true;
  seating_.SeatFor("cid", Begin());
  EXPECT_GT(begun_.size(), begun) << "nothing else tells ada's others that they may begin";
}

TEST_F(OverlappingBlocks, KeepNoMoreSlotsOfABotThanItsOldestNeeds) {
  free_["ada"] = 2;  // six in all
  Wait(next_++, {"ada", "cid"}, 4);
  Wait(next_++, {"ada", "cid"}, 4);
  free_["cid"] = 0;
  for (int i = 0; i < 40; ++i) GoOn();
  EXPECT_EQ(seating_.kept("ada"), 4);
  const size_t before = begun_.size();
  for (int i = 0; i < 40; ++i) GoOn();
  EXPECT_GE(begun_.size(), before + 20) << "two slots are left for small ones";
}

TEST_F(SeatingQueue, BeginsNothingOfAGameThatIsHeldBack) {
  Wait(1, {"ada", "bob"});
  free_["ada"] = free_["bob"] = 1;
  seating_.HoldBackGame("go", "a rule is wrong");
  seating_.SeatAny(Begin());
  EXPECT_THAT(begun_, IsEmpty());
  seating_.HoldBackGame("go", "");
  seating_.SeatAny(Begin());
  EXPECT_THAT(begun_, ElementsAre(NumberedId(1)));
}

}  // namespace
}  // namespace referee::host
