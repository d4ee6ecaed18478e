// Referees with their store in PostgreSQL: as one is moved there, is killed, and has others beside
// it.

#include <signal.h>
#include <sys/mount.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/postgres/postgres.h"
#include "tests/end_to_end/competition_fixture.h"
#include "tests/end_to_end/open_matches.h"
#include "tests/end_to_end/own_mounts.h"
#include "tests/support/postgres_test.h"

namespace referee::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A database of its own for each test.
class OnPostgres : public CompetitionFixture {
 protected:
  void SetUp() override {
    REFEREE_NEED_POSTGRES();
    const auto& cluster = **testing::PostgresCluster::Get();
    db_ = postgres::Connection::Open(cluster.conninfo(), {}).value();
    const std::string name =
        absl::AsciiStrToLower(::testing::UnitTest::GetInstance()->current_test_info()->name());
    ASSERT_EQ(db_->RunScript(absl::StrCat("CREATE DATABASE ", name)), absl::OkStatus());
    url_ = cluster.url(name);
    db_ = postgres::Connection::Open(url_, {}).value();
  }

  // Takes what the referee has in its data directory to the database; returns what is said.
  std::string MoveStore() {
    const Ran copied = Refctl({"store", "copy", "--from", Path("data"), "--to", url_});
    EXPECT_EQ(copied.status, 0) << copied.err;
    return copied.out;
  }
  // Starts a second referee with the key of the first, so that each can check what the other
  // played. REQUIRES: that one runs.
  pid_t StartOther(const std::vector<std::string>& more) {
    std::filesystem::create_directory(Path("other"));
    for (const char* key : {"key", "key.pub", "key.ring"}) {
      std::filesystem::copy(Path("data/") + key, Path("other/") + key);
    }
    return StartOnOther(more);
  }
  // Starts a second referee on what is in its data directory.
  pid_t StartOnOther(const std::vector<std::string>& more) {
    std::vector<std::string> command = {"refereed", "--listen", other_address_, "--data-dir",
                                        Path("other")};
    command.insert(command.end(), more.begin(), more.end());
    const pid_t pid = sandbox_.Start(command);
    EXPECT_TRUE(Eventually([&] { return absl::StrContains(sandbox_.Written(pid).err, "ready: "); }))
        << sandbox_.Written(pid).err;
    return pid;
  }
  // Copies the data directory of the referee, which runs, in the middle of a match.
  void CopyLiveDirectory() {
    ASSERT_TRUE(Eventually([this] {
      SuspendReferee();
      std::filesystem::remove_all(Path("other"));
      std::filesystem::copy(Path("data"), Path("other"), std::filesystem::copy_options::recursive);
      ContinueReferee();
      return !OpenMatches(Path("other")).empty();
    }));
  }
  // A referee on the database, with replays on a shelf.
  void StartFirst(const std::vector<std::string>& more = {}) {
    StartReferee();
    StopReferee();
    MoveStore();
    std::filesystem::create_directory(Path("shelf"));
    std::vector<std::string> flags = shared();
    flags.insert(flags.end(), more.begin(), more.end());
    StartReferee(flags);
  }
  std::vector<std::string> shared() const {
    return {"--store", url_, "--shelf", "dir:" + Path("shelf")};
  }
  // A number that the database has.
  int64_t Ask(const std::string& sql) {
    postgres::Statement found = db_->Prepare(sql);
    return found.Step() ? found.Int(0) : -1;
  }
  int64_t Counted() { return Ask("SELECT counted FROM referee.competition"); }
  // Whether the competition, the only one, lives on the referee at this address.
  bool LivesAt(const std::string& address) {
    postgres::Statement found = db_->Prepare(
        "SELECT 1 FROM referee.competition JOIN referee.lease ON term = home WHERE address = $1");
    return found.Bind(address).Step();
  }
  bool GoesOn() {
    const int64_t counted = Counted();
    return Eventually([this, counted] { return Counted() > counted + 20; });
  }
  void ExpectCleanAudit() {
    const Ran audit = Refctl({"archive", "audit", "--data-dir", Path("data"), "--store", url_,
                              "--shelf", "dir:" + Path("shelf")});
    EXPECT_EQ(audit.status, 0) << audit.out << audit.err;
  }

