// Tests of the SQLite store beyond the contract: the file, damage, versions, a full disk, a crash.

#include "referee/store/sqlite_store.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/store/schema.h"
#include "tests/support/files.h"
#include "tests/unit/store/harness.h"

namespace referee::store {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<Store> OpenFast(const std::string& path) {
  SqliteOptions options;
  options.sync_blocks = false;
  return OpenSqliteStore(path, options).value();
}

// A store that holds a little of everything, closed.
void MakeSample(const std::string& path) {
  const std::unique_ptr<Store> store = OpenFast(path);
  ASSERT_TRUE(store->AddAccount(AccountOf("alice", 1), AuditOf("bot.add", "alice")).ok());
  const Ban ban{Ban::Kind::kAccount, "mallory", "floods", At(1), absl::nullopt};
  ASSERT_TRUE(store->SetBan(ban, AuditOf("ban.add", "mallory")).ok());
  const Competition ladder = StartLadder(store.get(), 1, {"alice", "bob"});
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(Apply(store.get(), {BeginOf(ladder, i, {0, 1}), FinishOf(ladder, i)}).ok());
  }
}

// The status of opening a file that is to be refused, and left as it is.
absl::Status Refusal(const std::string& path) {
  const std::string before = testing::ReadFile(path);
  const absl::Status status = OpenSqliteStore(path, {}).status();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr(path));
  EXPECT_EQ(testing::ReadFile(path), before);
  return status;
}

TEST(SqliteStoreFile, IsMadeForItsOwnerAloneAndAloneInItsFolder) {
  const testing::TempFolder folder;
  const std::string path = folder.Path("store.db");
  OpenFast(path).reset();
  struct stat found = {};
  ASSERT_EQ(stat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
  const auto entries = std::filesystem::directory_iterator(folder.Path(""));
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
}

TEST(SqliteStoreFile, IsNotMadeInAFolderThatIsNotThere) {
  const testing::TempFolder folder;
  const std::string path = folder.Path("none/store.db");
  const absl::Status status = OpenSqliteStore(path, {}).status();
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(path));
}

