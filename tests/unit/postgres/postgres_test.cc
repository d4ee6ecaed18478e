#include "referee/postgres/postgres.h"

#include <csignal>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/postgres/errors.h"
#include "tests/support/postgres_test.h"

namespace referee::postgres {
namespace {

using testing::PostgresCluster;

std::string Conninfo() { return (*PostgresCluster::Get())->conninfo(); }

std::unique_ptr<Connection> Connect(const ConnectionOptions& options = {}) {
  return Connection::Open(Conninfo(), options).value();
}

// A connection to a database with an empty table of its own, `thing(number, text)`.
class PostgresConnection : public ::testing::Test {
 protected:
  void SetUp() override {
    REFEREE_NEED_POSTGRES();
    db_ = Connect();
    ASSERT_TRUE(db_->RunScript("DROP TABLE IF EXISTS thing; CREATE TABLE thing(number bigint "
                               "PRIMARY KEY, text text)")
                    .ok());
  }

  int64_t Count() { return db_->ReadInt("SELECT count(*) FROM thing").value(); }

  std::unique_ptr<Connection> db_;
};

TEST_F(PostgresConnection, GivesValuesBackAsTheyWereBound) {
  const std::string bytes("\0\xff'", 3);
  const std::vector<uint8_t> raw(bytes.begin(), bytes.end());
  const int64_t least = std::numeric_limits<int64_t>::min();
  const absl::Time time = absl::FromUnixMicros(1'700'000'000'000'001);
  Statement row = db_->Prepare(
      "SELECT $1::bigint, $2::double precision, $3::text, $4::bytea, $5::bigint, $6::text, "
      "$7::integer");
  row.Bind(least, 0.1, "ä'\"\\;--", absl::MakeConstSpan(raw), time, absl::optional<std::string>(),
           -7);
  ASSERT_TRUE(row.Step()) << row.status();
  EXPECT_EQ(row.Int(0), least);
  EXPECT_EQ(row.Real(1), 0.1);
  EXPECT_EQ(row.Text(2), "ä'\"\\;--");
  EXPECT_EQ(row.Text(3), bytes);
  EXPECT_EQ(absl::FromUnixMicros(row.Int(4)), time);
  EXPECT_TRUE(row.IsNull(5));
  EXPECT_EQ(row.Int(6), -7);
  EXPECT_FALSE(row.Step());
}

TEST_F(PostgresConnection, GivesArraysBackAsTheyWereBound) {
  const std::vector<int64_t> numbers = {-1, 2, 3};
  const std::vector<std::string> texts = {"", "{a,b}", "NULL"};
  const std::vector<int64_t> none;
  ASSERT_TRUE(
      db_->Run("INSERT INTO thing SELECT * FROM unnest($1::bigint[], $2::text[])", numbers, texts)
          .ok());
  EXPECT_EQ(db_->changes(), 3);
  ASSERT_TRUE(db_->Run("DELETE FROM thing WHERE number = ANY($1::bigint[])", none).ok());
  Statement list = db_->Prepare("SELECT number, text FROM thing ORDER BY number");
  for (size_t i = 0; i < numbers.size(); ++i) {
    ASSERT_TRUE(list.Step());
    EXPECT_EQ(list.Int(0), numbers[i]);
    EXPECT_EQ(list.Text(1), texts[i]);
  }
}

TEST_F(PostgresConnection, GivesElementsOfArraysBackAsTheyWereBound) {
  Statement list = db_->Prepare(
      "SELECT * FROM unnest($1::bigint[], $2::double precision[]) AS row(number, real)");
  list.Bind(std::vector<absl::optional<int64_t>>{7, absl::nullopt}, std::vector<double>{0.1, -2});
  ASSERT_TRUE(list.Step()) << list.status();
  EXPECT_EQ(list.Int(0), 7);
  EXPECT_EQ(list.Real(1), 0.1);
  ASSERT_TRUE(list.Step());
  EXPECT_TRUE(list.IsNull(0));
  EXPECT_EQ(list.Real(1), -2);
}

TEST_F(PostgresConnection, RefusesTextThatIsNoneAndGoesOn) {
  const auto insert = [&](absl::string_view text) {
    return db_->Run("INSERT INTO thing VALUES(1, $1)", text);
  };
  EXPECT_EQ(insert("\xff").code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(insert(absl::string_view("a\0b", 3)).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(insert("a").ok());
}

TEST_F(PostgresConnection, RunsManyStatementsInOneGo) {
  std::vector<Query> queries;
  for (int i = 0; i < 3; ++i) {
    queries.push_back({"INSERT INTO thing VALUES($1, 'x') RETURNING number", Params::Of(i)});
  }
  queries.push_back({"SELECT count(*) FROM thing"});
  const absl::StatusOr<std::vector<Result>> results = db_->RunAll(queries);
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_EQ(results->size(), 4u);
  EXPECT_EQ((*results)[2].Int(0, 0), 2);
  EXPECT_EQ((*results)[3].Int(0, 0), 3);
}

TEST_F(PostgresConnection, RunsNothingAfterTheFirstErrorOfManyAndGoesOn) {
  const absl::Status refused =
      db_->RunAll({{"INSERT INTO thing VALUES(1, 'x')"},
                   {"INSERT INTO thing SELECT 1 / (number - 1) FROM thing"},
                   {"INSERT INTO thing VALUES(2, 'x')"}})
          .status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(refused.message()), ::testing::HasSubstr("division by zero"));
  EXPECT_EQ(Count(), 0);
  EXPECT_TRUE(db_->Run("INSERT INTO thing VALUES(2, 'x')").ok());
  EXPECT_EQ(Count(), 1);
}

// Neither side may wait for the other to read first.
TEST_F(PostgresConnection, SendsAndReadsMoreThanTheBuffersHoldInOneGo) {
  const std::string text(2'000, 'x');
  const std::vector<Query> queries(4'000, {"SELECT $1::text || $1::text", Params::Of(text)});
  const absl::StatusOr<std::vector<Result>> results = db_->RunAll(queries);
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_EQ(results->size(), queries.size());
  EXPECT_EQ(results->back().Text(0, 0).size(), 2 * text.size());
}

TEST_F(PostgresConnection, RollsBackATransactionThatIsNotCommitted) {
  {
    const Transaction transaction(db_.get(), Transaction::Kind::kWrite);
    ASSERT_TRUE(transaction.begun().ok());
    ASSERT_TRUE(db_->Run("INSERT INTO thing VALUES(1, 'x')").ok());
  }
  EXPECT_FALSE(db_->in_transaction());
  EXPECT_EQ(Count(), 0);
}

TEST_F(PostgresConnection, DoesNotTakeAFailedTransactionForCommitted) {
  Transaction transaction(db_.get(), Transaction::Kind::kWrite);
  ASSERT_TRUE(db_->Run("INSERT INTO thing VALUES(1, 'x')").ok());
  EXPECT_FALSE(db_->Run("SELECT 1 / 0").ok());
  EXPECT_FALSE(transaction.Commit().ok());
  EXPECT_EQ(Count(), 0);
}

TEST_F(PostgresConnection, ReadsOneMomentInATransactionThatReads) {
  const std::unique_ptr<Connection> other = Connect();
  Transaction transaction(db_.get(), Transaction::Kind::kRead);
  EXPECT_EQ(Count(), 0);
  ASSERT_TRUE(other->Run("INSERT INTO thing VALUES(1, 'x')").ok());
  EXPECT_EQ(Count(), 0);
}

TEST_F(PostgresConnection, IsLostWhenTheServerEndsIt) {
  const int64_t pid = db_->ReadInt("SELECT pg_backend_pid()").value();
  ASSERT_TRUE(Connect()->Run("SELECT pg_terminate_backend($1::integer)", pid).ok());
  EXPECT_TRUE(absl::IsUnavailable(db_->Run("SELECT 1")));
  EXPECT_FALSE(db_->usable());
  EXPECT_TRUE(absl::IsUnavailable(db_->Run("SELECT 1")));
}

// As after a failover to a server that follows another.
TEST_F(PostgresConnection, IsLostWhenTheServerTakesNoWrites) {
  const Transaction transaction(db_.get(), Transaction::Kind::kRead);
  EXPECT_TRUE(absl::IsUnavailable(db_->Run("INSERT INTO thing VALUES(1, 'x')")));
  EXPECT_FALSE(db_->usable());
}

TEST_F(PostgresConnection, IsGivenUpWhenTheServerDoesNotAnswer) {
  ConnectionOptions options;
  options.statement_limit = options.answer_grace = absl::Milliseconds(100);
  const std::unique_ptr<Connection> silent = Connect(options);
  const auto pid = static_cast<pid_t>(silent->ReadInt("SELECT pg_backend_pid()").value());
  ASSERT_EQ(kill(pid, SIGSTOP), 0);
  const absl::Status status = silent->Run("SELECT 1");
  kill(pid, SIGCONT);
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_FALSE(silent->usable());
}

TEST_F(PostgresConnection, EndsAStatementThatRunsTooLongAndGoesOn) {
  ConnectionOptions options;
  options.statement_limit = absl::Milliseconds(50);
  const std::unique_ptr<Connection> db = Connect(options);
  EXPECT_TRUE(absl::IsUnavailable(db->Run("SELECT pg_sleep(100)")));
  EXPECT_TRUE(db->Run("SELECT 1").ok());
}

TEST_F(PostgresConnection, EndsAStatementThatWaitsTooLongForALockAndGoesOn) {
  ConnectionOptions options;
  options.lock_limit = absl::Milliseconds(50);
  const std::unique_ptr<Connection> waiting = Connect(options);
  const Transaction holds(db_.get(), Transaction::Kind::kWrite);
  ASSERT_TRUE(db_->RunScript("LOCK TABLE thing").ok());
  EXPECT_TRUE(absl::IsUnavailable(waiting->Run("INSERT INTO thing VALUES(1, 'x')")));
  EXPECT_TRUE(waiting->Run("SELECT 1").ok());
}

// As one of a process that is suspended.
TEST_F(PostgresConnection, IsLostWithATransactionThatStandsStillAndHoldsUpNobodyAnyMore) {
  ConnectionOptions options;
  options.idle_limit = absl::Milliseconds(50);
  const std::unique_ptr<Connection> stands_still = Connect(options);
  const Transaction holds(stands_still.get(), Transaction::Kind::kWrite);
  ASSERT_TRUE(stands_still->RunScript("LOCK TABLE thing").ok());
  EXPECT_TRUE(db_->Run("INSERT INTO thing VALUES(1, 'x')").ok());
  EXPECT_TRUE(absl::IsUnavailable(stands_still->Run("SELECT 1")));
  EXPECT_FALSE(stands_still->usable());
}

TEST_F(PostgresConnection, SaysThatAnotherTransactionWasInTheWay) {
  ASSERT_TRUE(db_->Run("INSERT INTO thing VALUES(1, 'x')").ok());
  const std::unique_ptr<Connection> other = Connect();
  ASSERT_TRUE(db_->RunScript("BEGIN ISOLATION LEVEL REPEATABLE READ").ok());
  EXPECT_EQ(Count(), 1);
  ASSERT_TRUE(other->Run("UPDATE thing SET text = 'y'").ok());
  const absl::Status refused = db_->Run("UPDATE thing SET text = 'z'");
  EXPECT_TRUE(absl::IsAborted(refused)) << refused;
  EXPECT_TRUE(IsConflict(refused));
}

TEST_F(PostgresConnection, SaysWhatItMayNotDo) {
  ASSERT_TRUE(db_->RunScript("DROP ROLE IF EXISTS nobody_much; CREATE ROLE nobody_much; "
                             "SET ROLE nobody_much")
                  .ok());
  EXPECT_TRUE(absl::IsPermissionDenied(db_->Run("SELECT number FROM thing")));
}

TEST_F(PostgresConnection, IsToTheFirstHostThatTakesWrites) {
  const std::string folder = (*PostgresCluster::Get())->folder();
  EXPECT_TRUE(
      Connection::Open(absl::StrCat("host=/nowhere,", folder, " user=referee dbname=postgres"), {})
          .ok());
}

TEST_F(PostgresConnection, NamesTheDatabaseInItsErrors) {
  const absl::Status refused = db_->Run("SELECT nothing");
  EXPECT_THAT(std::string(refused.message()), ::testing::StartsWith("database postgres on /"));
  EXPECT_THAT(std::string(refused.message()), ::testing::HasSubstr("\"nothing\" does not exist"));
}

TEST_F(PostgresConnection, QuotesIdentifiers) {
  EXPECT_EQ(db_->Identifier("a\"; b"), "\"a\"\"; b\"");
}

TEST(PostgresConnectionString, IsRefusedWhenItIsNone) {
  const absl::Status refused = Connection::Open("postgresql://host:port/", {}).status();
  EXPECT_TRUE(absl::IsInvalidArgument(Connection::Open("what", {}).status()));
  EXPECT_FALSE(refused.ok());
}

TEST(PostgresConnectionString, IsUnavailableWhereThereIsNoServer) {
  const absl::Status refused = Connection::Open("host=/nowhere dbname=x", {}).status();
  EXPECT_TRUE(absl::IsUnavailable(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()),
              ::testing::StartsWith("database x on /nowhere: cannot connect: "));
}

}  // namespace
}  // namespace referee::postgres
