// Tests of authentication against the accounts.
#include "referee/service/access/accounts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "referee/base/limits.h"
#include "tests/support/accounts.h"
#include "tests/support/memory_store.h"
#include "tests/support/simulated_time.h"

namespace referee::service {
namespace {

using ::testing::HasSubstr;

// Can be unreadable, and counts how often all accounts were read.
class FickleStore final : public test::MemoryStore {
 public:
  absl::StatusOr<std::vector<store::AuditEntry>> ListAudit(int64_t before, int limit) override {
    ++times_asked_;
    if (broken_) return absl::UnavailableError("the disk is busy");
    return MemoryStore::ListAudit(before, limit);
  }
  absl::StatusOr<std::vector<store::Account>> ListAccounts(absl::string_view after,
                                                           int limit) override {
    if (after.empty()) ++times_read_;
    return MemoryStore::ListAccounts(after, limit);
  }
  absl::Status NoteUses(absl::Span<const std::pair<std::string, absl::Time>> uses) override {
    return broken_ ? absl::UnavailableError("the disk is busy") : MemoryStore::NoteUses(uses);
  }
  void Break(bool broken) { broken_ = broken; }
  int times_asked() const { return times_asked_; }
  int times_read() const { return times_read_; }

 private:
  bool broken_ = false;
  int times_asked_ = 0;
  int times_read_ = 0;
};

class AccountsTest : public ::testing::Test {
 protected:
  void Add(const std::string& name, absl::string_view token, store::Role role = store::Role::kBot) {
    referee::testing::AddAccount(&store_, name, token, role);
  }
  void AddThatEnds(const std::string& name, absl::string_view token, absl::Duration lifetime) {
    store::Account account;
    account.name = name;
    account.token_hash = HashToken(token);
    account.create_time = account.token_time = clock_.WallNow();
    account.token_lifetime = lifetime;
    EXPECT_TRUE(store_.AddAccount(account, {}).ok());
  }
  void Disable(absl::string_view name, absl::string_view reason) {
    EXPECT_TRUE(store_.SetDisabled(name, reason, {}).ok());
  }
  void Remove(absl::string_view name) { EXPECT_TRUE(store_.RemoveAccount(name, {}).ok()); }
  void Refresh() { EXPECT_TRUE(accounts_.Refresh().ok()); }
  std::string WhyNot(absl::string_view token) const {
    const absl::Status found = accounts_.Find(HashToken(token)).status();
    EXPECT_TRUE(absl::IsUnauthenticated(found)) << found;
    return std::string(found.message());
  }
  std::string WhyWorthless(absl::string_view name, absl::string_view token) const {
    return std::string(accounts_.Recheck(name, HashToken(token)).message());
  }

