// Tests of opening a store for reading: it works in every state, and changes no file.
//
// The writer is another process, because SQLite shares its knowledge of a file within a process.

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "referee/store/schema.h"
#include "referee/store/sqlite_store.h"
#include "tests/support/files.h"
#include "tests/unit/store/harness.h"

namespace referee::store {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::Lt;
using ::testing::Optional;

class ReadStore : public ::testing::Test {
 protected:
  std::string path() const { return folder_.Path("store.db"); }

  // The bytes of all that is in the folder, by name.
  std::map<std::string, std::string> Bytes() const {
    std::map<std::string, std::string> bytes;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.Path(""))) {
      bytes[entry.path().filename()] = testing::ReadFile(entry.path());
    }
    return bytes;
  }

  // A store that holds a little of everything, closed.
  void MakeSample() const {
    const std::unique_ptr<Store> store = OpenSqliteStore(path(), {}).value();
    ASSERT_TRUE(store->AddAccount(AccountOf("alice", 1), AuditOf("bot.add", "alice")).ok());
    const Competition ladder = StartLadder(store.get(), 1, {"alice", "bob"});
    ASSERT_TRUE(Apply(store.get(), {BeginOf(ladder, 0, {0, 1}), FinishOf(ladder, 0)}).ok());
  }

  // The subject of the audit log's last entry.
  static std::string LastEntry(Store* store) {
    const absl::StatusOr<std::vector<AuditEntry>> log = store->ListAudit(0, 1);
    EXPECT_TRUE(log.ok()) << log.status();
    return log.ok() && !log->empty() ? log->front().subject : "";
  }

  testing::TempFolder folder_{testing::TempFolderOn::kMemory};
};

// Another process, which does what it is told: 'o' opens the store, 'w' writes an entry, 'c'
// closes.
class Other {
 public:
  explicit Other(const std::string& path) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) std::abort();
    child_ = fork();
    if (child_ == 0) Obey(path, ends[1]);
    close(ends[1]);
    socket_ = ends[0];
  }
  ~Other() {
    Kill();
    close(socket_);
  }
  Other(const Other&) = delete;
  Other& operator=(const Other&) = delete;

  // Returns when it is done.
  void Do(absl::string_view commands) {
    for (char command : commands) {
      ASSERT_EQ(write(socket_, &command, 1), 1);
      ASSERT_EQ(read(socket_, &command, 1), 1) << "the other process has failed";
    }
  }
  void Kill() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = 0;
  }

 private:
  [[noreturn]] static void Obey(const std::string& path, int socket) {
    std::unique_ptr<Store> store;
    int written = 0;
    for (char command; read(socket, &command, 1) == 1;) {
      if (command == 'o') store = OpenSqliteStore(path, {}).value();
      if (command == 'w' && !store->AppendAudit(AuditOf("w", absl::StrCat(++written))).ok()) break;
      if (command == 'c') store.reset();
      if (write(socket, &command, 1) != 1) break;
    }
    _exit(0);
  }

  pid_t child_ = 0;
  int socket_ = -1;
};

// Runs what returns whether it went well, as somebody who is not root, in a process of its own.
bool AsNobody(const std::function<bool()>& act) {
  const pid_t child = fork();
  if (child == 0) _exit((geteuid() != 0 || setuid(65534) == 0) && act() ? 0 : 1);
  int ended = -1;
  waitpid(child, &ended, 0);
  return ended == 0;
}

TEST_F(ReadStore, ThatWasClosedStaysAloneAndAsItIs) {
  MakeSample();
  const std::string held = Describe(OpenSqliteStore(path(), {}).value().get());
  const auto before = Bytes();
  ASSERT_THAT(before, ElementsAre(Key("store.db")));
  {
    const std::unique_ptr<Store> store = OpenSqliteStoreToRead(path()).value();
    EXPECT_EQ(Describe(store.get()), held);
    EXPECT_EQ(Bytes(), before);
  }
  EXPECT_EQ(Bytes(), before);
}