  void CreateLadder(const std::string& name, const std::string& bots, int homes = 1) {
    // No bot is late because this machine is.
    Well({"create", name, "--format", "ladder", "--game", "hypnosia", "--option", "turn_limit=10",
          "--time", "60s,ready=60s", "--pace", "0", "--max-running", absl::StrCat(4 * homes),
          "--homes", absl::StrCat(homes), "--bots", bots, "--start"});
  }
  // Whether the referee at this address plays a block that is open.
  bool Plays(const std::string& address) {
    postgres::Statement found = db_->Prepare(
        "SELECT 1 FROM referee.block JOIN referee.lease USING(owner) WHERE state = 'RUNNING' AND "
        "match_ids <> '' AND address = $1");
    return found.Bind(address).Step();
  }
  void Finish(const std::string& ladder) {
    Well({"finish", ladder, "--yes"});
    const Ran watched = sandbox_.Await(StartCompetitionCommand({"watch", ladder}));
    EXPECT_EQ(watched.status, 0) << watched.err;
  }

  const std::string first_address_ = "unix:" + Path("socket");
  const std::string other_address_ = "unix:" + Path("other-socket");
  std::string url_;
  std::unique_ptr<postgres::Connection> db_;  // to look into it, and to change it
};

TEST_F(OnPostgres, ALadderGoesOnThereAndThroughAKillAndTheAuditFindsNothing) {
  StartReferee();
  for (const char* name : {"alice", "bob", "carol"}) AddBot(name);
  CreateLadder("ladder", "alice,bob,carol");
  for (const char* name : {"alice", "bob", "carol"}) StartBot(name, {"bots/random"});
  AwaitBlocks("ladder", 10);
  KillReferee();

  EXPECT_THAT(MoveStore(), AllOf(HasSubstr("accounts: 4"), HasSubstr("competitions: 1")));
  StartReferee({"--store", url_});
  AwaitBlocks("ladder", 30);
  KillReferee();
  StartReferee({"--store", url_});
  AwaitBlocks("ladder", 50);
  Finish("ladder");
  StopReferee();

  const Ran audit = Refctl({"archive", "audit", "--data-dir", Path("data"), "--store", url_});
  EXPECT_EQ(audit.status, 0) << audit.out << audit.err;
  const Ran verified = Refctl({"replay", "verify", Path("data/replays")});
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  // Nobody goes on with what was left in the file.
  EXPECT_THAT(Audit().err, HasSubstr("give --store"));
  const Ran without = sandbox_.Run({"refereed", "--data-dir", Path("data"), "--listen", "unix:s"});
  EXPECT_EQ(without.status, 2);
  EXPECT_THAT(without.err, HasSubstr(Path("data/store.elsewhere")));
  EXPECT_THAT(Refctl({"backup", Path("backup"), "--data-dir", Path("data")}).err,
              HasSubstr("pg_dump"));
}

TEST_F(OnPostgres, ARoundRobinOfBotsThatDialEitherRefereePlaysAllItsGames) {
  StartFirst();
  StartOther(shared());
  const std::vector<std::string> bots = {"alice", "bob", "carol", "dave"};
  for (const std::string& name : bots) AddBot(name);
  for (const char* name : {"alice", "bob"}) StartBot(name, {"bots/random"});
  for (const char* name : {"carol", "dave"}) {
    StartBot(name, {"bots/random", "--address", other_address_});
  }
  Well({"create", "cup", "--format", "round-robin", "--game", "hypnosia", "--option",
        "turn_limit=10", "--rounds", "4", "--absence-limit", "30s", "--bots",
        "alice,bob,carol,dave", "--start"});
  const Ran watched = sandbox_.Await(StartCompetitionCommand({"watch", "cup"}));
  EXPECT_EQ(watched.status, 0) << watched.err;
  EXPECT_EQ(Ask("SELECT count(*) FROM referee.block WHERE state = 'PLAYED'"), 24);
  EXPECT_EQ(Ask("SELECT count(*) FROM referee.block WHERE state <> 'PLAYED'"), 0);
  EXPECT_EQ(Ask("SELECT count(*) FROM referee.entrant WHERE presence <> 'IN'"), 0);
  ExpectCleanAudit();
}

