// Tests of leases: which referee may change what, and for how long.
#include <array>
#include <thread>

#include "absl/strings/str_cat.h"
#include "tests/unit/store/harness.h"

namespace referee::store {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Optional;

constexpr absl::Duration kSpan = absl::Seconds(30);

class LeaseContract : public StoreContract {
 protected:
  void SetUp() override {
    StoreContract::SetUp();
    if (!IsSkipped()) ladder_ = StartLadder(store_.get(), 1, {"a", "b"});
  }

  Lease Renew(const std::string& owner) {
    return {owner, store_->RenewLease(owner, kSpan).value()};
  }
  // Makes it the home of the ladder, if nobody else is.
  void TakeHome(const Lease& lease) { ASSERT_TRUE(store_->TakeHomes(lease, {ladder_.id}).ok()); }
  void Begin(const Lease& lease, int64_t number) {
    TakeHome(lease);
    ASSERT_EQ(store_->Apply(lease, {BeginOf(ladder_, number, {0, 1})}), absl::OkStatus());
  }
  static Change NameOf(const Competition& ladder, int64_t number) {
    return NameMatches{ladder.id, number, 0, "block", {MatchIdOf(0), MatchIdOf(1)}};
  }
  // Everything that a daemon may say of block 0, which is in its first attempt.
  std::vector<Change> AllOfBlock0() const {
    return {NameOf(ladder_, 0), RetryOf(ladder_, 0), FinishOf(ladder_, 0), DropOf(ladder_, 0)};
  }
  void ExpectRefused(const Lease& lease, const std::vector<Change>& changes) {
    for (size_t i = 0; i < changes.size(); ++i) {
      const absl::Status status = store_->Apply(lease, {changes[i]});
      EXPECT_TRUE(absl::IsAborted(status)) << "change " << i << ": " << status;
    }
  }
  // Lets the leases of others lapse, and claims what they leave.
  std::vector<Block> ClaimAfterLapse(const std::string& owner) {
    clock_.Advance(kSpan);
    const Lease lease = Renew(owner);
    TakeHome(lease);
    return store_->ClaimExpired(lease).value();
  }

  // Of whoever owns `open` RUNNING blocks, of one competition, the oldest of them of second
  // `oldest`.
  static auto Owns(int64_t open, int oldest) {
    return AllOf(Field("open_blocks", &LeaseHolder::open_blocks, open),
                 Field("competitions", &LeaseHolder::competitions, 1),
                 Field("oldest", &LeaseHolder::oldest_begin_time, Optional(At(oldest))));
  }
  static auto OwnsNone() {
    return AllOf(Field("open_blocks", &LeaseHolder::open_blocks, 0),
                 Field("competitions", &LeaseHolder::competitions, 0),
                 Field("oldest", &LeaseHolder::oldest_begin_time, absl::nullopt));
  }
  static auto Holds(const Lease& lease, absl::Duration remaining) {
    return AllOf(Field("owner", &LeaseHolder::owner, lease.owner),
                 Field("term", &LeaseHolder::term, lease.term),
                 Field("remaining", &LeaseHolder::remaining, Optional(remaining)));
  }

