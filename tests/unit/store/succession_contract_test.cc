// Tests of versions of bots and seasons of ladders: which entrant stands for a bot, with what data.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/rating/rating.h"
#include "referee/store/succession.h"
#include "tests/unit/store/harness.h"

namespace referee::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SuccessionContract : public StoreContract {
 protected:
  void SetUp() override {
    StoreContract::SetUp();
    if (IsSkipped()) return;
    for (const char* name : {"a", "b", "c"}) {
      const auto token = static_cast<uint8_t>(name[0]);
      EXPECT_TRUE(store_->AddAccount(AccountOf(name, token), {}).ok());
    }
  }

  absl::Status Set(const std::string& bot, const std::string& version, int hour = 0,
                   VersionSource source = VersionSource::kOrganiser) {
    return store_->SetVersion(bot, version, At(3600 * hour), source, AuditOf("bot.version", bot));
  }
  absl::Status Release(const std::string& bot) {
    return store_->ReleaseVersion(bot, AuditOf("bot.version", bot));
  }
  // A ladder of all three, of which a and b have played and counted a block.
  Competition PlayedLadder() {
    const Competition ladder = StartLadder(store_.get(), 1, {"a", "b", "c"});
    PlayBlock(ladder.id, {0, 1}, {{30, 2}, {20, 3}});
    return ladder;
  }
  void PlayBlock(const CompetitionId& id, const std::vector<int>& bots,
                 const std::vector<rating::Rating>& ratings) {
    const Competition now = store_->GetCompetition(id).value();
    CountBlocks count = CountOf(now, now.counted, now.next_block + 1);
    for (size_t i = 0; i < bots.size(); ++i) {
      CountBlocks::Line line{bots[i], EntrantsOf(id)[static_cast<size_t>(bots[i])].tally, ""};
      line.tally.rating = ratings[i];
      ++line.tally.blocks;
      count.entrants.push_back(line);
    }
    const absl::Status played = Apply(
        store_.get(), {BeginOf(now, now.next_block, bots), FinishOf(now, now.next_block), count});
    EXPECT_TRUE(played.ok()) << played;
  }
  std::vector<Entrant> EntrantsOf(const CompetitionId& id) {
    return store_->ReadEntrants(id).value();
  }
  // "a 1.0/1" of those that stand, and "(a 1.0/1)" of the others.
  std::vector<std::string> Names(const CompetitionId& id) {
    std::vector<std::string> names;
    for (const Entrant& entrant : EntrantsOf(id)) {
      const std::string name =
          absl::StrCat(entrant.name, " ", entrant.version, "/", entrant.season);
      names.push_back(entrant.successor ? absl::StrCat("(", name, ")") : name);
    }
    return names;
  }
};

TEST_P(SuccessionContract, VersionIsKeptWithTheAccountAndTold) {
  ASSERT_TRUE(Set("a", "1.0", 1).ok());
  Reopen();
  EXPECT_EQ(store_->GetAccount("a").value().version, "1.0");
  EXPECT_EQ(store_->GetAccount("a").value().version_time, At(3600));
  EXPECT_EQ(store_->GetAccount("b").value().version_time, absl::nullopt);
  EXPECT_EQ(store_->ListAudit(0, 1).value()[0].action, "bot.version");
  EXPECT_TRUE(absl::IsNotFound(Set("nobody", "1.0")));
  Account olga = AccountOf("olga", 9);
  olga.role = Role::kOrganiser;
  ASSERT_TRUE(store_->AddAccount(olga, {}).ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(Set("olga", "1.0")));
}

TEST_P(SuccessionContract, NewVersionTakesThePlaceWithTheOldMeanAndNoResults) {
  const Competition ladder = PlayedLadder();
  const int64_t version = store_->GetCompetition(ladder.id).value().version;
  ASSERT_TRUE(Set("a", "2.0").ok());
  Reopen();
  EXPECT_THAT(Names(ladder.id), ElementsAre("(a /1)", "b /1", "c /1", "a 2.0/1"));
  const std::vector<Entrant> entrants = EntrantsOf(ladder.id);
  EXPECT_EQ(entrants[0].successor, 3);
  EXPECT_EQ(entrants[0].presence, Presence::kWithdrawn);
  EXPECT_EQ(entrants[0].reason, "succeeded by version 2.0");
  EXPECT_EQ(entrants[0].out_from, 1);
  EXPECT_EQ(entrants[0].tally.blocks, 1);
  EXPECT_EQ(entrants[3].presence, Presence::kIn);
  EXPECT_EQ(entrants[3].predecessor, 0);
  EXPECT_EQ(entrants[3].rated_from, 1);
  EXPECT_EQ(entrants[3].tally.blocks, 0);
  EXPECT_EQ(entrants[3].tally.rating.mu, 30);
  EXPECT_EQ(entrants[3].tally.rating.sigma, rating::Succeed({30, 2}).sigma);
  const Competition now = store_->GetCompetition(ladder.id).value();
  EXPECT_EQ(now.version, version + 1) << "whoever schedules has to see it";
  EXPECT_THAT(now.spec.entrants, ElementsAre("a", "b", "c", "a"));
  EXPECT_EQ(now.labels[0], (EntrantLabel{"", 1, false}));
  EXPECT_EQ(now.labels[3], (EntrantLabel{"2.0", 1, true}));
}