TEST_F(ReadStore, SaysWhoHasALeaseAndWhoOwnsBlocksWithoutOne) {
  testing::SimulatedClock long_ago;
  SqliteOptions options;
  options.clock = &long_ago;
  {
    const std::unique_ptr<Store> store = OpenSqliteStore(path(), options).value();
    const Competition ladder = StartLadder(store.get(), 1, {"alice", "bob"});
    ASSERT_TRUE(Apply(store.get(), {BeginOf(ladder, 0, {0, 1}), BeginOf(ladder, 1, {0, 1})}).ok());
    ASSERT_TRUE(store->RenewLease("another", absl::Seconds(1)).ok());
  }
  ASSERT_TRUE(Connection::Open(path(), false, kBusy)
                  .value()
                  ->RunScript(absl::StrCat("DELETE FROM lease WHERE owner = '", kOwner, "'"))
                  .ok());
  const auto before = Bytes();
  EXPECT_THAT(OpenSqliteStoreToRead(path()).value()->ListLeaseHolders().value(),
              ElementsAre(AllOf(Field(&LeaseHolder::owner, "another"),
                                Field(&LeaseHolder::remaining, Optional(Lt(absl::ZeroDuration()))),
                                Field(&LeaseHolder::open_blocks, 0)),
                          AllOf(Field(&LeaseHolder::owner, kOwner), Field(&LeaseHolder::term, 0),
                                Field(&LeaseHolder::remaining, absl::nullopt),
                                Field(&LeaseHolder::open_blocks, 2),
                                Field(&LeaseHolder::oldest_begin_time, Optional(At(0))))));
  EXPECT_EQ(Bytes(), before);
}

TEST_F(ReadStore, ThatAnotherHasOpenIsReadUpToItsLastTransaction) {
  Other other(path());
  MakeSample();
  other.Do("o");
  for (const std::string entry : {"alice", "1", "2", "3"}) {
    if (entry != "alice") other.Do("w");
    const auto before = Bytes();
    ASSERT_THAT(before, ElementsAre(Key("store.db"), Key("store.db-shm"), Key("store.db-wal")));
    {
      const std::unique_ptr<Store> store = OpenSqliteStoreToRead(path()).value();
      EXPECT_EQ(LastEntry(store.get()), entry);
      EXPECT_EQ(Bytes(), before) << entry;
    }
    EXPECT_EQ(Bytes(), before) << entry;
  }
  other.Do("c");
  EXPECT_THAT(Bytes(), ElementsAre(Key("store.db"))) << "somebody holds it up";
}

TEST_F(ReadStore, ThatAKilledProcessLeftIsReadUpToItsLastTransaction) {
  Other other(path());
  MakeSample();
  other.Do("oww");
  other.Kill();
  const auto before = Bytes();
  ASSERT_THAT(before, ElementsAre(Key("store.db"), Key("store.db-shm"), Key("store.db-wal")));
  EXPECT_EQ(LastEntry(OpenSqliteStoreToRead(path()).value().get()), "2");
  EXPECT_EQ(Bytes(), before);
}

TEST_F(ReadStore, ThatIsOpenedWhileItIsReadIsReadAsItIsThen) {
  Other other(path());
  MakeSample();
  const std::unique_ptr<Store> store = OpenSqliteStoreToRead(path()).value();
  EXPECT_EQ(LastEntry(store.get()), "alice");
  other.Do("o");
  EXPECT_EQ(LastEntry(store.get()), "alice");
  other.Do("w");
  EXPECT_EQ(LastEntry(store.get()), "1");
  other.Do("wc");
  EXPECT_EQ(LastEntry(store.get()), "2");
  other.Do("owc");
  EXPECT_EQ(LastEntry(store.get()), "3");
}

TEST_F(ReadStore, ThatIsOpenedAndClosedBetweenTwoReadsIsReadAsItIsThen) {
  Other other(path());
  MakeSample();
  const std::unique_ptr<Store> store = OpenSqliteStoreToRead(path()).value();
  EXPECT_EQ(LastEntry(store.get()), "alice");
  other.Do("owc");
  ASSERT_THAT(Bytes(), ElementsAre(Key("store.db")));
  EXPECT_EQ(LastEntry(store.get()), "1");
}

TEST_F(ReadStore, ThatMayNotBeWrittenIsRead) {
  for (const bool killed : {false, true}) {
    Other other(path());
    MakeSample();
    if (killed) other.Do("ow");
    other.Kill();
    for (const auto& [name, bytes] : Bytes()) {
      ASSERT_EQ(chmod(folder_.Path(name).c_str(), 0444), 0);
    }
    ASSERT_EQ(chmod(folder_.Path("").c_str(), 0555), 0);
    EXPECT_TRUE(AsNobody([&] {
      const auto store = OpenSqliteStoreToRead(path());
      if (!store.ok()) fprintf(stderr, "%s\n", store.status().ToString().c_str());
      return store.ok() && LastEntry(store->get()) == (killed ? "1" : "alice");
    })) << (killed ? "killed" : "closed");
    ASSERT_EQ(chmod(folder_.Path("").c_str(), 0755), 0);
    for (const auto& [name, bytes] : Bytes()) std::filesystem::remove(folder_.Path(name));
  }
}