  FickleStore store_;
  referee::testing::HeldExecutor* const executor_ = new referee::testing::HeldExecutor();
  referee::testing::SimulatedClock clock_;
  Accounts accounts_{&store_, &clock_, std::unique_ptr<host::Executor>(executor_)};
};

TEST_F(AccountsTest, AreFoundByTheHashOfTheirToken) {
  Add("alice", "a");
  Add("olga", "o", store::Role::kOrganiser);
  Add("oscar", "v", store::Role::kObserver);
  Refresh();
  EXPECT_EQ(accounts_.Find(HashToken("a"))->name, "alice");
  EXPECT_EQ(accounts_.Find(HashToken("o"))->role, Role::kOrganiser);
  EXPECT_EQ(accounts_.Find(HashToken("v"))->role, Role::kObserver);
  EXPECT_THAT(WhyNot("x"), HasSubstr("not known"));
  EXPECT_TRUE(accounts_.KnowsBot("alice"));
  EXPECT_FALSE(accounts_.KnowsBot("olga"));
  EXPECT_FALSE(accounts_.KnowsBot("nobody"));
}

TEST_F(AccountsTest, AreAllKnownHoweverManyThereAre) {
  const int many = limits::kMaxPageSize;  // a page that is full, and an empty one
  for (int i = 0; i < many; ++i) Add(absl::StrCat("b", i), absl::StrCat(i));
  Refresh();
  for (int i = 0; i < many; ++i) EXPECT_TRUE(accounts_.KnowsBot(absl::StrCat("b", i))) << i;
  Add("c", "another");
  Refresh();
  EXPECT_TRUE(accounts_.KnowsBot("c"));
}

TEST_F(AccountsTest, SayWhatBecameOfAToken) {
  Add("alice", "a");
  Refresh();
  EXPECT_EQ(WhyWorthless("alice", "a"), "");
  Disable("alice", "rain");
  Refresh();
  EXPECT_THAT(WhyWorthless("alice", "a"), HasSubstr("rain"));
  EXPECT_THAT(WhyNot("a"), HasSubstr("rain"));
  Disable("alice", "");
  Refresh();
  EXPECT_EQ(WhyWorthless("alice", "a"), "");
  ASSERT_TRUE(store_.SetToken("alice", HashToken("b"), absl::Now(), absl::nullopt, {}).ok());
  Refresh();
  EXPECT_THAT(WhyWorthless("alice", "a"), HasSubstr("renewed"));
  EXPECT_THAT(WhyNot("a"), HasSubstr("not known"));
  EXPECT_TRUE(accounts_.Find(HashToken("b")).ok());
  Remove("alice");
  Refresh();
  EXPECT_THAT(WhyWorthless("alice", "b"), HasSubstr("removed"));
}

TEST_F(AccountsTest, RefuseATokenOnceItHasEndedAndSayWhen) {
  AddThatEnds("alice", "a", absl::Hours(24));
  Refresh();
  clock_.Advance(absl::Hours(24) - absl::Seconds(1));
  EXPECT_TRUE(accounts_.Find(HashToken("a")).ok());
  EXPECT_TRUE(accounts_.CheckExpiry("alice").ok());
  EXPECT_TRUE(absl::IsUnauthenticated(accounts_.FindShutOut(HashToken("a")).status()));
  clock_.Advance(absl::Seconds(1));
  const std::string when =
      absl::FormatTime("%Y-%m-%d %H:%M:%S UTC", clock_.WallNow(), absl::UTCTimeZone());
  EXPECT_THAT(WhyNot("a"), HasSubstr(when));
  EXPECT_THAT(std::string(accounts_.CheckExpiry("alice").message()), HasSubstr(when));
  EXPECT_EQ(accounts_.FindShutOut(HashToken("a"))->name, "alice");
  // What its streams do then is for them to say.
  EXPECT_EQ(WhyWorthless("alice", "a"), "");
}

TEST_F(AccountsTest, KnowWhoIsShutOutAndSayWhy) {
  Add("alice", "a");
  Refresh();
  const auto known = [this] { return accounts_.FindShutOut(HashToken("a")).ok(); };
  EXPECT_FALSE(known()) << "it is let in";
  EXPECT_EQ(accounts_.WhyShutOut("alice"), "");
  Disable("alice", "rain");
  Refresh();
  EXPECT_TRUE(known());
  EXPECT_EQ(accounts_.WhyShutOut("alice"), "disabled: rain");
  Disable("alice", "");
  ASSERT_TRUE(
      store_.SetBan({store::Ban::Kind::kAccount, "alice", "floods", clock_.WallNow(), {}}, {})
          .ok());
  Refresh();
  EXPECT_TRUE(known());
  EXPECT_EQ(accounts_.WhyShutOut("alice"), "banned: floods");
  EXPECT_FALSE(accounts_.FindShutOut(HashToken("b")).ok());
}

TEST_F(AccountsTest, SayThatATokenEndsSoonInItsLastQuarterAndTwoWeeksBeforeAtMost) {
  const auto ends_soon = [&](absl::string_view token) {
    return accounts_.Find(HashToken(token))->ends_soon.has_value();
  };
  AddThatEnds("alice", "a", absl::Hours(100));
  AddThatEnds("bob", "b", absl::Hours(24 * 365));
  Add("carol", "c");
  Refresh();
  EXPECT_FALSE(ends_soon("a"));
  clock_.Advance(absl::Hours(75) + absl::Seconds(1));
  EXPECT_EQ(accounts_.Find(HashToken("a"))->ends_soon, store_.GetAccount("alice")->token_expires());
  EXPECT_FALSE(ends_soon("b"));
  clock_.Advance(absl::Hours(24 * 351 - 75));
  EXPECT_TRUE(ends_soon("b"));
  EXPECT_FALSE(ends_soon("c"));
}

TEST_F(AccountsTest, TakeAFormerTokenForAWhileAndLeaveItsStreamsAlone) {
  Add("alice", "a");
  const absl::Time until = clock_.WallNow() + absl::Minutes(10);
  ASSERT_TRUE(
      store_.RenewToken("alice", HashToken("a"), HashToken("b"), clock_.WallNow(), until, {}).ok());
  Refresh();
  EXPECT_EQ(accounts_.Find(HashToken("a"))->name, "alice");
  EXPECT_EQ(accounts_.Find(HashToken("b"))->name, "alice");
  clock_.Advance(absl::Minutes(10));
  EXPECT_THAT(WhyNot("a"), HasSubstr("renewed"));
  EXPECT_EQ(WhyWorthless("alice", "a"), "");
  EXPECT_EQ(accounts_.Find(HashToken("b"))->name, "alice");
  // An organiser ends both.
  ASSERT_TRUE(store_.SetToken("alice", HashToken("c"), clock_.WallNow(), absl::nullopt, {}).ok());
  Refresh();
  EXPECT_THAT(WhyNot("a"), HasSubstr("not known"));
  EXPECT_THAT(WhyNot("b"), HasSubstr("not known"));
  EXPECT_THAT(WhyWorthless("alice", "a"), HasSubstr("renewed"));
}

TEST_F(AccountsTest, NoteTheUseOfATokenOnceAnHour) {
  Add("alice", "a");
  Add("bob", "b");
  Refresh();
  const auto last_used = [&] {
    accounts_.RefreshThen([](const absl::Status&) {});
    return store_.GetAccount("alice")->last_used;
  };
  EXPECT_EQ(last_used(), absl::nullopt);
  const absl::Time first = clock_.WallNow();
  EXPECT_TRUE(accounts_.Find(HashToken("a")).ok());
  EXPECT_EQ(last_used(), first);
  clock_.Advance(absl::Minutes(59));
  EXPECT_TRUE(accounts_.Find(HashToken("a")).ok());
  EXPECT_EQ(last_used(), first);
  clock_.Advance(absl::Minutes(1));
  EXPECT_TRUE(accounts_.Find(HashToken("a")).ok());
  EXPECT_EQ(last_used(), first + absl::Hours(1));
  EXPECT_EQ(store_.GetAccount("bob")->last_used, absl::nullopt);
}

TEST_F(AccountsTest, NoteAUseAgainThatTheStoreDidNotTake) {
  Add("alice", "a");
  Refresh();
  EXPECT_TRUE(accounts_.Find(HashToken("a")).ok());
  store_.Break(true);
  accounts_.RefreshThen([](const absl::Status&) {});
  EXPECT_EQ(store_.GetAccount("alice")->last_used, absl::nullopt);
  store_.Break(false);
  accounts_.RefreshThen([](const absl::Status&) {});
  EXPECT_EQ(store_.GetAccount("alice")->last_used, clock_.WallNow());
}

TEST_F(AccountsTest, HaveAnOrganiserWhenOneIsThereDisabledOrNot) {
  Add("alice", "a");
  Refresh();
  EXPECT_FALSE(accounts_.HasOrganiser());
  // As an older referee may have left it.
  store::Account olga;
  olga.name = "olga";
  olga.role = store::Role::kOrganiser;
  olga.token_hash = HashToken("o");
  olga.disabled = "away";
  ASSERT_TRUE(store_.AddAccount(olga, {}).ok());
  Refresh();
  EXPECT_TRUE(accounts_.HasOrganiser()) << "else whoever is on this machine were one";
  Remove("olga");
  Refresh();
  EXPECT_FALSE(accounts_.HasOrganiser());
  Add("otto", "t", store::Role::kOrganiser);
  Refresh();
  EXPECT_TRUE(accounts_.HasOrganiser());
}

TEST_F(AccountsTest, AreReadAgainOnlyWhenSomethingWasDone) {
  Add("alice", "a");
  for (int i = 0; i < 3; ++i) Refresh();
  EXPECT_EQ(store_.times_read(), 1);
  Add("bob", "b");
  for (int i = 0; i < 3; ++i) Refresh();
  EXPECT_EQ(store_.times_read(), 2);
}

TEST_F(AccountsTest, AskTheStoreWhetherItAnswersOnlyIfNoRefreshHasSaidSoLately) {
  constexpr absl::Duration kAge = absl::Seconds(2);
  EXPECT_TRUE(accounts_.StoreAnswers(kAge));
  EXPECT_EQ(store_.times_asked(), 1);
  clock_.Advance(kAge);
  EXPECT_TRUE(accounts_.StoreAnswers(kAge));
  EXPECT_EQ(store_.times_asked(), 1);
  clock_.Advance(absl::Nanoseconds(1));
  store_.Break(true);
  EXPECT_FALSE(accounts_.StoreAnswers(kAge));
  EXPECT_EQ(store_.times_asked(), 2);
}

TEST_F(AccountsTest, SayThatTheStoreDoesNotAnswerAfterTheFirstRefreshThatFails) {
  Refresh();
  store_.Break(true);
  EXPECT_FALSE(accounts_.Refresh().ok());
  EXPECT_FALSE(accounts_.StoreAnswers(absl::Hours(1)));
  store_.Break(false);
  EXPECT_TRUE(accounts_.StoreAnswers(absl::Hours(1)));
}

TEST_F(AccountsTest, AreLookedForOnTheExecutorOnceForAllWhoWait) {
  executor_->Hold();
  Refresh();
  Add("alice", "a");
  int answered = 0;
  for (int i = 0; i < 3; ++i) {
    accounts_.RefreshThen([&](const absl::Status& fresh) {
      EXPECT_TRUE(fresh.ok());
      EXPECT_TRUE(accounts_.Find(HashToken("a")).ok());
      ++answered;
    });
  }
  EXPECT_EQ(answered, 0);
  EXPECT_FALSE(accounts_.Find(HashToken("a")).ok());
  executor_->Release();
  EXPECT_EQ(answered, 3);
}

TEST_F(AccountsTest, StayAsTheyWereWhileTheStoreCannotBeRead) {
  Add("alice", "a");
  Refresh();
  store_.Break(true);
  Disable("alice", "rain");
  EXPECT_TRUE(absl::IsUnavailable(accounts_.Refresh()));
  accounts_.RefreshThen([](const absl::Status& fresh) { EXPECT_TRUE(absl::IsUnavailable(fresh)); });
  EXPECT_TRUE(accounts_.Find(HashToken("a")).ok());
  store_.Break(false);
  Refresh();
  EXPECT_THAT(WhyNot("a"), HasSubstr("rain"));
}

TEST_F(AccountsTest, AreLookedForOnceMoreBeforeANameIsSaidToBeNoBots) {
  Refresh();
  Add("alice", "a");
  EXPECT_TRUE(CheckAreBots(&accounts_, {"alice"}).ok());
  const absl::Status unknown = CheckAreBots(&accounts_, {"alice", "bob"});
  EXPECT_THAT(std::string(unknown.message()), HasSubstr("'bob'"));
}

TEST_F(AccountsTest, AreBannedUntilTheBanEnds) {
  Add("alice", "a");
  const auto ban = [&](absl::Time until) {
    store::Ban made{store::Ban::Kind::kAccount, "alice", "", absl::UnixEpoch(), until};
    EXPECT_TRUE(store_.SetBan(made, {}).ok());
    made.kind = store::Ban::Kind::kAddress;
    made.subject = "10.0.0.0/8";
    EXPECT_TRUE(store_.SetBan(made, {}).ok());
    Refresh();
  };
  ban(clock_.WallNow() + absl::Hours(1));
  EXPECT_TRUE(absl::IsPermissionDenied(accounts_.Find(HashToken("a")).status()));
  EXPECT_TRUE(absl::IsPermissionDenied(accounts_.Recheck("alice", HashToken("a"))));
  EXPECT_TRUE(absl::IsPermissionDenied(accounts_.CheckAddress("10.1.2.3")));
  EXPECT_TRUE(accounts_.CheckAddress("11.1.2.3").ok());
  ban(clock_.WallNow() - absl::Seconds(1));
  EXPECT_TRUE(accounts_.Find(HashToken("a")).ok());
  EXPECT_TRUE(accounts_.CheckAddress("10.1.2.3").ok());
}

}  // namespace
}  // namespace referee::service