TEST_P(SuccessionContract, SameVersionAgainChangesNothing) {
  const Competition ladder = PlayedLadder();
  ASSERT_TRUE(Set("a", "2.0").ok());
  const int64_t version = store_->GetCompetition(ladder.id).value().version;
  ASSERT_TRUE(Set("a", "2.0", 5, VersionSource::kBot).ok());
  EXPECT_EQ(store_->GetCompetition(ladder.id).value().version, version);
  EXPECT_EQ(store_->GetAccount("a").value().version_time, At(0));
}

TEST_P(SuccessionContract, VersionOfTheSeasonComesBackWithWhatItHad) {
  const Competition ladder = PlayedLadder();
  ASSERT_TRUE(Set("a", "2.0").ok());
  PlayBlock(ladder.id, {3, 1}, {{10, 1}, {25, 3}});
  ASSERT_TRUE(Set("a", "3.0").ok());
  ASSERT_TRUE(Set("a", "2.0").ok());
  Reopen();
  EXPECT_THAT(Names(ladder.id), ElementsAre("(a /1)", "b /1", "c /1", "a 2.0/1", "(a 3.0/1)"));
  const Entrant back = EntrantsOf(ladder.id)[3];
  EXPECT_EQ(back.presence, Presence::kIn);
  EXPECT_EQ(back.tally.rating.mu, 10);
  EXPECT_EQ(back.tally.rating.sigma, 1) << "it is as sure of it as it was";
  EXPECT_EQ(back.tally.blocks, 1);
}

TEST_P(SuccessionContract, BotThatGoesBackToAVersionGetsNothingThatItHad) {
  const Competition ladder = PlayedLadder();
  ASSERT_TRUE(Set("a", "lucky", 1, VersionSource::kBot).ok());
  PlayBlock(ladder.id, {3, 1}, {{40, 1}, {25, 3}});
  ASSERT_TRUE(Set("a", "next", 2, VersionSource::kBot).ok());
  PlayBlock(ladder.id, {4, 1}, {{20, 2}, {25, 3}});
  ASSERT_TRUE(Set("a", "lucky", 3, VersionSource::kBot).ok());
  Reopen();
  EXPECT_THAT(Names(ladder.id),
              ElementsAre("(a /1)", "b /1", "c /1", "(a lucky/1)", "(a next/1)", "a lucky/1"));
  const Entrant back = EntrantsOf(ladder.id)[5];
  EXPECT_EQ(back.tally.rating.mu, 20) << "of the one whose place it took";
  EXPECT_EQ(back.tally.blocks, 0);
  EXPECT_EQ(back.predecessor, 4);
  // By an organiser's word the latest of that version comes back.
  ASSERT_TRUE(Set("a", "next").ok());
  ASSERT_TRUE(Set("a", "lucky").ok());
  EXPECT_THAT(Names(ladder.id),
              ElementsAre("(a /1)", "b /1", "c /1", "(a lucky/1)", "(a next/1)", "a lucky/1"));
}

