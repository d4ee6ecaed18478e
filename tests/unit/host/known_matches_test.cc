#include "referee/host/known_matches.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/counting_game.h"
#include "tests/support/match_id.h"

namespace referee::host {
namespace {

using ::referee::testing::NumberedId;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pointee;
using ::testing::Property;

class KnownMatchesTest : public ::testing::Test {
 protected:
  std::shared_ptr<MatchRunner> Match(int number, absl::optional<match::BlockPlace> place = {}) {
    match::Setup setup;
    setup.id = NumberedId(number);
    setup.game = referee::testing::NewCountingGame({});
    setup.bots = {"ada", "bob"};
    setup.block = place;
    return std::make_shared<MatchRunner>(setup, match::Ended(), 1, nullptr);
  }
  void Add(int number, absl::string_view request_id = "") { known_.Add(Match(number), request_id); }
  std::shared_ptr<MatchRunner> AddOfBlock(int number, int rotation, absl::string_view request_id) {
    const uint8_t random[10] = {7};
    const BlockId block = BlockId::Make(absl::FromUnixSeconds(1'700'000'000), random);
    auto match = Match(number, match::BlockPlace{block, rotation});
    known_.Add(match, request_id);
    return match;
  }

  KnownMatches known_{2};
};

TEST_F(KnownMatchesTest, AreFoundByIdAndByTheCallThatMadeThem) {
  Add(1, "monday");
  Add(2);
  EXPECT_EQ(known_.Find(NumberedId(1))->id(), NumberedId(1));
  EXPECT_EQ(known_.MadeBy("monday")->id(), NumberedId(1));
  EXPECT_EQ(known_.MadeBy(""), nullptr);
  EXPECT_EQ(known_.Find(NumberedId(3)), nullptr);
}

TEST_F(KnownMatchesTest, ThatAreOverAreForgottenTheFirstFirst) {
  for (int i = 1; i <= 4; ++i) Add(i, i == 1 ? "monday" : "");
  for (const int over : {3, 1}) known_.Remember(NumberedId(over));
  EXPECT_NE(known_.Find(NumberedId(3)), nullptr);
  known_.Remember(NumberedId(2));
  EXPECT_EQ(known_.Find(NumberedId(3)), nullptr);
  EXPECT_NE(known_.MadeBy("monday"), nullptr);
  known_.Remember(NumberedId(4));
  EXPECT_EQ(known_.MadeBy("monday"), nullptr) << "forgotten with its match";
}

TEST_F(KnownMatchesTest, ABlockIsKnownToItsCallOnceItIsWhole) {
  AddOfBlock(1, 0, "monday");
  EXPECT_EQ(known_.MadeBy("monday"), nullptr);
  const auto second = AddOfBlock(2, 1, "monday");
  EXPECT_EQ(known_.MadeBy("monday")->id(), NumberedId(1));
  EXPECT_THAT(known_.BlockOf(*second), ElementsAre(NumberedId(1), NumberedId(2)));
}

TEST_F(KnownMatchesTest, ABlockIsKnownAsLongAsOneOfItsMatchesIs) {
  AddOfBlock(1, 0, "");
  const auto second = AddOfBlock(2, 1, "");
  Add(3);
  Add(4);
  for (const int over : {1, 3, 4}) known_.Remember(NumberedId(over));
  EXPECT_EQ(known_.Find(NumberedId(1)), nullptr);
  EXPECT_THAT(known_.BlockOf(*second), ElementsAre(NumberedId(1), NumberedId(2)));
}

TEST_F(KnownMatchesTest, AreListedNewestFirst) {
  for (const int number : {2, 1, 3}) Add(number);
  const auto is = [](int number) {
    return Pointee(Property(&MatchRunner::id, NumberedId(number)));
  };
  EXPECT_THAT(known_.List(MatchId(), 2), ElementsAre(is(3), is(2)));
  EXPECT_THAT(known_.List(NumberedId(2), 2), ElementsAre(is(1)));
  EXPECT_THAT(known_.List(NumberedId(1), 2), IsEmpty());
}

}  // namespace
}  // namespace referee::host