TEST(SqliteStoreFile, OfAnotherKindIsRefusedAndLeftAsItIs) {
  const testing::TempFolder folder;
  const std::string text = folder.Path("text");
  testing::WriteFile(text, std::string(10'000, 'x'));
  EXPECT_TRUE(absl::IsInvalidArgument(Refusal(text)));
  const std::string empty = folder.Path("empty");
  testing::WriteFile(empty, "");
  EXPECT_TRUE(absl::IsInvalidArgument(Refusal(empty)));
  const std::string other = folder.Path("other");
  ASSERT_TRUE(
      Connection::Open(other, true, kBusy).value()->RunScript("CREATE TABLE account(x)").ok());
  EXPECT_TRUE(absl::IsInvalidArgument(Refusal(other)));
}

TEST(SqliteStoreFile, ThatIsCutAnywhereIsRefused) {
  const testing::TempFolder folder;
  const std::string path = folder.Path("store.db");
  MakeSample(path);
  const std::string whole = testing::ReadFile(path);
  for (size_t size = 1; size < whole.size(); size += 7'001) {
    const std::string cut = folder.Path(absl::StrCat("cut", size));
    testing::WriteFile(cut, whole.substr(0, size));
    const absl::Status status = Refusal(cut);
    EXPECT_TRUE(absl::IsDataLoss(status) || (size < 512 && absl::IsInvalidArgument(status)))
        << size << ": " << status;
  }
}

TEST(SqliteStoreFile, ThatIsOverwrittenInPlacesNeverCrashesAReader) {
  const testing::TempFolder folder;
  const std::string path = folder.Path("store.db");
  MakeSample(path);
  const std::string whole = testing::ReadFile(path);
  std::mt19937 random(1);
  int refused = 0;
  for (int i = 0; i < 100; ++i) {
    std::string bytes = whole;
    const size_t at = random() % bytes.size();
    for (size_t k = at; k < std::min(at + 200, bytes.size()); ++k) {
      bytes[k] = static_cast<char>(random());
    }
    const std::string damaged = folder.Path("damaged.db");
    testing::WriteFile(damaged, bytes);
    const absl::StatusOr<std::unique_ptr<Store>> store = OpenSqliteStore(damaged, {});
    absl::Status status = store.status();
    if (status.ok()) {
      const CompetitionId id(MatchIdOf(1).text());
      status = (*store)->ListAccounts("", 9).status();
      if (status.ok()) status = (*store)->ListBans().status();
      if (status.ok()) status = (*store)->GetCompetition(id).status();
      if (status.ok()) status = (*store)->ListBlocks(id, 0, 1000, absl::nullopt).status();
    }
    refused += absl::IsDataLoss(status) ? 1 : 0;
  }
  EXPECT_GT(refused, 5);
}

TEST(SqliteStoreFile, WithATornLogHoldsEverythingUpToSomeTransaction) {
  const testing::TempFolder folder;
  const std::string path = folder.Path("store.db");
  const std::unique_ptr<Store> store = OpenFast(path);
  std::vector<std::string> states = {Describe(store.get())};
  const Competition ladder = StartLadder(store.get(), 1, {"alice", "bob"});
  states.clear();
  for (int i = 0; i < 8; ++i) {
    ASSERT_TRUE(Apply(store.get(), {BeginOf(ladder, i, {0, 1}), FinishOf(ladder, i)}).ok());
    states.push_back(Describe(store.get()));
  }
  const std::string log = testing::ReadFile(path + "-wal");
  const std::string copy = folder.Path("copy.db");
  size_t reached = 0;
  for (size_t cut = 0; cut < 60'000; cut += 1'999) {
    testing::WriteFile(copy, testing::ReadFile(path));
    testing::WriteFile(copy + "-wal", log.substr(0, log.size() - cut));
    std::filesystem::remove(copy + "-shm");
    const std::string held = Describe(OpenFast(copy).get());
    const auto found = std::find(states.begin(), states.end(), held);
    if (cut == 0) {
      EXPECT_EQ(held, states.back());
    }
    reached += found != states.end() ? 1 : 0;
    if (found == states.end()) {
      EXPECT_THAT(held, ::testing::Not(HasSubstr(" block ")));
    }
  }
  EXPECT_GT(reached, 3);
}

TEST(SqliteStoreFile, ThatNobodyMayWriteIsRefused) {
  const testing::TempFolder folder;
  const std::string path = folder.Path("store.db");
  MakeSample(path);
  ASSERT_EQ(chmod(path.c_str(), 0444), 0);
  ASSERT_EQ(chmod(folder.Path("").c_str(), 0555), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && setuid(65534) != 0) _exit(3);  // root may write whatever it is
    const absl::Status status = OpenSqliteStore(path, {}).status();
    if (!absl::IsPermissionDenied(status)) fprintf(stderr, "%s\n", status.ToString().c_str());
    _exit(absl::IsPermissionDenied(status) ? 0 : 1);
  }
  int ended = -1;
  ASSERT_EQ(waitpid(child, &ended, 0), child);
  EXPECT_EQ(ended, 0);
  ASSERT_EQ(chmod(folder.Path("").c_str(), 0755), 0);
}

TEST(SqliteStoreFile, AttemptWithSeatsThatItsBlockHasNotIsDamage) {
  const testing::TempFolder folder;
  const std::string path = folder.Path("store.db");
  const std::unique_ptr<Store> store = OpenFast(path);
  const Competition ladder = StartLadder(store.get(), 1, {"alice", "bob"});
  ASSERT_TRUE(Apply(store.get(), {BeginOf(ladder, 0, {0, 1}), RetryOf(ladder, 0)}).ok());
  EXPECT_TRUE(store->GetBlock(ladder.id, 0).ok());
  for (const char* results : {"5/1/;//", "5,3/1,2/2T;//", "//5R;//", "5,3/1/;//"}) {
    ASSERT_TRUE(Connection::Open(path, false, kBusy)
                    .value()
                    ->RunScript(absl::StrCat("UPDATE attempt SET results = '", results, "'"))
                    .ok());
    EXPECT_TRUE(absl::IsDataLoss(store->GetBlock(ladder.id, 0).status())) << results;
  }
}

TEST(SqliteStoreFile, OfAnotherVersionIsRefusedAndStaysAsItIs) {
  for (const int64_t version : {kStoreVersion + 1, int64_t{18}}) {
    const testing::TempFolder folder;
    const std::string path = folder.Path("store.db");
    MakeSample(path);
    const std::string change = absl::StrCat("PRAGMA user_version = ", version);
    ASSERT_TRUE(Connection::Open(path, false, kBusy).value()->RunScript(change).ok());
    const absl::Status refused = Refusal(path);
    EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
    EXPECT_THAT(std::string(refused.message()),
                HasSubstr(absl::StrCat(path, ": a store of version ", version,
                                       "; this program works with version ", kStoreVersion)));
  }
}

// Files of this process cannot grow beyond `bytes`.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_ = {};
};