TEST_P(SuccessionContract, OrganisersWordStandsUntilItIsTakenBack) {
  const Competition ladder = PlayedLadder();
  ASSERT_TRUE(Set("a", "1.0", 0, VersionSource::kBot).ok());
  EXPECT_FALSE(store_->GetAccount("a").value().version_kept);
  ASSERT_TRUE(Set("a", "2.0").ok());
  Reopen();
  EXPECT_TRUE(store_->GetAccount("a").value().version_kept);
  const std::string before = Describe(store_.get());
  EXPECT_TRUE(Set("a", "1.0", 5, VersionSource::kBot).ok()) << "it may play";
  EXPECT_EQ(Describe(store_.get()), before);
  ASSERT_TRUE(Release("a").ok());
  EXPECT_EQ(store_->GetAccount("a").value().version, "2.0") << "until it tells another";
  ASSERT_TRUE(Set("a", "1.0", 6, VersionSource::kBot).ok());
  EXPECT_EQ(store_->GetAccount("a").value().version, "1.0");
  ASSERT_TRUE(Set("a", "1.0").ok());
  EXPECT_TRUE(store_->GetAccount("a").value().version_kept) << "also where it is the same";
  EXPECT_TRUE(absl::IsNotFound(Release("nobody")));
  Account olga = AccountOf("olga", 9);
  olga.role = Role::kOrganiser;
  ASSERT_TRUE(store_->AddAccount(olga, {}).ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(Release("olga")));
}

TEST_P(SuccessionContract, BotThatJoinsAgainComesAsTheOrganiserSaid) {
  const Competition ladder = PlayedLadder();
  ASSERT_TRUE(Set("a", "2.0").ok());
  PlayBlock(ladder.id, {3, 1}, {{10, 1}, {25, 3}});
  ASSERT_TRUE(Set("a", "3.0").ok());
  ASSERT_TRUE(store_->TakeOut(ladder.id, "a", Presence::kWithdrawn, "left", absl::nullopt).ok());
  ASSERT_TRUE(Set("a", "2.0").ok());
  EXPECT_EQ(store_->Join(ladder.id, "a", absl::nullopt).value().number, 3);
}

TEST(CountVersions, AreThoseOfTheSeasonThatHaveBegunABlock) {
  std::vector<Entrant> all(6);
  for (size_t i = 0; i < all.size(); ++i) {
    all[i].number = static_cast<int>(i);
    all[i].blocks_begun = 1;
  }
  all[1].predecessor = 0;
  all[2].predecessor = 1;
  all[3].predecessor = 2;
  all[3].season = all[4].season = all[5].season = 2;
  all[4].predecessor = 3;
  all[5].predecessor = 4;
  EXPECT_EQ(CountVersions(all, 1), 2);
  EXPECT_EQ(CountVersions(all, 2), 2) << "the third began with the season";
  all[5].blocks_begun = 0;
  EXPECT_EQ(CountVersions(all, 2), 1);
  EXPECT_EQ(CountVersions(all, 3), 0);
}

TEST(CheckMayAdd, VersionsLeaveRoomForOthersAndForgetOtherSeasons) {
  std::vector<Entrant> own(1);
  Succession to;
  to.by = VersionSource::kBot;
  to.next_number = limits::kMaxEntrantsByVersions + 1;
  EXPECT_TRUE(CheckMayAdd(own, to, 10, "cup").ok()) << "seasons that are over have the others";
  const absl::Status full = CheckMayAdd(own, to, limits::kMaxEntrantsByVersions, "cup");
  EXPECT_TRUE(absl::IsResourceExhausted(full));
  to.next_number = limits::kMaxEntrants - kEntrantsLeftByVersions;
  EXPECT_TRUE(absl::IsResourceExhausted(CheckMayAdd(own, to, 10, "cup")));
  to.by = VersionSource::kOrganiser;
  EXPECT_TRUE(CheckMayAdd(own, to, 10, "cup").ok());
  to.next_number = limits::kMaxEntrants;
  EXPECT_TRUE(absl::IsResourceExhausted(CheckMayAdd(own, to, 10, "cup")));
}

TEST_P(SuccessionContract, EntrantThatHasBegunNothingChangesItsVersion) {
  const Competition ladder = PlayedLadder();
  ASSERT_TRUE(Set("c", "1.0").ok());
  ASSERT_TRUE(Set("c", "1.1").ok());
  EXPECT_THAT(Names(ladder.id), ElementsAre("a /1", "b /1", "c 1.1/1"));
}