TEST_F(OnPostgres, BotsThatTakeOneBlockAtATimePlayInTheLaddersOfTwoReferees) {
  StartFirst();
  StartOther(shared());
  for (const char* name : {"alice", "bob", "carol"}) AddBot(name);
  StartBot("alice", {"bots/random", "--max-matches", "2"});
  for (const char* name : {"bob", "carol"}) {
    StartBot(name, {"bots/random", "--max-matches", "2", "--address", other_address_});
  }
  // Which referee takes a ladder depends on its name.
  int ladders = 0;
  while (ladders < 16 && Ask("SELECT count(DISTINCT home) FROM referee.competition") < 2) {
    CreateLadder(absl::StrCat("ladder", ++ladders), "alice,bob,carol");
    ASSERT_TRUE(Eventually(
        [this] { return Ask("SELECT count(*) FROM referee.competition WHERE home = 0") == 0; }));
  }
  ASSERT_EQ(Ask("SELECT count(DISTINCT home) FROM referee.competition"), 2);
  // Again and again: each of them gets its turns.
  for (int round = 0; round < 2; ++round) {
    for (int i = 1; i <= ladders; ++i) {
      const std::string ladder = absl::StrCat("ladder", i);
      AwaitBlocks(ladder, BlocksCounted(ladder) + 10);
    }
  }
  EXPECT_EQ(Ask("SELECT count(*) FROM referee.block WHERE state NOT IN ('PLAYED', 'RUNNING')"), 0);
}

TEST_F(OnPostgres, ALadderGoesOnWhenItsHomeIsKilledAndWhenTheNextOneDrains) {
  StartFirst();
  for (const char* name : {"alice", "bob"}) AddBot(name);
  CreateLadder("ladder", "alice,bob");
  ASSERT_TRUE(Eventually(
      [this] { return Ask("SELECT count(*) FROM referee.competition WHERE home > 0") == 1; }));
  const pid_t other = StartOther(shared());
  for (const char* name : {"alice", "bob"}) {
    StartBot(name, {"bots/random", "--address", other_address_});
  }
  ASSERT_TRUE(GoesOn());
  EXPECT_FALSE(LivesAt(other_address_));
  EXPECT_EQ(Ask("SELECT replayed FROM referee.competition"), 0);

  KillReferee();
  // As if that much time had passed.
  ASSERT_EQ(db_->Run("UPDATE referee.lease SET until = 0 WHERE address <> $1", other_address_),
            absl::OkStatus());
  ASSERT_TRUE(Eventually([this] { return LivesAt(other_address_); }));
  ASSERT_TRUE(GoesOn());
  const Ran one = Refctl({"fleet", "show", "--store", url_});
  EXPECT_EQ(one.status, 0) << one.out << one.err;
  EXPECT_THAT(one.out, AllOf(HasSubstr(other_address_ + "  ladder"),
                             HasSubstr("referees with a lease: 1, ")));

  StartReferee(shared());
  // But for blocks that wait for a bot where they were made.
  const std::string spoilt =
      "SELECT count(*) FROM referee.attempt WHERE reason NOT LIKE '%had not begun when its "
      "competition moved%'";
  const int64_t before = Ask(spoilt);
  const Ran drained = Refctl({"fleet", "drain", other_address_, "--store", url_});
  EXPECT_EQ(drained.status, 0) << drained.err;
  ASSERT_TRUE(Eventually([this] { return !LivesAt(other_address_); }));
  ASSERT_TRUE(GoesOn());
  EXPECT_EQ(Ask(spoilt), before) << "nothing that was being played is void";
  EXPECT_THAT(sandbox_.Written(other).err, HasSubstr("the referee drains"));
  Finish("ladder");
  ExpectCleanAudit();
}