  Competition ladder_;
};

TEST_P(LeaseContract, TermStaysUntilTheLeaseHasEndedAndIsNeverGivenTwice) {
  const Lease x = Renew("x");
  const Lease y = Renew("y");
  EXPECT_GT(x.term, 0);
  EXPECT_NE(x.term, y.term);
  clock_.Advance(kSpan - absl::Seconds(1));
  EXPECT_EQ(Renew("x"), x);
  clock_.Advance(2 * kSpan);
  EXPECT_EQ(Renew("x"), x) << "it had lapsed, but nobody has claimed";
  ASSERT_TRUE(store_->ClaimExpired(x).ok());
  Reopen();
  const Lease later = Renew("y");
  EXPECT_GT(later.term, std::max(x.term, y.term));
  // Also when no lease is left.
  ASSERT_TRUE(store_->TakeOver(x, {"y"}).ok());
  ASSERT_TRUE(store_->TakeOver(Renew("z"), {"x"}).ok());
  ASSERT_TRUE(store_->TakeOver(Renew("w"), {"z"}).ok());
  Reopen();
  EXPECT_GT(Renew("y").term, later.term + 2);
}

TEST_P(LeaseContract, ManyWhoAskAtOnceForTheLeaseOfOneOwnerGetOneTerm) {
  for (int i = 0; i < 25; ++i) {
    const std::string owner = absl::StrCat("owner ", i);
    std::array<absl::StatusOr<int64_t>, 4> terms;
    std::vector<std::thread> threads;
    for (absl::StatusOr<int64_t>& term : terms) {
      threads.emplace_back([&] { term = store_->RenewLease(owner, kSpan); });
    }
    for (std::thread& thread : threads) thread.join();
    for (const absl::StatusOr<int64_t>& term : terms) {
      ASSERT_TRUE(term.ok()) << term.status();
      EXPECT_EQ(*term, Renew(owner).term);
    }
  }
}

TEST_P(LeaseContract, NothingChangesWithoutALease) {
  const Lease x = Renew("x");
  Begin(x, 0);
  std::vector<Change> all = AllOfBlock0();
  all.push_back(BeginOf(ladder_, 1, {0, 1}));
  all.push_back(CountOf(ladder_, 0, 0));
  ExpectRefused({"x", 0}, all);
  ExpectRefused({"x", x.term + 1}, all);
  ExpectRefused({"y", x.term}, all);
  EXPECT_TRUE(absl::IsAborted(store_->ClaimExpired({"y", x.term}).status()));
  EXPECT_TRUE(absl::IsAborted(store_->TakeOver({"y", x.term}, {"x"}).status()));
  EXPECT_EQ(store_->GetBlock(ladder_.id, 0)->owner, "x");
  EXPECT_EQ(store_->GetCompetition(ladder_.id)->next_block, 1);
}

TEST_P(LeaseContract, NothingChangesUnderALeaseThatHasLapsedUntilItIsRenewed) {
  const Lease x = Renew("x");
  Begin(x, 0);
  clock_.Advance(kSpan - absl::Microseconds(1));
  ASSERT_EQ(store_->Apply(x, {NameOf(ladder_, 0)}), absl::OkStatus());
  clock_.Advance(absl::Microseconds(1));
  std::vector<Change> all = AllOfBlock0();
  all.push_back(BeginOf(ladder_, 1, {0, 1}));
  all.push_back(CountOf(ladder_, 0, 0));
  ExpectRefused(x, all);
  EXPECT_TRUE(absl::IsAborted(store_->ClaimExpired(x).status()));
  EXPECT_TRUE(absl::IsAborted(store_->TakeOver(x, {"y"}).status()));
  EXPECT_EQ(Renew("x"), x);
  EXPECT_EQ(store_->Apply(x, {FinishOf(ladder_, 0)}), absl::OkStatus());
}

TEST_P(LeaseContract, BlocksOfAnotherAreNotOnesOwnToChange) {
  Begin(Renew("x"), 0);
  ExpectRefused(Renew("y"), AllOfBlock0());
}

TEST_P(LeaseContract, LeaseThatLapsedHandsItsBlocksOverOnce) {
  const Lease x = Renew("x");
  const Lease y = Renew("y");
  Begin(x, 0);
  Begin(x, 1);
  ASSERT_EQ(store_->Apply(x, {NameOf(ladder_, 0), FinishOf(ladder_, 1)}), absl::OkStatus());
  // y is the home from here on, and x plays on what it has begun.
  ASSERT_EQ(store_->Announce(x, "", true), absl::OkStatus());
  Begin(y, 2);
  clock_.Advance(kSpan - absl::Seconds(1));
  Renew("y");
  EXPECT_THAT(store_->ClaimExpired(y).value(), IsEmpty());
  clock_.Advance(absl::Seconds(1));
  EXPECT_THAT(store_->ClaimExpired(Renew("z")).value(), IsEmpty()) << "it is not the home";
  Reopen();
  const std::vector<Block> claimed = store_->ClaimExpired(y).value();
  EXPECT_THAT(Numbers(claimed), ElementsAre(0));
  EXPECT_EQ(claimed[0].owner, "y");
  EXPECT_EQ(claimed[0].competition, ladder_.id);
  EXPECT_EQ(claimed[0].attempt, 0);
  EXPECT_EQ(claimed[0].block_id, "block");
  EXPECT_THAT(store_->ClaimExpired(Renew("z")).value(), IsEmpty());
  ExpectRefused(x, AllOfBlock0());
  ExpectRefused(Renew("x"), AllOfBlock0());
  EXPECT_EQ(store_->Apply(y, {FinishOf(ladder_, 0)}), absl::OkStatus());
  EXPECT_THAT(Numbers(store_->ListOpenBlocks(ladder_.id).value()), ElementsAre(2));
}

TEST_P(LeaseContract, StaleChangesDoNotPassOnceTheBlockHasBeenClaimedBack) {
  const Lease x = Renew("x");
  Begin(x, 0);
  ASSERT_EQ(store_->Apply(x, {NameOf(ladder_, 0)}), absl::OkStatus());
  ASSERT_THAT(Numbers(ClaimAfterLapse("y")), ElementsAre(0));
  // y dies, and x is back.
  ASSERT_THAT(Numbers(ClaimAfterLapse("x")), ElementsAre(0));
  const Block block = store_->GetBlock(ladder_.id, 0).value();
  EXPECT_EQ(block.owner, "x");
  EXPECT_EQ(block.attempt, 0);
  // What x had decided before it lost the block.
  std::vector<Change> stale = AllOfBlock0();
  stale.push_back(BeginOf(ladder_, 1, {0, 1}));
  stale.push_back(CountOf(ladder_, 0, 0));
  ExpectRefused(x, stale);
  EXPECT_EQ(store_->Apply(Renew("x"), {FinishOf(ladder_, 0)}), absl::OkStatus());
}

TEST_P(LeaseContract, AttemptThatWasNotNamedIsNotPlayedByWhoeverClaimsIt) {
  Begin(Renew("x"), 0);
  const std::vector<Block> claimed = ClaimAfterLapse("y");
  ASSERT_THAT(Numbers(claimed), ElementsAre(0));
  EXPECT_EQ(claimed[0].attempt, 1);
  Reopen();
  const Block block = store_->GetBlock(ladder_.id, 0).value();
  EXPECT_EQ(block.attempt, 1);
  ASSERT_EQ(block.attempts.size(), 1);
  EXPECT_EQ(block.attempts[0].number, 0);
  EXPECT_EQ(block.attempts[0].ending, match::Ending::kVoid);
  EXPECT_EQ(block.attempts[0].reason, LeftAttempt(0, clock_.WallNow()).reason);
  EXPECT_EQ(block.attempts[0].end_time, clock_.WallNow());
  EXPECT_THAT(block.attempts[0].matches, IsEmpty());
  EXPECT_EQ(store_->GetCompetition(ladder_.id)->replayed, 1);
  ExpectRefused(Renew("y"), AllOfBlock0());
  FinishBlock finish = FinishOf(ladder_, 0);
  finish.attempt = 1;
  EXPECT_EQ(store_->Apply(Renew("y"), {finish}), absl::OkStatus());
}

TEST_P(LeaseContract, FinishInDoubtMayBeRepeatedUnderALaterLease) {
  const Lease x = Renew("x");
  Begin(x, 0);
  ASSERT_EQ(store_->Apply(x, {FinishOf(ladder_, 0)}), absl::OkStatus());
  EXPECT_EQ(store_->Apply(x, {FinishOf(ladder_, 0)}), absl::OkStatus());
  ClaimAfterLapse("y");
  EXPECT_TRUE(absl::IsAborted(store_->Apply(x, {FinishOf(ladder_, 0)})));
  const Lease later = Renew("x");
  EXPECT_NE(later, x);
  EXPECT_EQ(store_->Apply(later, {FinishOf(ladder_, 0)}), absl::OkStatus());
}

TEST_P(LeaseContract, TakingOverEndsALeaseThatLastsAndLeavesItsBlocksAsTheyAre) {
  const Lease x = Renew("x");
  Begin(x, 0);
  Begin(x, 1);
  Begin(x, 2);
  RetryBlock to_other = RetryOf(ladder_, 2);
  to_other.to = "other";
  ASSERT_EQ(store_->Apply(x, {NameOf(ladder_, 0), to_other}), absl::OkStatus());
  Reopen();
  const Lease next = Renew("next");
  const std::vector<Block> taken = store_->TakeOver(next, {"unknown", "x"}).value();
  EXPECT_THAT(Numbers(taken), ElementsAre(0, 1));
  for (const Block& block : taken) {
    EXPECT_EQ(block.owner, "next");
    EXPECT_EQ(block.attempt, 0);
  }
  EXPECT_EQ(store_->GetBlock(ladder_.id, 1)->owner, "next");
  EXPECT_EQ(store_->GetBlock(ladder_.id, 2)->owner, "other");
  EXPECT_EQ(store_->GetCompetition(ladder_.id)->replayed, 1);
  ExpectRefused(x, AllOfBlock0());
  EXPECT_NE(Renew("x"), x);
  ExpectRefused(Renew("x"), AllOfBlock0());
  EXPECT_EQ(store_->Apply(next, {FinishOf(ladder_, 0), FinishOf(ladder_, 1)}), absl::OkStatus());
}

TEST_P(LeaseContract, RenewalMayMakeALeaseShorter) {
  const Lease x = Renew("x");
  TakeHome(x);
  EXPECT_EQ(store_->RenewLease("x", absl::Seconds(1)).value(), x.term);
  clock_.Advance(absl::Seconds(1));
  ExpectRefused(x, {BeginOf(ladder_, 0, {0, 1})});
}

TEST_P(LeaseContract, HoldersAreListedByNameWithWhatIsLeftOfTheirLeases) {
  EXPECT_THAT(store_->ListLeaseHolders().value(), IsEmpty());
  const Lease y = Renew("y");
  clock_.Advance(absl::Seconds(10));
  const Lease x = Renew("x");
  Reopen();
  EXPECT_THAT(store_->ListLeaseHolders().value(),
              ElementsAre(AllOf(Holds(x, kSpan), OwnsNone()),
                          AllOf(Holds(y, kSpan - absl::Seconds(10)), OwnsNone())));
  clock_.Advance(kSpan - absl::Seconds(10));
  EXPECT_THAT(store_->ListLeaseHolders().value(),
              ElementsAre(Holds(x, absl::Seconds(10)), Holds(y, absl::ZeroDuration())));
  clock_.Advance(absl::Seconds(12));
  EXPECT_THAT(store_->ListLeaseHolders().value(),
              ElementsAre(Holds(x, absl::Seconds(-2)), Holds(y, absl::Seconds(-12))))
      << "both have lapsed, and nobody has claimed";
  // To look renews nothing and ends nothing.
  ExpectRefused(x, {BeginOf(ladder_, 0, {0, 1})});
  EXPECT_EQ(Renew("y"), y);
}

TEST_P(LeaseContract, HoldersAreListedWithTheBlocksThatAreOpen) {
  const Competition other = StartLadder(store_.get(), 2, {"a", "b"});
  const Lease x = Renew("x");
  const Lease y = Renew("y");
  ASSERT_TRUE(store_->TakeHomes(x, {ladder_.id, other.id}).ok());
  const auto begin = [](const Competition& ladder, int64_t number, int second) {
    BeginBlock begin = BeginOf(ladder, number, {0, 1});
    begin.time = At(second);
    return begin;
  };
  ASSERT_EQ(store_->Apply(x, {begin(ladder_, 0, 20), begin(ladder_, 1, 30), begin(other, 0, 25)}),
            absl::OkStatus());
  RetryBlock to_y = RetryOf(other, 1);
  to_y.to = "y";
  ASSERT_EQ(store_->Apply(x, {begin(other, 1, 10), to_y}), absl::OkStatus());
  Reopen();
  EXPECT_THAT(store_->ListLeaseHolders().value(),
              ElementsAre(AllOf(Holds(x, kSpan), Field("open_blocks", &LeaseHolder::open_blocks, 3),
                                Field("competitions", &LeaseHolder::competitions, 2),
                                Field("oldest", &LeaseHolder::oldest_begin_time, Optional(At(20)))),
                          AllOf(Holds(y, kSpan), Owns(1, 10))));
  ASSERT_EQ(store_->Apply(x, {FinishOf(ladder_, 0), DropOf(other, 0)}), absl::OkStatus());
  EXPECT_THAT(store_->ListLeaseHolders().value(), ElementsAre(Owns(1, 30), Owns(1, 10)));
}

TEST_P(LeaseContract, HolderIsGoneOnceItsBlocksHaveBeenClaimed) {
  Begin(Renew("x"), 0);
  clock_.Advance(kSpan);
  const Lease y = Renew("y");
  TakeHome(y);
  ASSERT_THAT(Numbers(store_->ClaimExpired(y).value()), ElementsAre(0));
  EXPECT_THAT(store_->ListLeaseHolders().value(),
              ElementsAre(AllOf(Holds(y, kSpan), Field(&LeaseHolder::open_blocks, 1))));
  const Lease z = Renew("z");
  ASSERT_TRUE(store_->TakeOver(z, {"y"}).ok());
  Reopen();
  EXPECT_THAT(store_->ListLeaseHolders().value(),
              ElementsAre(AllOf(Holds(z, kSpan), Field(&LeaseHolder::open_blocks, 1))));
}

INSTANTIATE_TEST_SUITE_P(Stores, LeaseContract, ::testing::ValuesIn(AllImplementations()),
                         [](const ::testing::TestParamInfo<Implementation>& info) {
                           return info.param.name;
                         });

}  // namespace
}  // namespace referee::store
