// Tests of blocks in a host: created, seated and ended as one.
#include "referee/host/block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/host/host_fixture.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<MatchId> CreateBlock(HostFixture* hall, std::vector<std::string> bots,
                                 absl::string_view request_id = "") {
  host::BlockRequest request;
  request.match = hall->Request(std::move(bots));
  return hall->host->CreateBlock(request, request_id).value();
}

TEST(HostBlock, HasAMatchForEachRotationWithOneSeed) {
  HostFixture hall;
  const std::vector<MatchId> ids = CreateBlock(&hall, {"ada", "bob", "cyd"});
  ASSERT_EQ(ids.size(), 3u);
  const auto& all = hall.recorder.matches();
  EXPECT_THAT(all.at(ids[1].text()).setup.bots, ElementsAre("bob", "cyd", "ada"));
  EXPECT_THAT(all.at(ids[2].text()).setup.bots, ElementsAre("cyd", "ada", "bob"));
  for (int rotation = 0; rotation < 3; ++rotation) {
    const MemoryRecorder::Match& match = all.at(ids[static_cast<size_t>(rotation)].text());
    EXPECT_EQ(match.seed, all.at(ids[0].text()).seed);
    EXPECT_EQ(match.setup.commitment, all.at(ids[0].text()).setup.commitment);
    EXPECT_EQ(match.setup.block->block, all.at(ids[0].text()).setup.block->block);
    EXPECT_EQ(match.setup.block->rotation, rotation);
  }
}

TEST(HostBlock, WaitsUntilEveryBotHasAPlaceForEachMatch) {
  HostFixture hall;
  hall.Come("ada", 2);
  const HostFixture::Guest bob = hall.Come("bob", 3);
  const MatchId other = hall.Create({"bob", "cyd"});
  hall.Create({"bob", "cyd"});
  hall.Come("cyd", 2);
  CreateBlock(&hall, {"ada", "bob"});
  EXPECT_EQ(hall.host->running(), 2);
  ASSERT_TRUE(hall.host->Cancel(other, "").ok());
  EXPECT_EQ(hall.host->running(), 3);
}

TEST(HostBlock, IsRefusedWhenABotTakesTooFewMatches) {
  HostFixture hall;
  hall.Come("ada", 2);
  hall.Come("bob", 1);
  host::BlockRequest request;
  request.match = hall.Request({"ada", "bob"});
  const absl::Status status = hall.host->CreateBlock(request, "").status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(status.message(), HasSubstr("'bob' takes 1 match at once; the block has 2"));
  EXPECT_TRUE(hall.recorder.matches().empty());
}

TEST(HostBlock, ThatIsPlayedApartIsPlayedByBotsThatPlayOneMatchAtATime) {
  HostFixture hall(100, nullptr, /*blocks_apart=*/true);
  hall.Come("ada", 1);
  hall.Come("bob", 1);
  const host::HostQuestion question = {{"ada", "bob"}, "countdown", 2, {}};
  EXPECT_EQ(hall.host->Look(question).bots[0].unable, "");
  EXPECT_EQ(hall.host->Look(question).bots[0].free_slots, 2) << "enough for a block";
  const std::vector<MatchId> ids = CreateBlock(&hall, {"ada", "bob"}, "monday");
  EXPECT_EQ(CreateBlock(&hall, {"ada", "bob"}, "monday"), ids);
  EXPECT_EQ(hall.host->running(), 1);
  EXPECT_EQ(hall.host->Look(question).bots[0].free_slots, 0);
  EXPECT_EQ(hall.host->Look(question).running, 2) << "the other is made, too";
  const auto& all = hall.recorder.matches();
  EXPECT_EQ(all.at(ids[0].text()).seed, all.at(ids[1].text()).seed);
  EXPECT_THAT(all.at(ids[1].text()).setup.bots, ElementsAre("bob", "ada"));
  ASSERT_TRUE(hall.host->Cancel(ids[0], "enough").ok());
  EXPECT_FALSE(hall.EndOf(ids[1]).has_value()) << "it takes no notice of the end of the first";
  EXPECT_EQ(hall.host->running(), 1);
}

