// Tests of copying a store from a file into PostgreSQL.
#include "referee/store/copy.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/replay/data_dir.h"
#include "referee/store/place.h"
#include "referee/store/postgres_schema.h"
#include "referee/store/schema.h"
#include "referee/store/sqlite_store.h"
#include "tests/unit/store/harness.h"
#include "tests/unit/store/postgres_harness.h"

namespace referee::store {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;

class CopyOfAStore : public OnPostgres {
 protected:
  void SetUp() override {
    OnPostgres::SetUp();
    if (db_ == nullptr) return;  // skipped, or failed
    file_ = OpenSqliteStore(Path(), {}).value();
    Fill();
  }

  std::string Path() const { return folder_.Path("store.db"); }

  // Something of everything.
  void Fill() {
    for (const char* name : {"a", "b", "\xc3\xa4"}) {
      const auto token = static_cast<uint8_t>(name[0]);
      ASSERT_TRUE(file_->AddAccount(AccountOf(name, token), AuditOf("add", name)).ok());
    }
    ASSERT_TRUE(
        file_->SetBan({Ban::Kind::kAddress, "10.0.0.0/8", "why", At(1), At(9)}, AuditOf("ban", "x"))
            .ok());
    Competition ladder = StartLadder(file_.get(), 1, {"a", "b"});
    ASSERT_TRUE(Apply(file_.get(), {BeginOf(ladder, 0, {0, 1}), BeginOf(ladder, 1, {1, 0}),
                                    BeginOf(ladder, 2, {0, 1}), BeginOf(ladder, 3, {0, 1})})
                    .ok());
    ASSERT_TRUE(Apply(file_.get(), {FinishOf(ladder, 0), RetryOf(ladder, 1), DropOf(ladder, 2),
                                    CountOf(ladder, 0, 1)})
                    .ok());
    Competition other = LadderOf(2, "other", {"b"});
    other.spec.options = {{"size", "\x01\xff"}};
    other.spec.positions = {"one", "two"};
    ASSERT_TRUE(file_->CreateCompetition(other, absl::nullopt).ok());
  }

  absl::StatusOr<CopyReport> CopyIt() {
    return CopyToPostgres(folder_.path(), conninfo_, options_, [this](int64_t done, int64_t total) {
      progress_ = absl::StrCat(done, " of ", total);
    });
  }
  std::unique_ptr<Store> Open() { return OpenPostgresStore(conninfo_, options_).value(); }
  int64_t RowsOf(const std::string& table) {
    return db_->ReadInt("SELECT count(*) FROM " + Table(table)).value();
  }

