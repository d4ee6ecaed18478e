#include "referee/postgres/errors.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/postgres/postgres.h"

namespace referee::postgres {
namespace {

using ::testing::HasSubstr;

absl::StatusCode CodeOf(absl::string_view sqlstate) {
  return StatementError("database x", sqlstate, "what").code();
}

TEST(PostgresErrors, SayWhetherToCallAgain) {
  for (const char* gone : {"08006", "57P01", "57P03", "25006"}) {
    EXPECT_EQ(CodeOf(gone), absl::StatusCode::kUnavailable) << gone;
    EXPECT_TRUE(EndsConnection(gone)) << gone;
  }
  for (const char* busy : {"53300", "55P03", "57014"}) {
    EXPECT_EQ(CodeOf(busy), absl::StatusCode::kUnavailable) << busy;
    EXPECT_FALSE(EndsConnection(busy)) << busy;
  }
}

TEST(PostgresErrors, SayWhetherOthersWereInTheWay) {
  EXPECT_TRUE(IsConflict(StatementError("database x", "40001", "what")));
  EXPECT_TRUE(IsConflict(StatementError("database x", "40P01", "what")));
  EXPECT_FALSE(IsConflict(StatementError("database x", "23505", "what")));
  EXPECT_FALSE(IsConflict(absl::AbortedError("decide anew")));
}

TEST(PostgresErrors, SayWhatTheServerLacks) {
  EXPECT_EQ(CodeOf("53100"), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(CodeOf("42501"), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(CodeOf("3D000"), absl::StatusCode::kNotFound);
  EXPECT_EQ(CodeOf("22021"), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CodeOf("XX001"), absl::StatusCode::kDataLoss);
  EXPECT_EQ(CodeOf("42P01"), absl::StatusCode::kInternal);
}

TEST(PostgresErrors, AreOnOneLine) {
  EXPECT_EQ(StatementError("database x", "42P01", "one\n\ttwo\n").message(),
            "database x: one; two (SQLSTATE 42P01)");
}

TEST(DatabaseName, HasNeitherUserNorPassword) {
  EXPECT_EQ(DatabaseName("postgresql://me:sec%40ret@db1:5433/games").value(),
            "database games on db1:5433");
  EXPECT_EQ(DatabaseName("postgres://db1,db2/games?password=secret").value(),
            "database games on db1,db2");
  EXPECT_EQ(DatabaseName("host=/tmp user=me password=secret").value(),
            "database of the user's name on /tmp");
}

// libpq takes a part of each for something that it shows.
TEST(DatabaseName, OfWhatIsWrittenWronglyIsAnErrorWithoutIt) {
  for (const char* wrong :
       {"postgresql://me:sec@ret@db1/games", "postgresql://me:sec/ret@db1/games",
        "postgresql://me:sec?ret@db1/games", "postgresql://me:sec%ret@db1/games",
        "postgresql://me:secret", "postgresql://me:sec#ret@db1/games", "mysql://me:secret@db1",
        "password=secret games", "host=db1 port=secret", "secret"}) {
    const absl::Status refused = DatabaseName(wrong).status();
    EXPECT_TRUE(absl::IsInvalidArgument(refused)) << wrong;
    EXPECT_THAT(
        std::string(refused.message()),
        ::testing::AllOf(HasSubstr("postgresql://user@host:5432/database"),
                         ::testing::Not(HasSubstr("sec")), ::testing::Not(HasSubstr("ret"))))
        << wrong;
  }
}

}  // namespace
}  // namespace referee::postgres