TEST_F(OnPostgres, BotsWhoseRefereeIsKilledPlayOnThroughTheOneThatOwnsTheLadder) {
  StartFirst();
  for (const char* name : {"alice", "bob", "carol"}) AddBot(name);
  CreateLadder("ladder", "alice,bob,carol");
  ASSERT_TRUE(Eventually([this] { return LivesAt(first_address_); }));
  const pid_t other = StartOther(shared());
  for (const char* name : {"alice", "bob", "carol"}) {
    StartBot(name, {"bots/random", "--address", other_address_});
  }
  ASSERT_TRUE(GoesOn());
  kill(other, SIGKILL);
  sandbox_.Await(other);
  ASSERT_TRUE(GoesOn());
  Finish("ladder");
  EXPECT_EQ(Ask("SELECT count(*) FROM referee.block WHERE state <> 'PLAYED'"), 0);
  EXPECT_EQ(Ask("SELECT count(*) FROM referee.entrant WHERE presence <> 'IN' OR forfeits > 0 OR "
                "time_losses > 0"),
            0);
  ExpectCleanAudit();
}

TEST_F(OnPostgres, BotsWhoseRefereeHangsPlayOnThroughAnother) {
  StartFirst();
  for (const char* name : {"alice", "bob"}) AddBot(name);
  CreateLadder("ladder", "alice,bob");
  ASSERT_TRUE(Eventually([this] { return LivesAt(first_address_); }));
  const pid_t other = StartOther(shared());
  for (const char* name : {"alice", "bob"}) {
    StartBot(name, {"bots/random", "--address", other_address_});
  }
  ASSERT_TRUE(GoesOn());
  kill(other, SIGSTOP);
  EXPECT_TRUE(GoesOn());
  kill(other, SIGCONT);
  EXPECT_TRUE(GoesOn());
  Finish("ladder");
  EXPECT_EQ(Ask("SELECT count(*) FROM referee.entrant WHERE presence <> 'IN' OR forfeits > 0 OR "
                "time_losses > 0"),
            0);
  ExpectCleanAudit();
}

TEST_F(OnPostgres, ACopyOfALiveDataDirectoryTakesNothingFromTheReferee) {
  StartFirst({"--durability", "turn"});  // so that the log is in its files
  for (const char* name : {"alice", "bob", "carol", "dave"}) AddBot(name);
  CreateLadder("ladder", "alice,bob,carol,dave");
  for (const char* name : {"alice", "bob"}) StartBot(name, {"bots/random"});
  ASSERT_TRUE(GoesOn());
  CopyLiveDirectory();
  const auto has = [this](const std::string& match) {
    return Refctl({"archive", "get", match, "--data-dir", Path("other"), "--to", Path("got")})
               .status == 0;
  };
  std::vector<std::string> copied = OpenMatches(Path("other"));
  // Its replay may have been copied after its log.
  copied.erase(std::remove_if(copied.begin(), copied.end(), has), copied.end());
  const int64_t term = Ask("SELECT home FROM referee.competition");
  const pid_t other = StartOnOther(shared());
  EXPECT_THAT(sandbox_.Written(other).err, HasSubstr("is a copy"));
  ASSERT_TRUE(GoesOn());
  EXPECT_EQ(Ask("SELECT home FROM referee.competition"), term);
  EXPECT_EQ(Ask("SELECT count(*) FROM referee.attempt"), 0) << "no block began again";
  EXPECT_THAT(OpenMatches(Path("other")), IsEmpty());
  for (const std::string& match : copied) {
    EXPECT_FALSE(has(match)) << "the copy published the seed of " << match;
  }

  // Like any other referee it takes over what lived on one that is gone.
  KillReferee();
  ASSERT_EQ(db_->Run("UPDATE referee.lease SET until = 0 WHERE address <> $1", other_address_),
            absl::OkStatus());
  ASSERT_TRUE(Eventually([this] { return LivesAt(other_address_); }));
  for (const char* name : {"carol", "dave"}) {
    StartBot(name, {"bots/random", "--address", other_address_});
  }
  ASSERT_TRUE(GoesOn());
  StartReferee(shared());
  Finish("ladder");
  ExpectCleanAudit();
}