  std::unique_ptr<Store> file_;
  std::string progress_;
};

TEST_F(CopyOfAStore, HasAllThatTheFileHas) {
  const std::string before = Describe(file_.get());
  file_.reset();
  const absl::StatusOr<CopyReport> report = CopyIt();
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(Describe(Open().get()), before);
  EXPECT_EQ(report->accounts, 3);
  EXPECT_EQ(report->competitions, 2);
  EXPECT_EQ(report->blocks, 4);
  EXPECT_EQ(progress_, absl::StrCat(2 * report->rows, " of ", 2 * report->rows));
}

TEST_F(CopyOfAStore, GivesNoNumberTwice) {
  const int64_t last = file_->ListAudit(0, 1).value()[0].number;
  file_.reset();
  ASSERT_TRUE(CopyIt().ok());
  const std::unique_ptr<Store> copy = Open();
  ASSERT_TRUE(copy->AppendAudit(AuditOf("look", "x")).ok());
  EXPECT_EQ(copy->ListAudit(0, 1).value()[0].number, last + 1);
  EXPECT_TRUE(copy->CreateCompetition(LadderOf(3, "third", {}), absl::nullopt).ok());
}

TEST_F(CopyOfAStore, HasBlocksThatRanUnderTheirOwnersName) {
  file_.reset();
  ASSERT_TRUE(CopyIt().ok());
  const std::unique_ptr<Store> copy = Open();
  EXPECT_EQ(RowsOf("lease"), 0);
  EXPECT_THAT(copy->ListLeaseHolders().value(),
              ElementsAre(AllOf(Field(&LeaseHolder::owner, kOwner), Field(&LeaseHolder::term, 0),
                                Field(&LeaseHolder::remaining, absl::nullopt),
                                Field(&LeaseHolder::open_blocks, 2),
                                Field(&LeaseHolder::oldest_begin_time, At(1)))));
  const Lease heir{"heir", copy->RenewLease("heir", absl::Minutes(1)).value()};
  EXPECT_EQ(Numbers(copy->TakeOver(heir, {kOwner}).value()), (std::vector<int64_t>{1, 3}));
}

TEST_F(CopyOfAStore, HasNoSecretOfAFleet) {
  const auto draw = [](absl::Span<uint8_t> bytes) { bytes[0] = 1; };
  ASSERT_TRUE(file_->FleetSecret(draw).ok());
  file_.reset();
  ASSERT_TRUE(CopyIt().ok());
  EXPECT_EQ(RowsOf("fleet"), 0);
}

TEST_F(CopyOfAStore, IsTheDataDirectorysStoreFromThenOn) {
  file_.reset();
  ASSERT_TRUE(CopyIt().ok());
  for (const absl::Status& refused : {OpenStore({folder_.path(), ""}, {}).status(),
                                      OpenStoreToRead({folder_.path(), ""}).status(),
                                      CheckPlace({folder_.path(), ""}), CopyIt().status()}) {
    EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
    EXPECT_THAT(std::string(refused.message()), HasSubstr("give --store"));
  }
}

TEST_F(CopyOfAStore, IsNotMadeInOneThatIsNotEmpty) {
  file_.reset();
  OpenMigrated(conninfo_, options_)->AppendAudit(AuditOf("look", "x")).IgnoreError();
  const absl::Status refused = CopyIt().status();
  EXPECT_TRUE(absl::IsAlreadyExists(refused)) << refused;
  EXPECT_EQ(RowsOf("account"), 0);
  EXPECT_TRUE(CheckPlace({folder_.path(), ""}).ok());
}

TEST_F(CopyOfAStore, IsNotMadeWhileARefereeRunsOnTheDirectory) {
  file_.reset();
  const auto lock = replay::LockDataDir(folder_.path());
  ASSERT_TRUE(lock.ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(CopyIt().status()));
}

TEST_F(CopyOfAStore, OfNothingMakesNothing) {
  const absl::Status none =
      CopyToPostgres(folder_.Path("none"), conninfo_, options_, [](int64_t, int64_t) {}).status();
  EXPECT_TRUE(absl::IsNotFound(none)) << none;
  EXPECT_TRUE(absl::IsFailedPrecondition(OpenPostgresStore(conninfo_, options_).status()));
}

TEST_F(CopyOfAStore, ThatIsReadBackOtherwiseIsNotMade) {
  file_.reset();
  OpenMigrated(conninfo_, options_);
  ASSERT_TRUE(db_
                  ->RunScript(absl::StrCat(
                      "CREATE FUNCTION ", Table("spoil()"),
                      " RETURNS trigger AS $$ BEGIN IF new.number = 1 THEN new.reason = 'x'; END "
                      "IF; RETURN new; END $$ LANGUAGE plpgsql; CREATE TRIGGER spoil BEFORE "
                      "INSERT ON ",
                      Table("block"), " FOR EACH ROW EXECUTE FUNCTION ", Table("spoil()")))
                  .ok());
  const absl::Status differs = CopyIt().status();
  EXPECT_TRUE(absl::IsDataLoss(differs)) << differs;
  EXPECT_THAT(std::string(differs.message()), HasSubstr("row 1 of table block"));
  EXPECT_EQ(RowsOf("account"), 0);
  EXPECT_TRUE(CheckPlace({folder_.path(), ""}).ok());
}

TEST_F(CopyOfAStore, ThatLacksARowIsNotMade) {
  file_.reset();
  OpenMigrated(conninfo_, options_);
  ASSERT_TRUE(db_->RunScript(absl::StrCat("CREATE RULE lose AS ON INSERT TO ", Table("ban"),
                                          " DO INSTEAD NOTHING"))
                  .ok());
  const absl::Status differs = CopyIt().status();
  EXPECT_TRUE(absl::IsDataLoss(differs)) << differs;
  EXPECT_EQ(RowsOf("account"), 0);
}

TEST_F(CopyOfAStore, OfTextThatPostgresCannotKeepNamesTheTable) {
  AuditEntry entry = AuditOf("add", "a");
  entry.detail = std::string("a\0b", 3);
  ASSERT_TRUE(file_->AppendAudit(entry).ok());
  file_.reset();
  const absl::Status refused = CopyIt().status();
  EXPECT_TRUE(absl::IsInvalidArgument(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr("table audit"));
  EXPECT_EQ(RowsOf("account"), 0);
}

}  // namespace
}  // namespace referee::store
