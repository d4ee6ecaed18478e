// Tests of owners: which referee begins and counts the blocks of a competition.
#include "tests/unit/store/harness.h"

namespace referee::store {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

constexpr absl::Duration kLeaseSpan = absl::Seconds(15);

class HomeContract : public StoreContract {
 protected:
  void SetUp() override {
    StoreContract::SetUp();
    if (!IsSkipped()) ladder_ = StartLadder(store_.get(), 1, {"a", "b"});
  }

  Lease Renew(const std::string& owner) {
    return {owner, store_->RenewLease(owner, kLeaseSpan).value()};
  }
  bool Takes(const Lease& lease) { return !store_->TakeHomes(lease, {ladder_.id}).value().empty(); }
  int64_t HomeTerm() { return store_->GetCompetition(ladder_.id)->home_term; }
  // What only the home may do.
  std::vector<Change> DutiesOfHome() {
    const Competition now = store_->GetCompetition(ladder_.id).value();
    return {BeginOf(now, now.next_block, {0, 1}), CountOf(now, now.counted, now.counted)};
  }
  void ExpectNotHome(const Lease& lease) {
    const std::vector<Change> duties = DutiesOfHome();
    for (size_t i = 0; i < duties.size(); ++i) {
      const absl::Status status = store_->Apply(lease, {duties[i]});
      EXPECT_TRUE(absl::IsAborted(status)) << "change " << i << ": " << status;
    }
    const auto out =
        store_->TakeOutByHome(lease, ladder_.id, "a", Presence::kWithdrawn, "was away", {});
    EXPECT_TRUE(absl::IsAborted(out.status())) << out.status();
    EXPECT_EQ(store_->ReadEntrants(ladder_.id)->at(0).presence, Presence::kIn);
  }
  void ExpectHome(const Lease& lease) {
    EXPECT_EQ(store_->Apply(lease, DutiesOfHome()), absl::OkStatus());
  }

