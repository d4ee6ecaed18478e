// Tests that an audit of entrants, block times and counts finds impossible states, and only those.
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/change_spec.h"
#include "tests/unit/store/audited.h"

namespace referee::store {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class AuditedEntrants : public Audited {
 protected:
  void SetEntrant(const std::string& bot, const std::string& column, const std::string& value) {
    Sql(absl::StrCat("UPDATE entrant SET ", column, " = ", value, " WHERE name = '", bot, "'"));
  }
  int SilencesOf(int number) {
    return store_->ReadEntrants(id_).value()[static_cast<size_t>(number)].tally.silences;
  }
  void TakeOut(const std::string& bot) {
    ASSERT_TRUE(store_->TakeOut(id_, bot, Presence::kWithdrawn, "left", absl::nullopt).ok());
  }
  void TakeOutAndBack(const std::string& bot) {
    TakeOut(bot);
    ASSERT_TRUE(store_->Join(id_, bot, absl::nullopt).ok());
  }
  // Begins block 3, which is begun again after this attempt.
  void Retry(const Attempt& failed) {
    const Competition competition = store_->GetCompetition(id_).value();
    RetryBlock retry{id_, 3, 0};
    retry.failed = failed;
    ASSERT_TRUE(
        Apply(store_.get(),
              {BeginBlock{id_, competition.version, 3, {{0, 1}}, competition.create_time}, retry})
            .ok());
  }
  // What is found when bob's line says that it had so many silences.
  std::vector<std::string> FindingsWithSilencesOfBob(int silences) {
    SetEntrant("bob", "silences", absl::StrCat(silences));
    return Findings();
  }
};

// --- What is counted ---

TEST_F(AuditedEntrants, HaveEachFigureOfTheirTallyFromTheReplays) {
  Make();
  for (const char* column : {"blocks", "wins", "draws", "losses", "forfeits", "half_points", "mu",
                             "sigma", "silences", "blocks_begun"}) {
    SetEntrant("carol", column, absl::StrCat(column, " + 1"));
    EXPECT_THAT(Findings(), ElementsAre(HasSubstr("spring//: bot 'carol': "))) << column;
    SetEntrant("carol", column, absl::StrCat(column, " - 1"));
  }
  EXPECT_THAT(Findings(), IsEmpty());
}

TEST_F(AuditedEntrants, MayNotBeMissing) {
  Make();
  Sql("PRAGMA foreign_keys = OFF; DELETE FROM entrant WHERE number = 1");
  EXPECT_THAT(Findings(), Contains(HasSubstr("it has no entrant 1, but later ones")));
}

TEST_F(AuditedEntrants, PlayOnlyIfTheyAreThere) {
  Make();
  Sql("UPDATE block SET bots = '1 7' WHERE number = 2");
  EXPECT_THAT(Findings(), Contains(HasSubstr("spring/2/: there is no entrant 7")));
}

// --- Succession ---

TEST_F(AuditedEntrants, BeginWithWhatTheReplaysGaveThoseWhosePlaceTheyTook) {
  Make();
  ASSERT_TRUE(testing::ChangeSpec(store_.get(), id_, [](schedule::Spec* spec) {
                spec->format = schedule::Format::kLadder;
              }).ok());
  Sql("UPDATE competition SET format = 'LADDER', state = 'RUNNING', finish_time = NULL");
  Account bob;
  bob.name = "bob";
  ASSERT_TRUE(store_->AddAccount(bob, {}).ok());
  ASSERT_TRUE(store_->SetVersion("bob", "2", absl::Now(), VersionSource::kOrganiser, {}).ok());
  const Entrant second = store_->ReadEntrants(id_).value()[3];
  ASSERT_EQ(second.rated_from, 3);
  EXPECT_THAT(Findings(), IsEmpty()) << "it has played nothing";
  Play(3, {0, 3});
  Count();
  ASSERT_TRUE(store_->BeginSeason(id_, "", absl::Now(), absl::nullopt).ok());
  EXPECT_THAT(Findings(), IsEmpty());
  Sql("UPDATE entrant SET mu = mu + 1 WHERE number = 3");
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("bot 'bob': the pairing's estimate is")));
  Sql("UPDATE entrant SET mu = mu - 1, rated_from = 2 WHERE number = 3");
  EXPECT_THAT(Findings(), Contains(HasSubstr("bot 'bob': the pairing's estimate is")));
  Sql("UPDATE entrant SET rated_from = 3, predecessor = NULL WHERE number = 3");
  EXPECT_THAT(Findings(), Contains(HasSubstr("bot 'bob': the error of the pairing's estimate is")));
}

