// Tests that an audit explains or reports each replay that belongs to no played block of the store.
#include "referee/store/stray_replays.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/summary.h"
#include "referee/store/removal.h"
#include "tests/unit/store/audited.h"

namespace referee::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class StrayReplaysTest : public Audited {};

TEST_F(StrayReplaysTest, ListsABlockThatNoCompetitionHas) {
  Make();
  for (const int rotation : {0, 1}) {
    const replay::Replay replay = PlayMatch(7, rotation, {0, 1});
    Archive(replay, replay.setup.id);
  }
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("which no competition of the store has"),
                                      HasSubstr("which no competition of the store has")));
}

TEST_F(StrayReplaysTest, LetsABlockBeThatWasVoid) {
  Make();
  for (const int rotation : {0, 1}) {
    replay::Replay replay = PlayMatch(7, rotation, {0, 1});
    if (rotation == 1) {
      replay::SampleOptions cancelled;
      cancelled.cancel_at = 3;
      const match::Setup setup = replay.setup;
      replay = replay::PlaySample(cancelled);
      replay.setup.id = setup.id;
      replay.setup.block = setup.block;
    }
    Archive(replay, replay.setup.id);
  }
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_EQ(report_.void_replays, 2);
}

TEST_F(StrayReplaysTest, LetsAnAttemptBeThatWasPlayedByWhoeverHadLostItBeforeItsMatchesWereNamed) {
  Make();
  const Competition competition = store_->GetCompetition(id_).value();
  const absl::Time time = competition.create_time;
  RetryBlock retry{id_, 3, 0};
  retry.failed = LeftAttempt(0, time);
  ASSERT_TRUE(
      Apply(store_.get(), {BeginBlock{id_, competition.version, 3, {{0, 1}}, time}, retry}).ok());
  const auto archive = [&](int rotation, int attempt) {
    replay::Replay replay = PlayMatch(3, rotation, {0, 1});
    replay.setup.request_id = replay::BlockRequestId(id_.text(), 3, attempt);
    Archive(replay, replay.setup.id);
  };
  archive(0, 0);
  archive(1, 0);
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_EQ(report_.void_replays, 2);
}

TEST_F(StrayReplaysTest, ListsAnAttemptThatNobodyHasLost) {
  Make();
  replay::Replay replay = PlayMatch(2, 0, {1, 2});
  replay.setup.id = NumberedMatch(60);
  replay.setup.block = {BlockId::Parse(NumberedBlock(60)).value(), 0};
  replay.setup.request_id = replay::BlockRequestId(id_.text(), 2, 1);
  Archive(replay, replay.setup.id);
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("which no competition of the store has")));
}

TEST_F(StrayReplaysTest, LetsABlockBeThatIsBeingPlayed) {
  Make();
  const Competition competition = store_->GetCompetition(id_).value();
  ASSERT_TRUE(
      Apply(store_.get(),
            {BeginBlock{id_, competition.version, 3, {{0, 1}}, competition.create_time},
             NameMatches{id_, 3, 0, NumberedBlock(3), {NumberedMatch(6), NumberedMatch(7)}}})
          .ok());
  const replay::Replay replay = PlayMatch(3, 0, {0, 1});
  Archive(replay, replay.setup.id);
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_EQ(report_.running_replays, 1);
  EXPECT_EQ(report_.other_replays, 0);
}

TEST_F(StrayReplaysTest, LetsBlocksBeOfACompetitionThatWasRemovedButNoMoreThanItHad) {
  Make();
  for (const CompetitionState to : {CompetitionState::kFinishing, CompetitionState::kFinished}) {
    const CompetitionState from = store_->GetCompetition(id_)->state;
    ASSERT_TRUE(store_->SetState(id_, from, to, absl::UnixEpoch(), absl::nullopt).ok());
  }
  Competition competition = store_->GetCompetition(id_).value();
  competition.create_time = absl::UnixEpoch();
  AuditEntry removal;
  removal.time = absl::FromUnixSeconds(4'000'000'000);
  removal.action = std::string(kRemoveCompetition);
  removal.detail = RemovalDetail(competition);
  ASSERT_TRUE(store_->RemoveCompetition(id_, removal).ok());
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_EQ(report_.removed_replays, 6);

  const replay::Replay other = PlayMatch(7, 0, {0, 1});
  Archive(other, other.setup.id);
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("which no competition of the store has")));
}

TEST_F(StrayReplaysTest, VerifiesMatchesThatAreInNoBlock) {
  Make();
  replay::Replay replay = PlayMatch(50, 0, {0, 1});
  replay.setup.block.reset();
  Archive(replay, replay.setup.id);
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_EQ(report_.other_replays, 1);
  WriteFile(replay.setup.id, "no replay");
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr(replay.setup.id.text())));
}

}  // namespace
}  // namespace referee::store
