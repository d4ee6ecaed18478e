// Which match begins next, without a host: names and numbers.
#include "referee/host/seating.h"

#include <map>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace referee::host {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The number-th match that was made.
MatchId PartyId(int number) {
  const uint8_t random[10] = {};
  return MatchId::Make(absl::FromUnixSeconds(1'700'000'000 + number), random);
}

// Bots with so many free slots, taken by what is seated.
class SeatingQueue : public ::testing::Test {
 protected:
  void Wait(int number, std::vector<std::string> bots, int matches = 1,
            absl::Duration limit = absl::Minutes(1)) {
    parties_[PartyId(number)] = {PartyId(number), "go", std::move(bots), matches};
    seating_.Wait(parties_[PartyId(number)], now_ + limit);
  }
  Seating::Begin Begin() {
    return [this](const MatchId& id) {
      const Seating::Party& party = parties_.at(id);
      for (const std::string& bot : party.bots) free_[bot] -= party.matches;
      begun_.push_back(id);
    };
  }

  const Instant now_ = Instant::FromNanos(1'000'000'000);
  std::map<std::string, int> free_;
  std::map<MatchId, Seating::Party> parties_;
  std::vector<MatchId> begun_;
  Seating seating_{3, [this](const std::string& bot, const std::string& game, int) {
                     return game == "go" ? free_[bot] : 0;
                   }};
};

TEST_F(SeatingQueue, BeginsAMatchWhenTheLastOfItsBotsHasAFreeSlot) {
  Wait(1, {"ada", "bob"});
  free_["ada"] = 1;
  seating_.SeatFor("ada", Begin());
  EXPECT_THAT(begun_, IsEmpty());
  free_["bob"] = 1;
  seating_.SeatFor("bob", Begin());
  EXPECT_THAT(begun_, ElementsAre(PartyId(1)));
  EXPECT_EQ(seating_.running(), 1);
  seating_.SeatAny(Begin());
  EXPECT_THAT(begun_, ElementsAre(PartyId(1))) << "it waits no more";
}

TEST_F(SeatingQueue, TakesTheOldestFirstAndPassesOverThoseThatCannotBegin) {
  Wait(1, {"ada", "bob"});
  Wait(2, {"ada", "cid"});
  Wait(3, {"ada", "dan"});
  free_ = {{"ada", 1}, {"cid", 1}, {"dan", 1}};
  seating_.SeatFor("ada", Begin());
  EXPECT_THAT(begun_, ElementsAre(PartyId(2)));
}

TEST_F(SeatingQueue, BeginsNothingWhileItIsFull) {
  free_ = {{"ada", 9}, {"bob", 9}};
  for (int i = 1; i <= 4; ++i) Wait(i, {"ada", "bob"});
  seating_.SeatAny(Begin());
  EXPECT_THAT(begun_, ElementsAre(PartyId(1), PartyId(2), PartyId(3)));
  EXPECT_TRUE(seating_.full());
  seating_.SeatOne(PartyId(4), Begin());
  EXPECT_EQ(begun_.size(), 3u);
  seating_.Ended();
  seating_.SeatAny(Begin());
  EXPECT_EQ(begun_.back(), PartyId(4));
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
  EXPECT_THAT(begun_, ElementsAre(PartyId(1)));
  EXPECT_EQ(seating_.running(), 4);
}

TEST_F(SeatingQueue, GivesUpThoseThatHaveWaitedForTooLong) {
  EXPECT_EQ(seating_.first_limit(), Instant::InfiniteFuture());
  Wait(1, {"ada", "bob"}, 1, absl::Seconds(10));
  Wait(2, {"ada", "bob"}, 1, absl::Seconds(20));
  EXPECT_EQ(seating_.first_limit(), now_ + absl::Seconds(10));
  EXPECT_THAT(seating_.GiveUpLate(now_ + absl::Seconds(10)), ElementsAre(PartyId(1)));
  EXPECT_EQ(seating_.first_limit(), now_ + absl::Seconds(20));
  Wait(3, {"ada", "bob"});
  EXPECT_THAT(seating_.GiveUpAll(), ElementsAre(PartyId(2), PartyId(3)));
  free_ = {{"ada", 9}, {"bob", 9}};
  seating_.SeatAny(Begin());
  EXPECT_THAT(begun_, IsEmpty());
}

TEST_F(SeatingQueue, DoesNotBeginWhatWasRemoved) {
  Wait(1, {"ada", "bob"});
  seating_.Remove(PartyId(1));
  seating_.Remove(PartyId(1));
  free_ = {{"ada", 1}, {"bob", 1}};
  seating_.SeatFor("ada", Begin());
  EXPECT_THAT(begun_, IsEmpty());
}

}  // namespace
}  // namespace referee::host