// --- Silences ---

TEST_F(AuditedEntrants, HaveTheSilencesOfTheirLastMatchesInARow) {
  silent = {{0, 1}, {1, 1}, {4, 1}, {5, 1}};
  Make();
  ASSERT_EQ(SilencesOf(1), 2) << "one for each block";
  EXPECT_THAT(Findings(), IsEmpty());
  for (const int silences : {0, 1, 3, 4}) {
    EXPECT_THAT(FindingsWithSilencesOfBob(silences),
                ElementsAre(HasSubstr(absl::StrCat(
                    "bot 'bob': ", silences, " silences in a row in the store, 2 by the replays"))))
        << silences;
  }
}

TEST_F(AuditedEntrants, HaveOneSilenceOfBlocksThatOverlap) {
  silent = {{0, 1}, {1, 1}, {4, 1}, {5, 1}};
  times = {{0, {0, 10}}, {2, {9, 12}}};
  Make();
  ASSERT_EQ(SilencesOf(1), 1);
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_THAT(FindingsWithSilencesOfBob(2), ElementsAre(HasSubstr("1 by the replays")));
}

TEST_F(AuditedEntrants, ThatAnsweredLastHaveNoSilences) {
  silent = {{0, 1}, {1, 1}, {4, 1}};
  Make();
  ASSERT_EQ(SilencesOf(1), 0);
  EXPECT_THAT(Findings(), IsEmpty());
  TakeOutAndBack("bob");
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_THAT(FindingsWithSilencesOfBob(1), ElementsAre(HasSubstr("0 by the replays")));
}

TEST_F(AuditedEntrants, ThatCameBackHaveNoSilencesFromBefore) {
  silent = {{0, 1}, {1, 1}, {4, 1}, {5, 1}};
  Make();
  TakeOutAndBack("bob");
  ASSERT_EQ(SilencesOf(1), 0);
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_THAT(FindingsWithSilencesOfBob(1), IsEmpty()) << "it may have come back in between";
  for (const int silences : {3, 4}) {
    EXPECT_THAT(FindingsWithSilencesOfBob(silences), ElementsAre(HasSubstr("2 by the replays")));
  }
}

TEST_F(AuditedEntrants, ThatCameBackHaveAllSilencesSinceThen) {
  silent = {{4, 1}, {5, 1}, {6, 1}, {7, 1}};
  Make();
  TakeOutAndBack("bob");
  Play(3, {0, 1});
  Count();
  ASSERT_EQ(SilencesOf(1), 1);
  EXPECT_THAT(Findings(), IsEmpty());
  for (const int silences : {0, 3}) {
    EXPECT_THAT(FindingsWithSilencesOfBob(silences), ElementsAre(HasSubstr("2 by the replays")))
        << silences;
  }
}

TEST_F(AuditedEntrants, ThatCameBackWhileTheyStillPlayedHaveSilencesOfBlocksBegunBefore) {
  silent = {{4, 1}, {5, 1}, {6, 1}, {7, 1}};
  Make();
  Play(3, {0, 1});
  TakeOutAndBack("bob");  // block 3 is not counted yet
  Count();
  ASSERT_EQ(SilencesOf(1), 1);
  EXPECT_THAT(Findings(), IsEmpty());
}

TEST_F(AuditedEntrants, ThatAreOutHaveTheSilencesOfWhatTheyPlayedToTheEnd) {
  silent = {{0, 1}, {1, 1}, {4, 1}, {5, 1}};
  Make();
  TakeOut("bob");
  ASSERT_EQ(SilencesOf(1), 2);
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_THAT(FindingsWithSilencesOfBob(3), ElementsAre(HasSubstr("2 by the replays")));
}

