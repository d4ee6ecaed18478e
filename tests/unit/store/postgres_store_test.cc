// Tests of the PostgreSQL store beyond the contract: schema, connections, several stores at once.
#include "referee/store/postgres_store.h"

#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/store/found_store.h"
#include "referee/store/schema.h"
#include "referee/store/sql.h"
#include "tests/unit/store/harness.h"
#include "tests/unit/store/postgres_harness.h"

namespace referee::store {
namespace {

using ::testing::HasSubstr;

class PostgresStoreOfATest : public OnPostgres {
 protected:
  std::unique_ptr<Store> Open() { return OpenMigrated(conninfo_, options_); }
  absl::Status OpenStatus() { return OpenPostgresStore(conninfo_, options_).status(); }
  absl::Status MigrateStatus() { return MigratePostgresStore(conninfo_, options_).status(); }
};

TEST_F(PostgresStoreOfATest, IsMadeOnceByAllThatMigrateItAtOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this] { EXPECT_EQ(MigrateStatus(), absl::OkStatus()); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(db_->ReadInt(absl::StrCat("SELECT version FROM ", Table("store"))).value(),
            kStoreVersion);
}

TEST_F(PostgresStoreOfATest, IsNotMadeByOpeningIt) {
  const absl::Status refused = OpenStatus();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr("refctl store migrate"));
  EXPECT_EQ(db_->ReadInt(absl::StrCat("SELECT count(*) FROM pg_namespace WHERE nspname = '",
                                      options_.schema, "'"))
                .value(),
            0);
}

TEST_F(PostgresStoreOfATest, IsFoundInWhateverVersionItIs) {
  const FoundStore none = FindPostgresStore(conninfo_, options_);
  EXPECT_EQ(none.version, 0);
  EXPECT_THAT(std::string(none.refusal.message()), HasSubstr("refctl store migrate"));
  Open();
  const FoundStore found = FindPostgresStore(conninfo_, options_);
  EXPECT_EQ(found.version, kStoreVersion);
  EXPECT_EQ(found.refusal, absl::OkStatus());
  ASSERT_TRUE(db_->RunScript(absl::StrCat("UPDATE ", Table("store"), " SET version = 99")).ok());
  const FoundStore newer = FindPostgresStore(conninfo_, options_);
  EXPECT_EQ(newer.version, 99);
  EXPECT_TRUE(absl::IsFailedPrecondition(newer.refusal)) << newer.refusal;
}

TEST_F(PostgresStoreOfATest, SaysWhatAMigrationDid) {
  const PostgresMigration made = MigratePostgresStore(conninfo_, options_).value();
  EXPECT_EQ(made.from, 0);
  EXPECT_EQ(made.to, kStoreVersion);
  EXPECT_EQ(MigratePostgresStore(conninfo_, options_)->from, kStoreVersion);
}

TEST_F(PostgresStoreOfATest, OfAnotherVersionIsRefusedAndStaysAsItIs) {
  Open();
  for (const int version : {0, 99}) {
    ASSERT_TRUE(
        db_->Run(absl::StrCat("UPDATE ", Table("store"), " SET version = $1"), version).ok());
    for (const absl::Status& refused : {OpenStatus(), MigrateStatus()}) {
      EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
      EXPECT_THAT(std::string(refused.message()),
                  HasSubstr(absl::StrCat("a store of version ", version)));
    }
    EXPECT_EQ(db_->ReadInt(absl::StrCat("SELECT version FROM ", Table("store"))).value(), version);
  }
}

TEST_F(PostgresStoreOfATest, ThatIsOfAnotherVersionMeanwhileTakesNoRecords) {
  const std::unique_ptr<Store> store = Open();
  ASSERT_TRUE(db_->RunScript(absl::StrCat("UPDATE ", Table("store"), " SET version = 99")).ok());
  const absl::Status refused = store->AddAccount(AccountOf("a", 1), AuditOf("add", "a"));
  EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
}

TEST_F(PostgresStoreOfATest, IsNotMadeAmongTheTablesOfOthers) {
  ASSERT_TRUE(db_->RunScript(absl::StrCat("CREATE SCHEMA ", db_->Identifier(options_.schema),
                                          "; CREATE TABLE ", Table("theirs"), "(x bigint)"))
                  .ok());
  for (const absl::Status& refused : {OpenStatus(), MigrateStatus()}) {
    EXPECT_TRUE(absl::IsInvalidArgument(refused)) << refused;
  }
  EXPECT_EQ(db_->ReadInt(absl::StrCat("SELECT count(*) FROM pg_tables WHERE schemaname = '",
                                      options_.schema, "'"))
                .value(),
            1);
}

TEST_F(PostgresStoreOfATest, ConnectsAnewAfterTheServerHasEndedItsConnections) {
  const std::unique_ptr<Store> store = Open();
  ASSERT_TRUE(store->AddAccount(AccountOf("a", 1), AuditOf("add", "a")).ok());
  ASSERT_TRUE(db_->RunScript("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE "
                             "pid <> pg_backend_pid() AND application_name = 'refereed'")
                  .ok());
  EXPECT_TRUE(absl::IsUnavailable(store->GetAccount("a").status()));
  EXPECT_TRUE(store->GetAccount("a").ok());
}

TEST_F(PostgresStoreOfATest, LeavesOneOrganiserWhenAllAreDisabledAtOnce) {
  const std::unique_ptr<Store> stores[] = {Open(), Open()};
  for (const char* name : {"a", "b"}) {
    Account organiser = AccountOf(name, static_cast<uint8_t>(name[0]));
    organiser.role = Role::kOrganiser;
    ASSERT_TRUE(stores[0]->AddAccount(organiser, AuditOf("add", name)).ok());
  }
  absl::Status disabled[2];
  std::thread other([&] { disabled[1] = stores[1]->SetDisabled("b", "why", AuditOf("x", "b")); });
  disabled[0] = stores[0]->SetDisabled("a", "why", AuditOf("x", "a"));
  other.join();
  EXPECT_NE(disabled[0].ok(), disabled[1].ok()) << disabled[0] << disabled[1];
}

// The next number is taken once, whichever store asks first.
TEST_F(PostgresStoreOfATest, BeginsEachBlockOnceWhenTwoBeginBlocksAtOnce) {
  constexpr int kBlocks = 50;
  const std::unique_ptr<Store> stores[] = {Open(), Open()};
  const Competition ladder = StartLadder(stores[0].get(), 1, {"a", "b"});
  const Lease lease{"one", stores[0]->RenewLease("one", absl::Minutes(1)).value()};
  ASSERT_TRUE(stores[0]->TakeHomes(lease, {ladder.id}).ok());
  int begun[2] = {};
  const auto begin = [&](int which) {
    Store* const store = stores[which].get();
    for (;;) {
      const int64_t next = store->GetCompetition(ladder.id).value().next_block;
      if (next >= kBlocks) return;
      const absl::Status status = store->Apply(lease, {BeginOf(ladder, next, {0, 1})});
      begun[which] += status.ok() ? 1 : 0;
      EXPECT_TRUE(status.ok() || absl::IsAborted(status)) << status;
    }
  };
  std::thread other(begin, 1);
  begin(0);
  other.join();
  EXPECT_EQ(begun[0] + begun[1], kBlocks);
  EXPECT_EQ(stores[0]->ListOpenBlocks(ladder.id).value().size(), size_t{kBlocks});
}

// A claim waits for what is being changed under the lease that it ends.
TEST_F(PostgresStoreOfATest, IsNotChangedUnderALeaseWhoseBlocksAreTakenOverMeanwhile) {
  const std::unique_ptr<Store> store = Open();
  const Competition ladder = StartLadder(store.get(), 1, {"a", "b"});
  const Lease first{"one", store->RenewLease("one", absl::Minutes(1)).value()};
  const Lease second{"two", store->RenewLease("two", absl::Minutes(1)).value()};
  ASSERT_TRUE(store->TakeHomes(first, {ladder.id}).ok());
  std::vector<int64_t> taken;
  std::thread other([&] { taken = Numbers(store->TakeOver(second, {"one"}).value()); });
  int64_t begun = 0;
  while (store->Apply(first, {BeginOf(ladder, begun, {0, 1})}).ok()) ++begun;
  other.join();
  EXPECT_EQ(static_cast<int64_t>(taken.size()), begun);
  EXPECT_NE(store->RenewLease("one", absl::Minutes(1)).value(), first.term);
}

// Of those who ask at once, one becomes the home.
TEST_F(PostgresStoreOfATest, GivesEachHomeToOneOfThoseWhoAskAtOnce) {
  const std::unique_ptr<Store> stores[] = {Open(), Open()};
  std::vector<CompetitionId> ids;
  for (int i = 0; i < 20; ++i) ids.push_back(StartLadder(stores[0].get(), i, {"a", "b"}).id);
  std::vector<CompetitionId> taken[2];
  const auto take = [&](int which) {
    const std::string owner = absl::StrCat("daemon-", which);
    const int64_t term = stores[which]->RenewLease(owner, absl::Minutes(1)).value();
    for (const CompetitionId& id : ids) {
      for (const CompetitionId& one : Value(stores[which]->TakeHomes({owner, term}, {id}))) {
        taken[which].push_back(one);
      }
    }
  };
  std::thread other(take, 1);
  take(0);
  other.join();
  EXPECT_EQ(taken[0].size() + taken[1].size(), ids.size());
}

TEST_F(PostgresStoreOfATest, RenewsALeaseWhileItsBlocksAreBeingChanged) {
  const std::unique_ptr<Store> store = Open();
  const int64_t term = store->RenewLease("one", absl::Minutes(1)).value();
  postgres::Transaction changing(db_.get(), postgres::Transaction::Kind::kWrite);
  ASSERT_TRUE(db_->Run(absl::StrCat("SELECT term FROM ", Table("lease"),
                                    " WHERE owner = 'one' FOR KEY SHARE"))
                  .ok());
  EXPECT_EQ(store->RenewLease("one", absl::Minutes(1)).value(), term);
}

TEST_F(PostgresStoreOfATest, GoesByTheClockOfTheDatabase) {
  const std::unique_ptr<Store> store = Open();
  const Competition ladder = StartLadder(store.get(), 1, {"a", "b"});
  const Lease lease{"one", store->RenewLease("one", absl::Minutes(1)).value()};
  ASSERT_TRUE(store->TakeHomes(lease, {ladder.id}).ok());
  EXPECT_TRUE(store->Apply(lease, {BeginOf(ladder, 0, {0, 1})}).ok());
  ASSERT_TRUE(db_->Run(absl::StrCat("UPDATE ", Table("lease"), " SET until = until - $1"),
                       absl::ToInt64Microseconds(absl::Minutes(1)))
                  .ok());
  EXPECT_TRUE(absl::IsAborted(store->Apply(lease, {BeginOf(ladder, 1, {0, 1})})));
}

TEST_F(PostgresStoreOfATest, TextThatPostgresCannotKeepIsRefused) {
  const std::unique_ptr<Store> store = Open();
  AuditEntry entry = AuditOf("add", "a");
  entry.detail = std::string("a\0b", 3);
  EXPECT_TRUE(absl::IsInvalidArgument(store->AppendAudit(entry)));
}

TEST(PostgresSql, HasNumberedParametersAndNamesNoIndex) {
  EXPECT_EQ(PostgresSql("SELECT ? FROM block INDEXED BY open_block WHERE x = ?"),
            "SELECT $1 FROM block WHERE x = $2");
  EXPECT_EQ(PostgresSql("SELECT ?2, ?1"), "SELECT $2, $1");
}

}  // namespace
}  // namespace referee::store