// The data directory is on a disk of its own, which only root may mount.
class OnPostgresAndOwnDisk : public OnPostgres {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(disk_);
    std::filesystem::create_directory(Path("data"));
    std::filesystem::create_directory(Path("other"));
    if (!HaveOwnMounts() || !Mount("tmpfs", disk_, "tmpfs", 0, "")) {
      GTEST_SKIP() << "cannot mount a disk: " << strerror(errno);
    }
    for (const char* folder : {"/data", "/upper", "/work"}) {
      std::filesystem::create_directory(disk_ + folder);
    }
    ASSERT_TRUE(Mount(disk_ + "/data", Path("data"), nullptr, MS_BIND, "")) << strerror(errno);
    OnPostgres::SetUp();
  }
  void TearDown() override {
    if (referee_runs()) StopReferee();
    for (auto path = mounts_.rbegin(); path != mounts_.rend(); ++path) {
      EXPECT_EQ(umount(path->c_str()), 0) << *path << ": " << strerror(errno);
    }
  }
  // Makes a copy of the data directory at "other", with the inodes and the birth times of the
  // original. Returns false, with errno, when the system has no overlays.
  bool OverlayLiveDirectory() {
    return Mount("overlay", Path("other"), "overlay", 0,
                 absl::StrCat("lowerdir=", disk_, "/data,upperdir=", disk_,
                              "/upper,workdir=", disk_, "/work"));
  }

 private:
  bool Mount(const std::string& from, const std::string& to, const char* type, unsigned long flags,
             const std::string& options) {
    if (mount(from.c_str(), to.c_str(), type, flags, options.c_str()) != 0) return false;
    mounts_.push_back(to);
    return true;
  }

  const std::string disk_ = Path("disk");
  std::vector<std::string> mounts_;
};

TEST_F(OnPostgresAndOwnDisk, AnOverlayOfALiveDataDirectoryIsRefused) {
  StartFirst({"--durability", "turn"});
  for (const char* name : {"alice", "bob"}) AddBot(name);
  CreateLadder("ladder", "alice,bob");
  for (const char* name : {"alice", "bob"}) StartBot(name, {"bots/random"});
  ASSERT_TRUE(GoesOn());
  const int64_t term = Ask("SELECT home FROM referee.competition");
  if (!OverlayLiveDirectory()) GTEST_SKIP() << "cannot mount an overlay: " << strerror(errno);
  const pid_t other = sandbox_.Start(
      {"refereed", "--listen", other_address_, "--data-dir", Path("other"), "--store", url_});
  const bool refused =
      Eventually([&] { return absl::StrContains(sandbox_.Written(other).err, "still runs"); });
  if (!refused) kill(other, SIGKILL);
  const Ran ran = sandbox_.Await(other);
  ASSERT_TRUE(refused) << ran.err;
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(Ask("SELECT home FROM referee.competition"), term);
  EXPECT_EQ(Ask("SELECT count(*) FROM referee.attempt"), 0) << "no block began again";
  ASSERT_TRUE(GoesOn());
  Finish("ladder");
  ExpectCleanAudit();
}

TEST_F(OnPostgres, OnADiskFromAnotherMachineARefereeWaitsForTheLeaseOfTheOneBefore) {
  StartFirst();
  // It is ready before it has its lease.
  ASSERT_TRUE(Eventually([this] { return Ask("SELECT count(*) FROM referee.lease") > 0; }));
  KillReferee();
  std::ifstream file(Path("data/instances"));
  std::string name;
  std::string boot;
  file >> name >> boot;
  ASSERT_FALSE(boot.empty());
  std::ofstream(Path("data/instances")) << name << " another-boot\n";
  const pid_t second = sandbox_.Start(
      {"refereed", "--listen", first_address_, "--data-dir", Path("data"), "--store", url_});
  // The one before renews its lease, again and again.
  ASSERT_TRUE(Eventually([&] {
    EXPECT_EQ(db_->Run("UPDATE referee.lease SET until = until + 1000000"), absl::OkStatus());
    return absl::StrContains(sandbox_.Written(second).err, "still runs");
  }));
  const Ran refused = sandbox_.Await(second);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("--store: "), HasSubstr(name)));
  ASSERT_EQ(db_->Run("UPDATE referee.lease SET until = 0"), absl::OkStatus());
  StartReferee(shared());
}