// --- Blocks that are forfeited ---

class AuditedForfeit : public AuditedEntrants {
 protected:
  // Block 3, of alice and bob: the match of rotation 0 was decided, the other is void, and the bot
  // that lost the one forfeits the other.
  void PlayAndForfeit() {
    silent = {{6, 1}};  // in the first match of block 3
    Make();
    const Competition competition = store_->GetCompetition(id_).value();
    const absl::Time time = competition.create_time;
    ASSERT_TRUE(
        Apply(store_.get(), {BeginBlock{id_, competition.version, 3, {{0, 1}}, time}}).ok());
    Attempt attempt;
    attempt.block_id = NumberedBlock(3);
    for (int rotation = 0; rotation < 2; ++rotation) {
      replay::Replay replay = PlayMatch(3, rotation, {0, 1});
      auto& ended = std::get<match::Ended>(replay.records.back());
      if (rotation == 1) {
        ended.ending = match::Ending::kVoid;
        ended.scores.clear();
        ended.ranks.clear();
      }
      attempt.matches.push_back({replay.setup.id, ended});
      Archive(replay, replay.setup.id);
    }
    loser_ = HasLost(attempt, 0) ? 0 : 1;
    FinishBlock finish{id_, 3, 0, attempt.block_id, {}, time};
    finish.matches = Forfeited(attempt, {loser_});
    finish.forfeited_by = {loser_};
    finish.failed = attempt;
    ASSERT_TRUE(Apply(store_.get(), {finish}).ok());
    Count();
  }

  int loser_ = 0;
};

TEST_F(AuditedForfeit, IsReckonedFromTheReplaysOfItsAttempt) {
  PlayAndForfeit();
  const Entrant loser = store_->ReadEntrants(id_).value()[static_cast<size_t>(loser_)];
  EXPECT_GE(loser.tally.losses, 2);
  EXPECT_EQ(loser.tally.conduct.voids, 1);
  EXPECT_THAT(Findings(), IsEmpty());
  SetEntrant(loser.name, "voids", "0");
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("0 void matches in the store, 1 by the replays")));
}

TEST_F(AuditedForfeit, IsNotTheOpponents) {
  PlayAndForfeit();
  Sql(absl::StrCat("UPDATE block SET forfeited_by = '", 1 - loser_, "' WHERE number = 3"));
  const std::vector<std::string> findings = Findings();
  EXPECT_THAT(findings, ::testing::Contains(HasSubstr("who had lost no match of it")));
  EXPECT_THAT(findings, ::testing::Contains(HasSubstr("forfeited, its replays give")));
}

// --- Attempts that came to nothing ---

TEST_F(AuditedEntrants, CannotHaveAnAttemptForgottenByTakingItsReplayAway) {
  Make();
  replay::SampleOptions options;
  options.cancel_at = 3;
  replay::Replay replay = replay::PlaySample(options);
  replay.setup.id = NumberedMatch(40);
  Archive(replay, replay.setup.id);
  Attempt attempt;
  attempt.block_id = NumberedBlock(40);
  attempt.ending = match::Ending::kCancelled;
  attempt.matches = {{NumberedMatch(40), {}}, {MatchId(), {}}};
  Retry(attempt);
  EXPECT_THAT(Findings(), IsEmpty());
  std::string elsewhere = ReadFile(NumberedMatch(40));
  std::filesystem::remove(archive_.PathOf(NumberedMatch(40)));
  EXPECT_THAT(Findings(),
              ElementsAre(HasSubstr("its replay, of attempt 0, is not in the archive")));
  find_elsewhere = [&elsewhere](const MatchId&) { return elsewhere; };
  EXPECT_THAT(Findings(), IsEmpty());
  elsewhere.pop_back();
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr(NumberedMatch(40).text())));
}

TEST_F(AuditedEntrants, MayHaveAnAttemptOfWhichTheStoreSaysThatAMatchHasNoRecord) {
  Make();
  Attempt attempt;
  attempt.block_id = NumberedBlock(40);
  attempt.matches = {{NumberedMatch(40), {}, false}, {MatchId(), {}}};
  Retry(attempt);
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_EQ(report_.unrecorded, 1);
}