// Writes until there is no room. Returns what was last refused.
absl::Status Fill(Store* store) {
  const Competition ladder = StartLadder(store, 1, {"alice", "bob"});
  for (int64_t i = 0; i < 100'000; ++i) {
    const std::string before = Describe(store);
    const absl::Status status =
        Apply(store, {BeginOf(ladder, i, {0, 1}), FinishOf(ladder, i), CountOf(ladder, i, i + 1)});
    if (status.ok()) continue;
    EXPECT_EQ(Describe(store), before);
    return status;
  }
  return absl::OkStatus();
}

TEST(SqliteStoreFull, RefusesWhatTheSystemCannotWriteAndGoesOnWhenThereIsRoom) {
  const testing::TempFolder folder;
  std::unique_ptr<Store> store = OpenFast(folder.Path("store.db"));
  absl::Status refused;
  {
    const FileSizeLimit limit(400'000);
    refused = Fill(store.get());
  }
  EXPECT_TRUE(absl::IsResourceExhausted(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr("make room on that disk"));
  EXPECT_TRUE(store->AppendAudit(AuditOf("room", "again")).ok());
  const std::string held = Describe(store.get());
  store.reset();
  EXPECT_EQ(Describe(OpenFast(folder.Path("store.db")).get()), held);
}

TEST(SqliteStoreShared, TwoStoresOnOneFileMakeItTogether) {
  const testing::TempFolder folder;
  const std::string path = folder.Path("store.db");
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&path, i] {
      const std::unique_ptr<Store> store = OpenFast(path);  // one makes it, both at once
      for (int k = 0; k < 50; ++k) {
        const std::string name = absl::StrCat(i, "-", k);
        const absl::Status status = store->AppendAudit(AuditOf("by", name));
        EXPECT_TRUE(status.ok()) << status;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(OpenFast(path)->ListAudit(0, 1000).value().size(), 100);
}

TEST(SqliteStoreShared, WhatOneDecidedOnTheOtherMayHaveChanged) {
  const testing::TempFolder folder;
  const std::unique_ptr<Store> one = OpenFast(folder.Path("store.db"));
  const std::unique_ptr<Store> other = OpenFast(folder.Path("store.db"));
  const Competition ladder = StartLadder(one.get(), 1, {"alice", "bob"});
  ASSERT_TRUE(Apply(other.get(), {BeginOf(ladder, 0, {0, 1})}).ok());
  EXPECT_TRUE(absl::IsAborted(Apply(one.get(), {BeginOf(ladder, 0, {1, 0})})));
  EXPECT_EQ(one->ListOpenBlocks(ladder.id).value().size(), 1);
}

TEST(SqliteStoreShared, WriterWaitsOnlySoLongForAnother) {
  const testing::TempFolder folder;
  const std::string path = folder.Path("store.db");
  SqliteOptions options;
  options.busy_limit = absl::Milliseconds(1);
  const std::unique_ptr<Store> store = OpenSqliteStore(path, options).value();
  const std::unique_ptr<Connection> other = Connection::Open(path, false, kBusy).value();
  Transaction held(other.get(), Transaction::Kind::kWrite);
  ASSERT_TRUE(held.begun().ok());
  EXPECT_TRUE(absl::IsUnavailable(store->AppendAudit(AuditOf("a", "b"))));
  EXPECT_TRUE(store->ListAudit(0, 9).ok());  // who reads does not wait
  ASSERT_TRUE(held.Commit().ok());
  EXPECT_TRUE(store->AppendAudit(AuditOf("a", "b")).ok());
}

// Plays block after block, and writes a byte when one is counted, until it is killed.
[[noreturn]] void PlayUntilKilled(const std::string& path, const CompetitionId& id, int progress) {
  const std::unique_ptr<Store> store = OpenFast(path);
  for (;;) {
    const Competition now = store->GetCompetition(id).value();
    const int64_t number = now.next_block;
    bool ok = true;
    if (number == now.counted) {
      ok = Apply(store.get(), {BeginOf(now, number, {0, 1}), FinishOf(now, number)}).ok();
    }
    CountBlocks count = CountOf(now, now.counted, now.counted + 1);
    count.entrants = {{0, {}, ""}, {1, {}, ""}};
    for (CountBlocks::Line& line : count.entrants) line.tally.blocks = count.to;
    count.pairs = {{0, 1, {0, 0, 1, 0, 0}, 1}};
    ok = ok && Apply(store.get(), {count}).ok();
    if (!ok || write(progress, "x", 1) != 1) _exit(1);
  }
}

TEST(SqliteStoreKilled, AtAnyMomentHoldsAllThatWasSaidAndNothingHalf) {
  const testing::TempFolder folder;
  const std::string path = folder.Path("store.db");
  const Competition ladder = StartLadder(OpenFast(path).get(), 1, {"alice", "bob"});
  std::mt19937 random(1);
  int64_t said = 0;
  for (int kill_number = 0; kill_number < 12; ++kill_number) {
    int pipe_ends[2];
    ASSERT_EQ(pipe2(pipe_ends, O_CLOEXEC), 0);
    const pid_t child = fork();
    if (child == 0) PlayUntilKilled(path, ladder.id, pipe_ends[1]);
    close(pipe_ends[1]);
    char byte;
    for (unsigned i = 0; i <= random() % 40 && read(pipe_ends[0], &byte, 1) == 1; ++i) ++said;
    kill(child, SIGKILL);
    int ended = 0;
    waitpid(child, &ended, 0);
    ASSERT_TRUE(WIFSIGNALED(ended));
    while (read(pipe_ends[0], &byte, 1) == 1) ++said;
    close(pipe_ends[0]);

    const std::unique_ptr<Store> store = OpenFast(path);
    const Competition now = store->GetCompetition(ladder.id).value();
    EXPECT_GE(now.counted, said);
    EXPECT_LE(now.counted, said + 1);
    said = now.counted;
    EXPECT_LE(now.next_block - now.counted, 1);
    EXPECT_TRUE(store->ListOpenBlocks(ladder.id).value().empty());
    EXPECT_EQ(store->ListBlocks(ladder.id, 0, 1'000'000, 1).value().size(), now.next_block);
    for (const Entrant& entrant : Value(store->ReadEntrants(ladder.id))) {
      EXPECT_EQ(entrant.tally.blocks, now.counted);
      EXPECT_EQ(entrant.blocks_begun, now.next_block);
    }
    EXPECT_EQ(store->ReadPairTotals(ladder.id).value()[0].blocks[2], now.counted);
  }
}

}  // namespace
}  // namespace referee::store