TEST_P(SuccessionContract, OnlyLaddersThatGoOnAndThatTheBotIsInHaveANewEntrant) {
  Competition cup = LadderOf(2, "cup", {"a", "b"});
  cup.spec.format = schedule::Format::kRoundRobin;
  ASSERT_TRUE(Set("a", "1.0").ok());
  ASSERT_TRUE(store_->CreateCompetition(cup, absl::nullopt).ok());
  const Competition left = PlayedLadder();
  ASSERT_TRUE(store_->TakeOut(left.id, "a", Presence::kWithdrawn, "it left", absl::nullopt).ok());
  ASSERT_TRUE(Set("a", "2.0").ok());
  EXPECT_THAT(Names(cup.id), ElementsAre("a 1.0/1", "b /1"));
  EXPECT_THAT(Names(left.id), ElementsAre("a 1.0/1", "b /1", "c /1"));
  const Entrant back = store_->Join(left.id, "a", absl::nullopt).value();
  EXPECT_EQ(back.number, 3);
  EXPECT_THAT(Names(left.id), ElementsAre("(a 1.0/1)", "b /1", "c /1", "a 2.0/1"));
  EXPECT_EQ(EntrantsOf(left.id)[0].reason, "it left");
}

TEST_P(SuccessionContract, BotTellsOneVersionInAWhileAndOrganisersAnyTime) {
  ASSERT_TRUE(Set("a", "1.0", 0, VersionSource::kBot).ok());
  const absl::Status soon = Set("a", "1.1", 0, VersionSource::kBot);
  EXPECT_TRUE(absl::IsResourceExhausted(soon));
  EXPECT_THAT(std::string(soon.message()), HasSubstr("refctl bot version"));
  EXPECT_TRUE(Set("a", "1.2", 0, VersionSource::kOrganiser).ok());
  ASSERT_TRUE(Release("a").ok());
  EXPECT_TRUE(absl::IsResourceExhausted(Set("a", "1.3", 0, VersionSource::kBot)));
  EXPECT_TRUE(Set("a", "1.3", 1, VersionSource::kBot).ok());
  EXPECT_TRUE(Set("a", "1.4", -9, VersionSource::kBot).ok()) << "the calendar was put back";
}

TEST_P(SuccessionContract, BotHasSoManyVersionsOfItsOwnInASeason) {
  const Competition ladder = StartLadder(store_.get(), 1, {"a", "b"});
  int hour = 0;
  int last = 0;  // entrant of a
  for (int i = 1; i < limits::kMaxVersionsPerSeason; ++i) {
    PlayBlock(ladder.id, {last, 1}, {{25, 8}, {25, 8}});
    ASSERT_TRUE(Set("a", absl::StrCat(i), ++hour, VersionSource::kBot).ok()) << i;
    last = static_cast<int>(EntrantsOf(ladder.id).size()) - 1;
  }
  PlayBlock(ladder.id, {last, 1}, {{25, 8}, {25, 8}});
  const std::string before = Describe(store_.get());
  EXPECT_TRUE(absl::IsResourceExhausted(Set("a", "more", ++hour, VersionSource::kBot)));
  EXPECT_EQ(Describe(store_.get()), before);
  EXPECT_TRUE(absl::IsResourceExhausted(Set("a", "7", ++hour, VersionSource::kBot)))
      << "going back is another";
  EXPECT_TRUE(Set("a", "more", hour, VersionSource::kOrganiser).ok());
  ASSERT_TRUE(Release("a").ok());
  // Leaving and coming back is no way around it.
  ASSERT_TRUE(store_->TakeOut(ladder.id, "a", Presence::kWithdrawn, "left", absl::nullopt).ok());
  PlayBlock(ladder.id, {last + 1, 1}, {{25, 8}, {25, 8}});
  ASSERT_TRUE(Set("a", "even more", ++hour, VersionSource::kBot).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(store_->Join(ladder.id, "a", absl::nullopt).status()));
  ASSERT_TRUE(store_->BeginSeason(ladder.id, "", At(9), absl::nullopt).ok());
  EXPECT_TRUE(store_->Join(ladder.id, "a", absl::nullopt).ok()) << "another season";
}

TEST_P(SuccessionContract, SeasonBeginsWithNewEntrantsOfThoseThatAreIn) {
  const Competition ladder = PlayedLadder();
  ASSERT_TRUE(store_->TakeOut(ladder.id, "c", Presence::kSetAside, "silent", absl::nullopt).ok());
  const Competition begun =
      store_->BeginSeason(ladder.id, "s-2", At(9), AuditOf("competition.season", "x")).value();
  Reopen();
  EXPECT_EQ(begun.season, 2);
  EXPECT_EQ(begun.season_time, At(9));
  EXPECT_EQ(begun.season_block, 1);
  EXPECT_EQ(store_->FindCompetition(begun.spec.name).value().season, 2);
  EXPECT_THAT(Names(ladder.id), ElementsAre("(a /1)", "(b /1)", "c /1", "a /2", "b /2"));
  const std::vector<Entrant> entrants = EntrantsOf(ladder.id);
  EXPECT_EQ(entrants[3].tally.rating.mu, 30);
  EXPECT_EQ(entrants[3].tally.blocks, 0);
  EXPECT_EQ(entrants[0].reason, "") << "that a season is over is no fault";
  EXPECT_EQ(store_->Join(ladder.id, "c", absl::nullopt).value().number, 5);
  EXPECT_EQ(EntrantsOf(ladder.id)[2].presence, Presence::kSetAside) << "as it was in its season";
}