  Competition ladder_;
};

TEST_P(HomeContract, NobodyIsTheHomeUntilADaemonTakesIt) {
  EXPECT_EQ(HomeTerm(), 0);
  const Lease x = Renew("x");
  ExpectNotHome(x);
  EXPECT_THAT(store_->TakeHomes(x, {ladder_.id, CompetitionId("unknown")}).value(),
              ElementsAre(ladder_.id));
  Reopen();
  EXPECT_EQ(HomeTerm(), x.term);
  EXPECT_EQ(store_->ListUnfinished()->at(0).home_term, x.term);
  ExpectHome(x);
  EXPECT_TRUE(Takes(x)) << "it has it already";
}

TEST_P(HomeContract, NobodyElseTakesItWhileTheLeaseLasts) {
  const Lease x = Renew("x");
  const Lease y = Renew("y");
  ASSERT_TRUE(Takes(x));
  EXPECT_FALSE(Takes(y));
  ExpectNotHome(y);
  clock_.Advance(kLeaseSpan - absl::Microseconds(1));
  EXPECT_FALSE(Takes(y));
  ExpectHome(x);
}

TEST_P(HomeContract, WhoseLeaseHasLapsedIsTheHomeNoMoreOnceAnotherHasTakenIt) {
  const Lease x = Renew("x");
  ASSERT_TRUE(Takes(x));
  clock_.Advance(kLeaseSpan);
  EXPECT_TRUE(absl::IsAborted(store_->TakeHomes(x, {ladder_.id}).status()));
  const Lease y = Renew("y");
  ASSERT_TRUE(Takes(y));
  ASSERT_EQ(Renew("x"), x) << "nobody has ended its lease";
  ExpectNotHome(x);
  EXPECT_FALSE(Takes(x));
  ExpectHome(y);
}

TEST_P(HomeContract, LeaseThatLapsedAndWasRenewedKeepsItsHomes) {
  const Lease x = Renew("x");
  ASSERT_TRUE(Takes(x));
  clock_.Advance(2 * kLeaseSpan);
  ASSERT_EQ(Renew("x"), x);
  ExpectHome(x);
}

TEST_P(HomeContract, HomeThatEndedIsFree) {
  const Lease x = Renew("x");
  ASSERT_TRUE(Takes(x));
  clock_.Advance(kLeaseSpan);
  ASSERT_THAT(store_->ClaimExpired(Renew("y")).value(), IsEmpty());
  const Lease later = Renew("x");
  ExpectNotHome(later);
  EXPECT_TRUE(Takes(Renew("z")));
}

TEST_P(HomeContract, WhoDrainsIsTheHomeUntilAnotherTakesIt) {
  const Lease x = Renew("x");
  const Lease y = Renew("y");
  ASSERT_TRUE(Takes(x));
  ASSERT_EQ(store_->Apply(x, {BeginOf(ladder_, 0, {0, 1})}), absl::OkStatus());
  ASSERT_EQ(store_->Announce(x, "x:1", true), absl::OkStatus());
  Reopen();
  ExpectHome(x);
  ASSERT_TRUE(Takes(y));
  ExpectNotHome(x);
  EXPECT_FALSE(Takes(x));
  // What it has begun it ends.
  EXPECT_EQ(store_->Apply(x, {FinishOf(ladder_, 0)}), absl::OkStatus());
  ExpectHome(y);
}

TEST_P(HomeContract, BlocksOfWhoIsNotTheHomeAreClaimedByTheHomeOnly) {
  const Lease x = Renew("x");
  ASSERT_TRUE(Takes(x));
  ASSERT_EQ(store_->Apply(x, {BeginOf(ladder_, 0, {0, 1})}), absl::OkStatus());
  ASSERT_EQ(store_->Announce(x, "", true), absl::OkStatus());
  ASSERT_TRUE(Takes(Renew("y")));
  clock_.Advance(kLeaseSpan / 2);
  const Lease y = Renew("y");
  clock_.Advance(kLeaseSpan / 2);
  EXPECT_THAT(store_->ClaimExpired(Renew("z")).value(), IsEmpty());
  EXPECT_THAT(Numbers(store_->ClaimExpired(y).value()), ElementsAre(0));
}

TEST_P(HomeContract, AttemptThatCameToNothingMayBeHandedToAnother) {
  const Lease x = Renew("x");
  const Lease y = Renew("y");
  ASSERT_TRUE(Takes(x));
  RetryBlock retry = RetryOf(ladder_, 0);
  retry.to = "y";
  ASSERT_EQ(store_->Apply(x, {BeginOf(ladder_, 0, {0, 1}), retry}), absl::OkStatus());
  Reopen();
  const Block block = store_->GetBlock(ladder_.id, 0).value();
  EXPECT_EQ(block.owner, "y");
  EXPECT_EQ(block.attempt, 1);
  EXPECT_EQ(block.attempts.size(), 1u);
  FinishBlock finish = FinishOf(ladder_, 0);
  finish.attempt = 1;
  EXPECT_TRUE(absl::IsAborted(store_->Apply(x, {finish})));
  EXPECT_EQ(store_->Apply(y, {finish}), absl::OkStatus());
}

TEST_P(HomeContract, HomeMayBeginABlockForAnother) {
  const Lease x = Renew("x");
  const Lease y = Renew("y");
  ASSERT_TRUE(Takes(x));
  BeginBlock begin = BeginOf(ladder_, 0, {0, 1});
  begin.to = "y";
  EXPECT_TRUE(absl::IsAborted(store_->Apply(y, {begin}))) << "nobody gives to themselves";
  ASSERT_EQ(store_->Apply(x, {begin}), absl::OkStatus());
  Reopen();
  EXPECT_EQ(store_->GetBlock(ladder_.id, 0)->owner, "y");
  EXPECT_TRUE(absl::IsAborted(store_->Apply(x, {FinishOf(ladder_, 0)})));
  EXPECT_EQ(store_->Apply(y, {FinishOf(ladder_, 0)}), absl::OkStatus());
  EXPECT_EQ(store_->Apply(x, {CountOf(ladder_, 0, 1)}), absl::OkStatus());
}

TEST_P(HomeContract, WhatWasBegunForOneThatIsGoneIsTheHomesToClaim) {
  const Lease x = Renew("x");
  ASSERT_TRUE(Takes(x));
  BeginBlock begin = BeginOf(ladder_, 0, {0, 1});
  begin.to = "nobody";
  ASSERT_EQ(store_->Apply(x, {begin}), absl::OkStatus());
  EXPECT_THAT(store_->ClaimExpired(Renew("y")).value(), IsEmpty());
  const std::vector<Block> claimed = store_->ClaimExpired(x).value();
  ASSERT_THAT(Numbers(claimed), ElementsAre(0));
  EXPECT_EQ(claimed[0].attempt, 1);
}

Help HelpOf(int blocks, std::vector<int> places) { return {"", blocks, std::move(places)}; }

TEST_P(HomeContract, HelpIsListedByNameAsItWasOfferedLast) {
  const Lease y = Renew("y");
  const Lease x = Renew("x");
  EXPECT_THAT(store_->ListHelp(ladder_.id).value(), IsEmpty());
  ASSERT_EQ(store_->OfferHelp(y, ladder_.id, HelpOf(3, {8, 0, 2})), absl::OkStatus());
  ASSERT_EQ(store_->OfferHelp(x, ladder_.id, HelpOf(1, {})), absl::OkStatus());
  ASSERT_EQ(store_->OfferHelp(y, ladder_.id, HelpOf(4, {0, 6})), absl::OkStatus());
  Reopen();
  const auto is = [](const std::string& owner, int blocks, std::vector<int> places) {
    return AllOf(Field("owner", &Help::owner, owner), Field("blocks", &Help::blocks, blocks),
                 Field("places", &Help::places, places));
  };
  EXPECT_THAT(store_->ListHelp(ladder_.id).value(),
              ElementsAre(is("x", 1, {}), is("y", 4, {0, 6})));
  EXPECT_THAT(store_->ListHelp(StartLadder(store_.get(), 2, {"a"}).id).value(), IsEmpty());
  EXPECT_TRUE(absl::IsNotFound(store_->ListHelp(CompetitionId("none")).status()));
  EXPECT_TRUE(absl::IsNotFound(store_->OfferHelp(y, CompetitionId("none"), HelpOf(1, {}))));
}

TEST_P(HomeContract, HelpEndsWithTheLeaseAndIsNotListedWhileTheHelperDrains) {
  const Lease x = Renew("x");
  ASSERT_EQ(store_->OfferHelp(x, ladder_.id, HelpOf(1, {2})), absl::OkStatus());
  clock_.Advance(kLeaseSpan);
  EXPECT_THAT(store_->ListHelp(ladder_.id).value(), IsEmpty());
  EXPECT_TRUE(absl::IsAborted(store_->OfferHelp(x, ladder_.id, HelpOf(1, {2}))));
  ASSERT_EQ(Renew("x"), x) << "nobody has ended it";
  EXPECT_EQ(store_->ListHelp(ladder_.id)->size(), 1u);
  ASSERT_EQ(store_->Announce(x, "x:1", true), absl::OkStatus());
  EXPECT_THAT(store_->ListHelp(ladder_.id).value(), IsEmpty());
  clock_.Advance(kLeaseSpan);
  ASSERT_TRUE(store_->ClaimExpired(Renew("y")).ok());
  Renew("x");
  EXPECT_THAT(store_->ListHelp(ladder_.id).value(), IsEmpty());
}

TEST_P(HomeContract, HoldersAreListedWithWhatTheyHelp) {
  const Lease x = Renew("x");
  const Competition other = StartLadder(store_.get(), 2, {"a", "b"});
  ASSERT_EQ(store_->OfferHelp(x, other.id, HelpOf(1, {})), absl::OkStatus());
  ASSERT_EQ(store_->OfferHelp(x, ladder_.id, HelpOf(1, {})), absl::OkStatus());
  const std::vector<std::string> both = {ladder_.spec.name, other.spec.name};
  EXPECT_EQ(store_->ListLeaseHolders()->at(0).helps, both);
  ASSERT_EQ(store_->OfferHelp(x, other.id, HelpOf(0, {})), absl::OkStatus());
  EXPECT_EQ(store_->ListLeaseHolders()->at(0).helps, std::vector<std::string>{ladder_.spec.name});
}

TEST_P(HomeContract, CompetitionThatWasHelpedMayBeRemoved) {
  ASSERT_EQ(store_->OfferHelp(Renew("x"), ladder_.id, HelpOf(1, {2})), absl::OkStatus());
  ASSERT_TRUE(store_
                  ->SetState(ladder_.id, CompetitionState::kRunning, CompetitionState::kFinished,
                             At(9), absl::nullopt)
                  .ok());
  EXPECT_EQ(store_->RemoveCompetition(ladder_.id, absl::nullopt), absl::OkStatus());
}

TEST_P(HomeContract, WhoTakesOverFromAFormerDaemonIsTheHomeAtOnce) {
  const Lease x = Renew("x");
  ASSERT_TRUE(Takes(x));
  ASSERT_EQ(store_->Announce(x, "", true), absl::OkStatus());
  const Lease next = Renew("next");
  ASSERT_TRUE(store_->TakeOver(next, {"unknown", "x"}).ok());
  EXPECT_EQ(HomeTerm(), next.term);
  ExpectHome(next);
  EXPECT_FALSE(Takes(Renew("y"))) << "the one that drained is gone";
}

TEST_P(HomeContract, HomeOfAFinishedCompetitionIsLeftAsItWas) {
  const Lease x = Renew("x");
  ASSERT_TRUE(Takes(x));
  for (const auto& [from, to] :
       {std::pair(CompetitionState::kRunning, CompetitionState::kFinishing),
        std::pair(CompetitionState::kFinishing, CompetitionState::kFinished)}) {
    ASSERT_TRUE(store_->SetState(ladder_.id, from, to, At(5), absl::nullopt).ok());
  }
  ASSERT_TRUE(store_->TakeOver(Renew("y"), {"x"}).ok());
  EXPECT_EQ(HomeTerm(), x.term);
}

TEST_P(HomeContract, HomeTakesOutWhoIsAway) {
  const Lease x = Renew("x");
  ASSERT_TRUE(Takes(x));
  const auto out = store_->TakeOutByHome(x, ladder_.id, "a", Presence::kWithdrawn, "was away", {});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ(store_->ReadEntrants(ladder_.id)->at(0).presence, Presence::kWithdrawn);
  clock_.Advance(kLeaseSpan);
  EXPECT_TRUE(absl::IsAborted(
      store_->TakeOutByHome(x, ladder_.id, "b", Presence::kWithdrawn, "was away", {}).status()));
}

TEST_P(HomeContract, HomeSuspendsABotAndBringsItBack) {
  const Lease x = Renew("x");
  ASSERT_TRUE(Takes(x));
  const Suspension suspension{At(60), absl::Minutes(1)};
  const auto out =
      store_->TakeOutByHome(x, ladder_.id, "a", Presence::kSetAside, "silent", suspension);
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ(store_->ReadEntrants(ladder_.id)->at(0).suspension, suspension);
  const int64_t version = store_->GetCompetition(ladder_.id)->version;
  ASSERT_TRUE(store_->BringBackByHome(x, ladder_.id, "a").ok());
  EXPECT_EQ(store_->GetCompetition(ladder_.id)->version, version + 1);
  const Entrant back = store_->ReadEntrants(ladder_.id)->at(0);
  EXPECT_EQ(back.presence, Presence::kIn);
  EXPECT_EQ(back.reason, "");
  EXPECT_EQ(back.suspension, suspension) << "the next one is longer";
}

TEST_P(HomeContract, HomeBringsBackNobodyElse) {
  const Lease x = Renew("x");
  ASSERT_TRUE(Takes(x));
  ASSERT_TRUE(store_->TakeOutByHome(x, ladder_.id, "a", Presence::kWithdrawn, "left", {}).ok());
  EXPECT_EQ(store_->BringBackByHome(x, ladder_.id, "a")->presence, Presence::kWithdrawn);
  EXPECT_EQ(store_->BringBackByHome(x, ladder_.id, "b")->presence, Presence::kIn);
  EXPECT_TRUE(absl::IsNotFound(store_->BringBackByHome(x, ladder_.id, "zoe").status()));
  const Lease y = Renew("y");
  EXPECT_TRUE(absl::IsAborted(store_->BringBackByHome(y, ladder_.id, "a").status()));
  clock_.Advance(kLeaseSpan);
  EXPECT_TRUE(absl::IsAborted(store_->BringBackByHome(x, ladder_.id, "a").status()));
}

TEST_P(HomeContract, DaemonsAreListedByNameWhileTheirLeasesLast) {
  EXPECT_THAT(store_->ListDaemons().value(), IsEmpty());
  const Lease y = Renew("y");
  clock_.Advance(absl::Seconds(5));
  const Lease x = Renew("x");
  ASSERT_EQ(store_->Announce(y, "unix:/run/y", false), absl::OkStatus());
  Reopen();
  const auto is = [](const Lease& lease, absl::Duration remaining, const std::string& address,
                     bool draining) {
    return AllOf(Field("owner", &Daemon::owner, lease.owner),
                 Field("term", &Daemon::term, lease.term),
                 Field("remaining", &Daemon::remaining, remaining),
                 Field("address", &Daemon::address, address),
                 Field("draining", &Daemon::draining, draining));
  };
  EXPECT_THAT(store_->ListDaemons().value(),
              ElementsAre(is(x, kLeaseSpan, "", false),
                          is(y, kLeaseSpan - absl::Seconds(5), "unix:/run/y", false)));
  ASSERT_EQ(store_->Announce(y, "other:1", true), absl::OkStatus());
  ASSERT_EQ(store_->Announce(y, "other:1", false), absl::OkStatus());
  EXPECT_THAT(store_->ListDaemons().value(),
              ElementsAre(is(x, kLeaseSpan, "", false),
                          is(y, kLeaseSpan - absl::Seconds(5), "other:1", true)))
      << "draining is never taken back";
  clock_.Advance(kLeaseSpan - absl::Seconds(5));
  EXPECT_THAT(store_->ListDaemons().value(), ElementsAre(is(x, absl::Seconds(5), "", false)));
  EXPECT_TRUE(absl::IsAborted(store_->Announce(y, "other:1", true)));
}

TEST_P(HomeContract, OneThatIsUnableGivesItsHomesUpUntilItIsAble) {
  const Lease x = Renew("x");
  const Lease y = Renew("y");
  const auto takes = [&](const Lease& lease) {
    return !store_->TakeHomes(lease, {ladder_.id}).value().empty();
  };
  ASSERT_TRUE(takes(x));
  ASSERT_EQ(store_->OfferHelp(y, ladder_.id, {"", 3, {4, 4}}), absl::OkStatus());
  ASSERT_EQ(store_->SetUnable(y, true), absl::OkStatus());
  EXPECT_THAT(store_->ListHelp(ladder_.id).value(), IsEmpty());
  ASSERT_EQ(store_->SetUnable(x, true), absl::OkStatus());
  ASSERT_EQ(store_->SetUnable(x, false), absl::OkStatus());
  EXPECT_FALSE(takes(y));
  ASSERT_EQ(store_->SetUnable(x, true), absl::OkStatus());
  EXPECT_TRUE(store_->ListDaemons()->at(0).unable);
  EXPECT_TRUE(store_->ListLeaseHolders()->at(0).unable);
  EXPECT_FALSE(store_->ListDaemons()->at(0).draining);
  EXPECT_TRUE(takes(y)) << "who may take it decides by itself";
  clock_.Advance(kLeaseSpan);
  EXPECT_TRUE(absl::IsAborted(store_->SetUnable(x, false)));
}

TEST_P(HomeContract, WhatWasAnnouncedEndsWithTheLease) {
  const Lease x = Renew("x");
  ASSERT_EQ(store_->Announce(x, "x:1", true), absl::OkStatus());
  ASSERT_EQ(store_->SetUnable(x, true), absl::OkStatus());
  clock_.Advance(kLeaseSpan);
  ASSERT_TRUE(store_->ClaimExpired(Renew("y")).ok());
  Renew("x");
  const std::vector<Daemon> daemons = store_->ListDaemons().value();
  ASSERT_EQ(daemons.size(), 2u);
  EXPECT_EQ(daemons[0].address, "");
  EXPECT_FALSE(daemons[0].draining);
  EXPECT_FALSE(daemons[0].unable);
}

TEST_P(HomeContract, OneMayBeAskedToDrain) {
  Renew("x");
  const auto asks = [&](const std::string& owner) {
    return store_->AskToDrain(owner, AuditOf("fleet.drain", owner));
  };
  EXPECT_TRUE(absl::IsNotFound(asks("y")));
  EXPECT_THAT(store_->ListAudit(0, 10).value(), IsEmpty());
  EXPECT_EQ(asks("x"), absl::OkStatus());
  EXPECT_TRUE(store_->ListDaemons()->at(0).draining);
  EXPECT_EQ(store_->ListAudit(0, 10)->size(), 1u);
  clock_.Advance(kLeaseSpan);
  EXPECT_TRUE(absl::IsNotFound(asks("x"))) << "its lease has lapsed";
}

TEST_P(HomeContract, HoldersAreListedWithTheirHomes) {
  const Competition other = StartLadder(store_.get(), 2, {"a", "b"});
  const Lease x = Renew("x");
  const Lease y = Renew("y");
  ASSERT_TRUE(store_->TakeHomes(x, {ladder_.id, other.id}).ok());
  ASSERT_EQ(store_->Announce(x, "x:1", true), absl::OkStatus());
  const auto holds = [](const std::string& address, bool draining, std::vector<std::string> homes) {
    return AllOf(Field("address", &LeaseHolder::address, address),
                 Field("draining", &LeaseHolder::draining, draining),
                 Field("homes", &LeaseHolder::homes, homes));
  };
  const std::string first = ladder_.spec.name;
  EXPECT_THAT(store_->ListLeaseHolders().value(),
              ElementsAre(holds("x:1", true, {first, other.spec.name}), holds("", false, {})));
  ASSERT_TRUE(store_->TakeHomes(y, {other.id}).ok());
  EXPECT_THAT(store_->ListLeaseHolders().value(),
              ElementsAre(holds("x:1", true, {first}), holds("", false, {other.spec.name})));
}

INSTANTIATE_TEST_SUITE_P(Stores, HomeContract, ::testing::ValuesIn(AllImplementations()),
                         [](const ::testing::TestParamInfo<Implementation>& info) {
                           return info.param.name;
                         });

}  // namespace
}  // namespace referee::store