TEST_F(ReadStore, WhoseLogLacksItsIndexIsLeftAsItIs) {
  Other other(path());
  MakeSample();
  other.Do("ow");
  other.Kill();
  std::filesystem::remove(path() + "-shm");
  const auto before = Bytes();
  const absl::Status status = OpenSqliteStoreToRead(path()).status();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("start refereed once"));
  EXPECT_EQ(Bytes(), before);
}

TEST_F(ReadStore, OfAnotherVersionIsRefused) {
  MakeSample();
  ASSERT_TRUE(
      Connection::Open(path(), false, kBusy).value()->RunScript("PRAGMA user_version = 99").ok());
  const auto before = Bytes();
  const absl::Status status = OpenSqliteStoreToRead(path()).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("version 99"));
  EXPECT_EQ(Bytes(), before);
}

TEST_F(ReadStore, ThatIsNoneOrDamagedIsRefused) {
  EXPECT_TRUE(absl::IsNotFound(OpenSqliteStoreToRead(path()).status()));
  EXPECT_TRUE(Bytes().empty());
  std::ofstream(path()) << std::string(10'000, 'x');
  EXPECT_TRUE(absl::IsInvalidArgument(OpenSqliteStoreToRead(path()).status()));
  std::filesystem::remove(path());
  MakeSample();
  std::filesystem::resize_file(path(), std::filesystem::file_size(path()) / 2);
  const auto before = Bytes();
  EXPECT_TRUE(absl::IsDataLoss(OpenSqliteStoreToRead(path()).status()));
  EXPECT_EQ(Bytes(), before);
}

TEST_F(ReadStore, IsReadWhateverItsName) {
  MakeSample();
  const std::string name = folder_.Path("a b%20c?d#e&immutable=0");
  std::filesystem::create_directory(name);
  std::filesystem::rename(path(), name + "/store.db");
  EXPECT_EQ(LastEntry(OpenSqliteStoreToRead(name + "/store.db").value().get()), "alice");
  EXPECT_EQ(LastEntry(OpenSqliteStoreToRead("/" + name + "/store.db").value().get()), "alice");
  const std::string relative = std::filesystem::relative(name + "/store.db");
  EXPECT_EQ(LastEntry(OpenSqliteStoreToRead(relative).value().get()), "alice");
}

TEST_F(ReadStore, RefusesEveryChange) {
  MakeSample();
  const auto before = Bytes();
  const std::unique_ptr<Store> store = OpenSqliteStoreToRead(path()).value();
  const CompetitionId id = store->ListCompetitions({}, 1).value()[0].id;
  const AuditEntry audit = AuditOf("a", "b");
  const absl::Status refused[] = {
      store->AddAccount(AccountOf("bob", 2), audit),
      store->SetToken("alice", Hash(3), At(1), absl::nullopt, audit),
      store->SetDisabled("alice", "rain", audit),
      store->RemoveAccount("alice", audit),
      store->AppendAudit(audit),
      store->CreateCompetition(LadderOf(2, "other", {}), audit).status(),
      store->SetState(id, CompetitionState::kRunning, CompetitionState::kPaused, At(1), audit)
          .status(),
      store->Join(id, "carol", audit).status(),
      store->TakeOut(id, "bob", Presence::kWithdrawn, "left", audit).status(),
      store->Apply({kOwner, 1}, {DropBlock{id, 0, 0, At(1)}}),
      store->RenewLease(kOwner, absl::Seconds(9)).status(),
      store->ClaimExpired({kOwner, 1}).status(),
      store->TakeOver({kOwner, 1}, {"daemon-2"}).status(),
      store->TakeHomes({kOwner, 1}, {id}).status(),
      store->Announce({kOwner, 1}, "", true),
      store->AskToDrain(kOwner, audit),
  };
  for (const absl::Status& status : refused) {
    EXPECT_TRUE(absl::IsPermissionDenied(status)) << status;
  }
  EXPECT_EQ(Bytes(), before);
}

}  // namespace
}  // namespace referee::store