TEST(HostBlock, CallIsRepeatedAsAWhole) {
  HostFixture hall;
  const std::vector<MatchId> ids = CreateBlock(&hall, {"ada", "bob"}, "monday");
  EXPECT_EQ(CreateBlock(&hall, {"ada", "bob"}, "monday"), ids);
  EXPECT_EQ(hall.recorder.matches().size(), 2u);
  host::BlockRequest other;
  other.match = hall.Request({"bob", "ada"});
  EXPECT_TRUE(absl::IsAlreadyExists(hall.host->CreateBlock(other, "monday").status()));
  EXPECT_TRUE(
      absl::IsAlreadyExists(hall.host->Create(hall.Request({"ada", "bob"}), "monday").status()));
}

TEST(HostBlock, OneThatIsCancelledMakesTheOthersVoid) {
  HostFixture hall;
  hall.Come("ada", 2);
  hall.Come("bob", 2);
  const std::vector<MatchId> ids = CreateBlock(&hall, {"ada", "bob"});
  ASSERT_TRUE(hall.host->Cancel(ids[1], "enough").ok());
  EXPECT_EQ(hall.EndOf(ids[1])->ending, match::Ending::kCancelled);
  EXPECT_EQ(hall.EndOf(ids[0])->ending, match::Ending::kVoid);
  EXPECT_THAT(hall.EndOf(ids[0])->reason, HasSubstr("of the same block has no result"));
  EXPECT_EQ(hall.host->running(), 0);
}

TEST(HostBlock, EndsAtOnceWhenABotResignsInAllOfItBeforeTheOtherIsReady) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada", 2);
  hall.Come("bob", 2);
  const std::vector<MatchId> ids = CreateBlock(&hall, {"ada", "bob"});
  hall.Post(ids[0], ada, match::Resigned());
  EXPECT_FALSE(hall.EndOf(ids[0]).has_value());
  hall.Post(ids[1], ada, match::Resigned());
  EXPECT_THAT(hall.EndOf(ids[0])->ranks, ElementsAre(2, 1));
  EXPECT_THAT(hall.EndOf(ids[1])->ranks, ElementsAre(1, 2));
  EXPECT_EQ(hall.host->running(), 0);
}

TEST(HostBlock, GoesOnWithTheNoncesOfThoseWhoStayWhenABotResignsInRotation0) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada", 2);
  const HostFixture::Guest bob = hall.Come("bob", 2);
  const std::vector<MatchId> ids = CreateBlock(&hall, {"ada", "bob"});
  hall.Post(ids[0], ada, match::Resigned());
  hall.Ready(ids[1], ada);
  hall.Ready(ids[1], bob);
  hall.Ready(ids[0], bob);
  for (const uint32_t turn : {1u, 2u, 3u, 4u, 5u, 6u}) {
    hall.Reply(ids[1], turn % 2 == 1 ? bob : ada, turn);
  }
  EXPECT_EQ(hall.EndOf(ids[1])->ending, match::Ending::kFinished);
  EXPECT_EQ(hall.EndOf(ids[0])->ending, match::Ending::kFinished);
  EXPECT_THAT(hall.EndOf(ids[0])->ranks, ElementsAre(2, 1));
}

// A block of three, begun, in which the game of rotation 0 is over.
struct HalfDecidedBlock {
  HalfDecidedBlock() {
    std::vector<HostFixture::Guest> guests;
    for (const char* name : {"ada", "bob", "cid"}) guests.push_back(hall.Come(name, 3));
    host::BlockRequest request;
    request.match = hall.Request({"ada", "bob", "cid"}, /*target=*/1);  // over with the first move
    ids = hall.host->CreateBlock(request, "").value();
    for (const MatchId& id : ids) {
      for (const HostFixture::Guest& guest : guests) hall.Ready(id, guest);
    }
    hall.Reply(ids[0], guests[0], 1);
  }
  HostFixture hall;
  std::vector<MatchId> ids;
};