TEST_P(SuccessionContract, SeasonIsBegunOnceByARequest) {
  const Competition ladder = PlayedLadder();
  ASSERT_EQ(store_->BeginSeason(ladder.id, "r", At(9), absl::nullopt).value().season, 2);
  EXPECT_EQ(store_->BeginSeason(ladder.id, "r", At(9), absl::nullopt).value().season, 2);
  EXPECT_EQ(store_->BeginSeason(ladder.id, "q", At(9), absl::nullopt).value().season, 3);
  EXPECT_EQ(store_->BeginSeason(ladder.id, "", At(9), absl::nullopt).value().season, 4);
  EXPECT_EQ(store_->BeginSeason(ladder.id, "", At(9), absl::nullopt).value().season, 5);
}

TEST_P(SuccessionContract, SeasonBeginsInALadderThatGoesOn) {
  const Competition fresh = LadderOf(3, "new", {"a"});
  ASSERT_TRUE(store_->CreateCompetition(fresh, absl::nullopt).ok());
  EXPECT_TRUE(
      absl::IsFailedPrecondition(store_->BeginSeason(fresh.id, "", At(9), absl::nullopt).status()));
  EXPECT_TRUE(absl::IsNotFound(
      store_->BeginSeason(CompetitionId("none"), "", At(9), absl::nullopt).status()));
}

TEST_P(SuccessionContract, WhatTheOldOneHasBegunCountsForIt) {
  const Competition ladder = PlayedLadder();
  const Competition now = store_->GetCompetition(ladder.id).value();
  ASSERT_TRUE(Apply(store_.get(), {BeginOf(now, 1, {0, 1})}).ok());
  ASSERT_TRUE(Set("a", "2.0").ok());
  ASSERT_TRUE(Apply(store_.get(), {FinishOf(now, 1)}).ok());
  EXPECT_TRUE(absl::IsAborted(Apply(store_.get(), {BeginOf(now, 2, {0, 1})})))
      << "it has seen nothing";
  CountBlocks count = CountOf(store_->GetCompetition(ladder.id).value(), 1, 2);
  count.entrants = {{0, EntrantsOf(ladder.id)[0].tally, "silent"}};
  ++count.entrants[0].tally.blocks;
  ASSERT_TRUE(Apply(store_.get(), {count}).ok());
  EXPECT_EQ(EntrantsOf(ladder.id)[0].tally.blocks, 2);
  EXPECT_EQ(EntrantsOf(ladder.id)[0].presence, Presence::kWithdrawn) << "not set aside any more";
  EXPECT_EQ(EntrantsOf(ladder.id)[3].tally.blocks, 0);
}

TEST_P(SuccessionContract, EntriesOfABotAreListedTheLatestFirst) {
  const Competition ladder = PlayedLadder();
  ASSERT_TRUE(Set("a", "2.0").ok());
  const std::vector<Entry> entries = store_->ListEntries("a", 9).value();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].entrant.version, "2.0");
  EXPECT_EQ(entries[1].entrant.number, 0);
  EXPECT_EQ(store_->ListEntries("a", 1).value().size(), 2u) << "all of one competition";
  const Competition other = StartLadder(store_.get(), 2, {"a", "b"});
  EXPECT_EQ(store_->ListEntries("a", 9).value().size(), 3u);
  ASSERT_EQ(store_->ListEntries("a", 1).value().size(), 1u);
  EXPECT_EQ(store_->ListEntries("a", 1).value()[0].competition, other.id) << "the newest";
  EXPECT_TRUE(store_->ListEntries("nobody", 9).value().empty());
  EXPECT_TRUE(absl::IsFailedPrecondition(store_->RemoveAccount("a", {})));
}

INSTANTIATE_TEST_SUITE_P(Stores, SuccessionContract, ::testing::ValuesIn(AllImplementations()),
                         [](const ::testing::TestParamInfo<Implementation>& info) {
                           return info.param.name;
                         });

}  // namespace
}  // namespace referee::store