// --- Blocks that have begun ---

TEST_F(AuditedEntrants, HaveBegunTheBlocksThatAreThereWhateverBecameOfThem) {
  Make();
  const Competition competition = store_->GetCompetition(id_).value();
  const absl::Time time = competition.create_time;
  ASSERT_TRUE(Apply(store_.get(), {BeginBlock{id_, competition.version, 3, {{0, 1}}, time},
                                   RetryBlock{id_, 3, 0}, DropBlock{id_, 3, 1, time},
                                   BeginBlock{id_, competition.version, 4, {{1, 0}}, time}})
                  .ok());
  ASSERT_EQ(store_->ReadEntrants(id_).value()[1].blocks_begun, 4);
  EXPECT_THAT(Findings(), IsEmpty());
  SetEntrant("bob", "blocks_begun", "3");
  EXPECT_THAT(Findings(),
              ElementsAre(HasSubstr("bot 'bob': 3 blocks begun in its line, 4 in the store")));
  SetEntrant("bob", "blocks_begun", "5");
  EXPECT_THAT(Findings(),
              ElementsAre(HasSubstr("bot 'bob': 5 blocks begun in its line, 4 in the store")));
}

TEST_F(AuditedEntrants, LackNoBlockAmongThoseThatHaveBegun) {
  Make();
  Sql("DELETE FROM block WHERE number = 1");
  EXPECT_THAT(Findings(), Contains(HasSubstr("spring/1/: the store has no block 1, but later")));
}

TEST_F(AuditedEntrants, LackNoBlockAtTheEnd) {
  Make();
  Sql("DELETE FROM block WHERE number = 2");
  EXPECT_THAT(Findings(),
              Contains(HasSubstr("spring//: 3 blocks have begun, but the store has 2")));
}

TEST_F(AuditedEntrants, HaveCountedNothingThatIsNotOver) {
  Make();
  Sql("UPDATE block SET state = 'RUNNING', owner = 'daemon', end_time = NULL WHERE number = 2");
  EXPECT_THAT(Findings(), Contains(HasSubstr("spring/2/: it is counted, but not over")));
}

// --- Times ---

TEST_F(AuditedEntrants, MayHavePlayedByACalendarThatJumped) {
  Make();
  Sql("UPDATE block SET begin_time = 5000000, end_time = 4000000 WHERE number = 1");
  EXPECT_THAT(Findings(), IsEmpty());
}

TEST_F(AuditedEntrants, HaveTheEndOfABlockThatIsOver) {
  Make();
  Sql("UPDATE block SET end_time = NULL WHERE number = 1");
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("spring/1/: it is over, but has no end time")));
}

TEST_F(AuditedEntrants, HaveNoEndOfABlockThatIsNotOver) {
  Make();
  const Competition competition = store_->GetCompetition(id_).value();
  ASSERT_TRUE(Apply(store_.get(),
                    {BeginBlock{id_, competition.version, 3, {{0, 1}}, competition.create_time}})
                  .ok());
  EXPECT_THAT(Findings(), IsEmpty());
  Sql("UPDATE block SET end_time = 1 WHERE number = 3");
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("spring/3/: it is not over, but has an end time")));
}

TEST_F(AuditedEntrants, ComeToAStartAndAFinishWhenTheCompetitionDoes) {
  Make();
  Sql("UPDATE competition SET start_time = NULL");
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("have begun, but it has no start time")));
  Sql("UPDATE competition SET start_time = 1, finish_time = 2");
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("it is RUNNING, but has a finish time")));
  Sql("UPDATE competition SET state = 'FINISHED'");
  EXPECT_THAT(Findings(), IsEmpty());
  Sql("UPDATE competition SET finish_time = NULL");
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("it is FINISHED, but has no finish time")));
  Sql("UPDATE competition SET state = 'NEW'");
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("it is NEW, but has a start time")));
}

}  // namespace
}  // namespace referee::store