TEST(HostBlock, WhatIsDecidedStaysDecidedWhenAnotherMatchEndsWithoutAResult) {
  HalfDecidedBlock block;
  EXPECT_FALSE(block.hall.EndOf(block.ids[0]).has_value());
  ASSERT_TRUE(block.hall.host->Cancel(block.ids[1], "enough").ok());
  EXPECT_EQ(block.hall.EndOf(block.ids[0])->ending, match::Ending::kFinished);
  EXPECT_THAT(block.hall.EndOf(block.ids[0])->ranks, ElementsAre(1, 2, 2));
  EXPECT_EQ(block.hall.EndOf(block.ids[1])->ending, match::Ending::kCancelled);
  EXPECT_EQ(block.hall.EndOf(block.ids[2])->ending, match::Ending::kVoid);
}

TEST(HostBlock, WhatIsDecidedCannotBeCancelledAndTheSeedThatItRevealsEndsTheOthers) {
  HalfDecidedBlock block;
  ASSERT_TRUE(block.hall.host->Cancel(block.ids[0], "enough").ok());
  EXPECT_EQ(block.hall.EndOf(block.ids[0])->ending, match::Ending::kFinished);
  for (const MatchId& other : {block.ids[1], block.ids[2]}) {
    EXPECT_EQ(block.hall.EndOf(other)->ending, match::Ending::kVoid);
    EXPECT_THAT(block.hall.EndOf(other)->reason, HasSubstr("was stopped before the others"));
  }
}

// While a match is looked at it handles nothing, so that it ends later than it is told to.
TEST(HostBlock, WhatIsDecidedEndsOnceTheOthersHaveEndedAndNotBefore) {
  HalfDecidedBlock block;
  block.hall.host->Find(block.ids[1])->Inspect([&](const host::MatchRunner&) {
    ASSERT_TRUE(block.hall.host->Cancel(block.ids[2], "enough").ok());
    EXPECT_TRUE(block.hall.EndOf(block.ids[2]).has_value());
    EXPECT_FALSE(block.hall.EndOf(block.ids[0]).has_value());
  });
  EXPECT_EQ(block.hall.EndOf(block.ids[1])->ending, match::Ending::kVoid);
  EXPECT_EQ(block.hall.EndOf(block.ids[0])->ending, match::Ending::kFinished);
}

TEST(HostBlock, WhatIsDecidedAndCancelledEndsOnceTheOthersHaveEndedAndNotBefore) {
  HalfDecidedBlock block;
  block.hall.host->Find(block.ids[1])->Inspect([&](const host::MatchRunner&) {
    ASSERT_TRUE(block.hall.host->Cancel(block.ids[0], "enough").ok());
    EXPECT_FALSE(block.hall.EndOf(block.ids[0]).has_value());
  });
  EXPECT_EQ(block.hall.EndOf(block.ids[1])->ending, match::Ending::kVoid);
  EXPECT_EQ(block.hall.EndOf(block.ids[0])->ending, match::Ending::kFinished);
}

TEST(HostBlock, OneThatIsCancelledWhileTheyWaitStopsTheOthersToo) {
  HostFixture hall;
  const std::vector<MatchId> ids = CreateBlock(&hall, {"ada", "bob"});
  ASSERT_TRUE(hall.host->Cancel(ids[1], "").ok());
  EXPECT_TRUE(hall.EndOf(ids[0]).has_value());
  hall.Come("ada", 2);
  hall.Come("bob", 2);
  EXPECT_EQ(hall.host->running(), 0);
}

TEST(HostBlock, IsNotMadeWhenOneOfItsMatchesCannotBeRecorded) {
  HostFixture hall;
  hall.recorder.open_limit = 1;
  host::BlockRequest request;
  request.match = hall.Request({"ada", "bob"});
  EXPECT_TRUE(absl::IsResourceExhausted(hall.host->CreateBlock(request, "monday").status()));
  ASSERT_EQ(hall.recorder.matches().size(), 1u);
  const MemoryRecorder::Match& left = hall.recorder.matches().begin()->second;
  EXPECT_EQ(std::get<match::Ended>(left.records.back()).ending, match::Ending::kVoid);
  EXPECT_TRUE(left.sealed);
  hall.recorder.open_limit = 100;
  EXPECT_EQ(hall.host->CreateBlock(request, "monday")->size(), 2u);
}

}  // namespace
}  // namespace referee::testing
