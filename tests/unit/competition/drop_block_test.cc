// Tests of blocks that an organiser drops.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/competition/competition_fixture.h"

namespace referee::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<Player> Pair() {
  std::vector<Player> players(2);
  players[0].name = "ada";
  players[0].thinks = absl::Milliseconds(100);
  players[1].name = "bob";
  return players;
}

// Two blocks of ada and bob, one after the other.
schedule::Spec Cup() {
  schedule::Spec spec = CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, {"ada", "bob"});
  spec.rounds = 2;
  spec.max_running = 1;
  return spec;
}

// Runs until the matches of block 0 are on record. Returns whether they are.
bool RunUntilNamed(CompetitionFixture* contest) {
  return contest->RunUntil([contest] {
    const std::vector<store::Block> blocks = contest->blocks();
    return !blocks.empty() && !blocks[0].matches.empty();
  });
}

std::string Refusal(CompetitionFixture* contest, int64_t number, const std::string& reason = "x") {
  return std::string(
      contest->competitions().DropBlock("cup", number, reason, "olga").status().message());
}

TEST(DropBlock, EndsItsMatchesCountsForNobodyAndLeavesTheOthersAlone) {
  CompetitionFixture contest(Pair());
  contest.Boot();
  contest.Start(Cup());
  ASSERT_TRUE(RunUntilNamed(&contest));
  const MatchId match = contest.blocks()[0].matches[0].id;
  ASSERT_TRUE(contest.competitions().DropBlock("cup", 0, "a bad start", "olga").ok());
  ASSERT_TRUE(contest.RunToEnd());
  const std::vector<store::Block> blocks = contest.blocks();
  ASSERT_THAT(blocks, SizeIs(2));
  EXPECT_EQ(blocks[0].state, store::BlockState::kVoid);
  EXPECT_EQ(blocks[0].reason, "given up by olga: a bad start");
  const match::Ended& ended = *contest.host().Find(match)->ended();
  EXPECT_EQ(ended.ending, match::Ending::kCancelled);
  EXPECT_EQ(ended.cancelled_by, "olga");
  EXPECT_EQ(blocks[0].attempts.at(0).cancelled_by, "olga");
  EXPECT_EQ(blocks[1].state, store::BlockState::kPlayed);
  EXPECT_EQ(contest.Row().counted, 2);
  EXPECT_EQ(contest.Row().replayed, 0);
  EXPECT_EQ(contest.EntrantOf("ada").tally.blocks, 1);
}

TEST(DropBlock, IsInTheAuditLogWithTheReason) {
  CompetitionFixture contest(Pair());
  contest.Boot();
  contest.Start(Cup());
  ASSERT_TRUE(RunUntilNamed(&contest));
  ASSERT_TRUE(contest.competitions().DropBlock("cup", 0, "a bad start", "olga").ok());
  const store::AuditEntry entry = contest.store().ListAudit(0, 1).value().at(0);
  EXPECT_EQ(entry.who, "olga");
  EXPECT_EQ(entry.action, "competition.drop-block");
  EXPECT_EQ(entry.subject, "cup");
  EXPECT_EQ(entry.detail, "block 0: a bad start");
}

TEST(DropBlock, EndsOneThatWaitsForABotThatIsAway) {
  CompetitionFixture contest(Pair());
  contest.Boot();
  contest.Start(Cup());
  ASSERT_TRUE(RunUntilNamed(&contest));
  contest.Kill();
  contest.Disconnect("bob");
  contest.Boot();
  contest.RunFor(absl::Seconds(5));
  ASSERT_EQ(contest.blocks()[0].state, store::BlockState::kRunning);
  ASSERT_TRUE(contest.competitions().DropBlock("cup", 0, "bob is away", "olga").ok());
  EXPECT_TRUE(contest.RunUntil(
      [&] { return contest.blocks()[0].state == store::BlockState::kVoid; }, absl::Seconds(5)));
}

TEST(DropBlock, IsRefusedWhereNothingIsOpen) {
  CompetitionFixture contest(Pair());
  contest.Boot();
  contest.Start(Cup());
  ASSERT_TRUE(RunUntilNamed(&contest));
  EXPECT_THAT(Refusal(&contest, 7), HasSubstr("block 7: is not open"));
  EXPECT_THAT(Refusal(&contest, 0, ""), HasSubstr("1 to 256 bytes"));
  ASSERT_TRUE(contest.RunToEnd());
  EXPECT_THAT(Refusal(&contest, 0), AllOf(HasSubstr("is FINISHED"), HasSubstr("no block is open")));
}

TEST(DropBlock, IsForTheRefereeThatHasBegunIt) {
  CompetitionFixture first(Pair());
  CompetitionFixture second(Pair(), &first);
  second.owner = "second";
  first.Boot();
  first.Start(Cup());
  ASSERT_TRUE(RunUntilNamed(&first));
  second.Boot();
  second.RunFor(absl::Seconds(1));
  EXPECT_THAT(Refusal(&second, 0), HasSubstr("lives on another referee"));
}

}  // namespace
}  // namespace referee::testing