TEST_F(OnPostgres, ALadderWithTwoHomesIsPlayedOnBothAndGoesOnWhenOneIsKilled) {
  StartFirst();
  const pid_t other = StartOther(shared());
  for (const char* name : {"alice", "bob", "carol", "dave"}) {
    AddBot(name);
    StartBot(name, {"bots/random"});
  }
  CreateLadder("ladder", "alice,bob,carol,dave", 2);
  ASSERT_TRUE(Eventually([this] { return Plays(first_address_); }));
  ASSERT_TRUE(Eventually([this] { return Plays(other_address_); }));
  ASSERT_TRUE(GoesOn());
  // Whichever of them is the home.
  kill(other, SIGKILL);
  sandbox_.Await(other);
  ASSERT_EQ(db_->Run("UPDATE referee.lease SET until = 0 WHERE address = $1", other_address_),
            absl::OkStatus());
  ASSERT_TRUE(GoesOn());
  EXPECT_TRUE(LivesAt(first_address_));
  Finish("ladder");
  EXPECT_EQ(Ask("SELECT count(*) FROM referee.block WHERE state <> 'PLAYED'"), 0);
  EXPECT_EQ(Ask("SELECT count(*) FROM referee.entrant WHERE presence <> 'IN' OR forfeits > 0"), 0);
  ExpectCleanAudit();
}

TEST_F(OnPostgres, ABanAtOneRefereeThatHoldsNowCancelsTheMatchesAtTheOther) {
  StartFirst();
  StartOther(shared());
  for (const char* name : {"alice", "bob"}) {
    AddBot(name);
    StartBot(name, {"tests/faulty", "--hang-at=3"});
  }
  const Ran created = Refctl(
      {"match", "create", "--game", "isaac", "--time", "10m", "--bot", "alice", "--bot", "bob"});
  ASSERT_EQ(created.status, 0) << created.err;
  const std::string match(absl::StripAsciiWhitespace(created.out));
  const auto shown = [&] { return Refctl({"match", "show", match}).out; };
  ASSERT_TRUE(Eventually([&] { return absl::StrContains(shown(), "2 turns played"); })) << shown();
  const Ran banned =
      Refctl({"ban", "add", "--account", "alice", "--now", "--address", other_address_});
  EXPECT_EQ(banned.status, 0) << banned.err;
  EXPECT_TRUE(Eventually([&] { return absl::StrContains(shown(), "cancelled: alice was banned"); }))
      << shown();
}

TEST_F(OnPostgres, WhatIsWrongWithTheDatabaseIsSaidWithoutItsPassword) {
  const auto refused = [this](const std::string& url) {
    const Ran referee = sandbox_.Run(
        {"refereed", "--data-dir", Path("data"), "--listen", "unix:s", "--store", url});
    EXPECT_EQ(referee.status, 2);
    EXPECT_THAT(referee.out + referee.err, Not(HasSubstr("secret")));
    const Ran misspelt = sandbox_.Run({"refereed", "--stroe=" + url});
    EXPECT_THAT(misspelt.out + misspelt.err, Not(HasSubstr("secret")));
    const Ran list = Refctl({"bot", "list", "--store", url});
    EXPECT_EQ(list.status, 2);
    EXPECT_THAT(list.err, AllOf(HasSubstr("--store: "), Not(HasSubstr("secret"))));
    EXPECT_THAT(Refctl({"bot", "list", "--stroe=" + url}).err, Not(HasSubstr("secret")));
    return referee.err;
  };
  EXPECT_THAT(refused(url_ + "&password=secret"),
              AllOf(HasSubstr("--store: "), HasSubstr("'refctl store migrate --store URL'")));
  EXPECT_THAT(refused("postgresql://me:secret@127.0.0.1:1/games"),
              AllOf(HasSubstr("database games on 127.0.0.1:1"), HasSubstr("try again")));
  EXPECT_THAT(refused("postgresql://me:sec@secret@127.0.0.1:1/games"), HasSubstr("%40"));

  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"store", "migrate", "--store", "postgresql://127.0.0.1:1"},
        std::vector<std::string>{"store", "copy", "--from", Path("none"), "--to", url_}}) {
    const Ran ran = Refctl(command);
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.err, AnyOf(HasSubstr("127.0.0.1:1"), HasSubstr("there is no store")));
  }
  ASSERT_EQ(Refctl({"store", "migrate", "--store", url_}).status, 0);
  for (const int version : {0, 99}) {
    ASSERT_EQ(db_->Run("UPDATE referee.store SET version = $1", version), absl::OkStatus());
    EXPECT_THAT(refused(url_), HasSubstr(absl::StrCat("a store of version ", version)));
  }
}

}  // namespace
}  // namespace referee::end_to_end
