// refereed as a program: how it starts, how it refuses to, how it stops, what it leaves behind.

#include <signal.h>
#include <sys/wait.h>

#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/end_to_end/archived.h"
#include "tests/end_to_end/open_matches.h"
#include "tests/end_to_end/program.h"
#include "tests/support/accounts.h"
#include "tests/support/health.h"
#include "tests/support/http_client.h"

namespace referee::end_to_end {
namespace {

using ::referee::testing::AddAccount;
using ::referee::testing::Get;
using ::referee::testing::HealthOf;
using ::referee::testing::kNotServing;
using ::referee::testing::kServing;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class Daemon : public SandboxTest {
 protected:
  struct Running {
    pid_t pid = 0;
    std::string address;
  };

  ~Daemon() override {
    EXPECT_TRUE(Eventually([this] { return sandbox_.Running().empty(); }))
        << sandbox_.Running().size() << " programs are left";
  }

  // The command line of a daemon that listens on any free port; `more` goes last and wins.
  std::vector<std::string> Command(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> command = {"refereed"};
    const auto add_unless_given = [&](const std::string& flag, const std::string& value) {
      for (const std::string& given : more) {
        if (absl::StartsWith(given, flag)) return;
      }
      command.push_back(flag + value);
    };
    add_unless_given("--listen=", "127.0.0.1:0");
    add_unless_given("--data-dir=", Path("data"));
    command.insert(command.end(), more.begin(), more.end());
    return command;
  }

  // Runs one that is to refuse to start. Returns what it says.
  std::string Refusal(const std::vector<std::string>& more) {
    const pid_t pid = sandbox_.Start(Command(more));
    const bool ended = Eventually(
        [&] { return HasEnded(pid) || absl::StrContains(sandbox_.Written(pid).err, "ready: "); });
    if (!ended || !HasEnded(pid)) kill(pid, SIGKILL);
    const Ran ran = sandbox_.Await(pid);
    EXPECT_EQ(ran.status, 2) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, HasSubstr("refereed: "));
    return ran.err;
  }

  Running StartCommand(const std::vector<std::string>& command) {
    Running running;
    running.pid = sandbox_.Start(command);
    EXPECT_TRUE(Eventually([&] {
      return absl::StrContains(sandbox_.Written(running.pid).err, "ready: listening on ");
    })) << sandbox_.Written(running.pid).err;
    const std::string log = sandbox_.Written(running.pid).err;
    const size_t begin = log.find("listening on ") + 13;
    running.address = log.substr(begin, log.find(',', begin) - begin);
    return running;
  }
  Running Start(const std::vector<std::string>& more = {}) { return StartCommand(Command(more)); }

  // REQUIRES: it serves metrics.
  std::string MetricsAddress(const Running& daemon) const {
    const std::string log = sandbox_.Written(daemon.pid).err;
    const size_t begin = log.find("http://") + 7;
    return log.substr(begin, log.find('/', begin) - begin);
  }

  Ran Stop(const Running& daemon, int signal = SIGTERM) {
    kill(daemon.pid, signal);
    return sandbox_.Await(daemon.pid);
  }

  Ran Match(const Running& daemon, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"refctl", "match"});
    return sandbox_.Run(arguments,
                        {{"REFEREE_ADDRESS", daemon.address}, {"REFEREE_TOKEN", "olga-token"}});
  }
  void AddBots() {
    for (const std::string name : {"alice", "bob"}) AddAccount(Path("data"), name, name + "-token");
    AddAccount(Path("data"), "olga", "olga-token", store::Role::kOrganiser);
  }
  // Starts a match whose bots stop answering at turn 3, and waits until they have.
  std::string StartMatch(const Running& daemon, const std::string& time) {
    AddBots();
    for (const char* name : {"alice", "bob"}) {
      bots_.push_back(sandbox_.Start(
          {"tests/faulty", "--hang-at=3"},
          {{"REFEREE_ADDRESS", daemon.address}, {"REFEREE_TOKEN", absl::StrCat(name, "-token")}}));
    }
    const Ran ran = Match(
        daemon, {"create", "--game", "hypnosia", "--bot", "alice", "--bot", "bob", "--time", time});
    EXPECT_EQ(ran.status, 0) << ran.err;
    const std::string id(absl::StripAsciiWhitespace(ran.out));
    EXPECT_TRUE(Eventually([&] {
      return absl::StrContains(sandbox_.Written(bots_[0]).err, "hang") ||
             absl::StrContains(sandbox_.Written(bots_[1]).err, "hang");
    }));
    return id;
  }
  void EndBots() {
    for (const pid_t bot : bots_) {
      kill(bot, SIGKILL);
      sandbox_.Await(bot);
    }
    bots_.clear();
  }
  // What `refctl replay export` prints of the only replay, which must verify.
  std::string OnlyReplay() {
    const std::vector<std::string> files = ArchivedReplays(&sandbox_, "data");
    EXPECT_THAT(files, SizeIs(1));
    if (files.size() != 1) return "";
    const Ran verified = sandbox_.Run({"refctl", "replay", "verify", files[0]});
    EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
    EXPECT_THAT(OpenMatches(Path("data")), IsEmpty());
    return sandbox_.Run({"refctl", "replay", "export", "--format", "text", files[0]}).out;
  }

  std::vector<pid_t> bots_;
};

// --- Starting. ---

TEST_F(Daemon, SaysWhereItListensWhenItIsReadyAndStopsWhenTold) {
  for (const int signal : {SIGTERM, SIGINT}) {
    const Running daemon = Start();
    EXPECT_THAT(daemon.address, StartsWith("127.0.0.1:"));
    EXPECT_NE(daemon.address, "127.0.0.1:0");
    EXPECT_EQ(Match(daemon, {"list"}).status, 0);
    const Ran ran = Stop(daemon, signal);
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, HasSubstr("stopped\n"));
  }
}

TEST_F(Daemon, KeepsItsKey) {
  const auto key_of = [&](const Running& daemon) {
    const std::string log = Stop(daemon).err;
    const size_t begin = log.find(", key ");
    return log.substr(begin, log.find('\n', begin) - begin);
  };
  const std::string first = key_of(Start());
  EXPECT_THAT(first, SizeIs(6 + 32));
  EXPECT_EQ(key_of(Start()), first);
}

TEST_F(Daemon, ListensOnAUnixSocketAlsoAfterItWasKilled) {
  const std::string listen = absl::StrCat("--listen=unix:", Path("socket"));
  Running daemon = Start({listen});
  EXPECT_EQ(Match(daemon, {"list"}).status, 0);
  Stop(daemon, SIGKILL);
  daemon = Start({listen});
  EXPECT_EQ(Match(daemon, {"list"}).status, 0);
  EXPECT_EQ(Stop(daemon).status, 0);
}

TEST_F(Daemon, ReadsItsFlagsFromAFile) {
  // As an editor on Windows saves it.
  WriteFile("config", absl::StrCat("\xef\xbb\xbflisten=127.0.0.1:0\r\ndata-dir=",
                                   Path("other-data"), "\r\ndrain-timeout=1s\r\n"));
  const Running daemon = StartCommand({"refereed", "--config", Path("config")});
  EXPECT_THAT(sandbox_.Files("other-data", "key.pub"), SizeIs(1));
  EXPECT_THAT(Stop(daemon).err, HasSubstr("draining for at most 1s"));
}

TEST_F(Daemon, SaysThatNoMatchBeginsBelowTheMarkOfFreeRoom) {
  const Running daemon = Start({"--min-free=1EiB"});
  EXPECT_THAT(Stop(daemon).err, HasSubstr("disk: no match begins"));
}

// --- Health. ---

TEST_F(Daemon, IsReadyUntilItDrains) {
  const Running daemon = Start({"--metrics=0", "--drain-timeout=1h"});
  const std::string address = MetricsAddress(daemon);
  EXPECT_EQ(Get(address, "/readyz").code, 200);
  EXPECT_EQ(HealthOf(daemon.address, ""), kServing);
  StartMatch(daemon, "1h");
  kill(daemon.pid, SIGTERM);
  testing::HttpAnswer answer;
  EXPECT_TRUE(Eventually([&] { return (answer = Get(address, "/readyz")).code == 503; }));
  EXPECT_THAT(answer.body, HasSubstr("draining"));
  for (const char* none : {"", "matches", "referee.v1.BotService", "referee.v1.ReplayService"}) {
    EXPECT_TRUE(Eventually([&] { return HealthOf(daemon.address, none) == kNotServing; })) << none;
  }
  EXPECT_EQ(Get(address, "/livez").code, 200);
  EXPECT_THAT(Get(address, "/metrics").body,
              HasSubstr("referee_matches_running{game=\"hypnosia\"} 1\n"));
  kill(daemon.pid, SIGKILL);
  sandbox_.Await(daemon.pid);
  EndBots();
}

TEST_F(Daemon, IsNotReadyWhileTheDiskHasTooLittleRoom) {
  const Running daemon = Start({"--metrics=0", "--min-free=1EiB"});
  const testing::HttpAnswer answer = Get(MetricsAddress(daemon), "/readyz");
  EXPECT_EQ(answer.code, 503);
  EXPECT_THAT(answer.body, HasSubstr("no match begins"));
  EXPECT_EQ(Stop(daemon).status, 0);
}

TEST_F(Daemon, RefusesAnAddressForMetricsThatIsNoneOrTaken) {
  EXPECT_THAT(Refusal({"--metrics=localhost"}), HasSubstr("such as 9464"));
  const Running daemon = Start({"--metrics=0"});
  EXPECT_THAT(
      Refusal({absl::StrCat("--metrics=", MetricsAddress(daemon)), "--data-dir=" + Path("other")}),
      HasSubstr("cannot listen on "));
  EXPECT_EQ(Stop(daemon).status, 0);
}

TEST_F(Daemon, RefusesAFileOfFlagsThatItDoesNotKnowOrFind) {
  WriteFile("config", "lisen=127.0.0.1:0\n");
  EXPECT_THAT(Refusal({"--config", Path("config")}), HasSubstr("lisen"));
  EXPECT_THAT(Refusal({"--config", Path("missing")}), HasSubstr("missing"));
  WriteFile("config", "\xff\xfel");
  EXPECT_THAT(Refusal({"--config", Path("config")}), HasSubstr("UTF-16"));
}

TEST_F(Daemon, SaysWhatItIs) {
  const Ran help = sandbox_.Run({"refereed", "--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.out, AllOf(HasSubstr("--data-dir"), HasSubstr("--drain-timeout"),
                              HasSubstr("refctl bot add"), HasSubstr("Example")));
  EXPECT_THAT(help.out, AllOf(HasSubstr("--durability none|match|turn"),
                              HasSubstr("--readers everybody|observers"), Not(HasSubstr("->"))));
  const Ran version = sandbox_.Run({"refereed", "--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.out, StartsWith("refereed 0."));
}

// --- Refusing to start. ---

TEST_F(Daemon, RefusesFlagsThatMakeNoSense) {
  const Ran bare = sandbox_.Run({"refereed"});
  EXPECT_EQ(bare.status, 2);
  EXPECT_THAT(bare.err, HasSubstr("--data-dir"));
  EXPECT_THAT(Refusal({"--drain-timeout=soon"}), HasSubstr("'soon'"));
  EXPECT_THAT(Refusal({"--durability=always"}),
              HasSubstr("--durability: 'always' is not one of none, match, turn"));
  EXPECT_THAT(Refusal({"--min-free=lots"}), HasSubstr("--min-free: 'lots' is not a size"));
  EXPECT_EQ(Refusal({"--min-free=lots"}),
            "refereed: --min-free: 'lots' is not a size, such as 500MiB or 2GiB; see 'refereed "
            "--help'\n");
  for (const char* flag : {"--max-connections", "--max-connections-per-address"}) {
    EXPECT_THAT(Refusal({absl::StrCat(flag, "=-1")}), HasSubstr("'-1' is not a number from 0"));
  }
  EXPECT_THAT(Refusal({"--min-free=-1"}), HasSubstr("--min-free: '-1' is not a size"));
  for (const char* kept : {"10XiB", "-5GiB", "99999999999999999999GiB"}) {
    EXPECT_THAT(Refusal({absl::StrCat("--keep-replays=", kept)}),
                HasSubstr(absl::StrCat("'", kept, "' is neither days")));
  }
  for (const char* kept : {"", "1d,", ",1MiB", "1d,,1MiB"}) {
    EXPECT_THAT(Refusal({"--keep-replays", kept}), HasSubstr("--keep-replays: '' is neither days"))
        << kept;
  }
  EXPECT_THAT(Refusal({"--fault-point=log-write:0"}), HasSubstr("'log-write:0'"));
  EXPECT_THAT(Refusal({"--fault-point=log-slow:1"}), HasSubstr("'log-slow:1'"));
  EXPECT_THAT(Refusal({"--drain-timeout=-1s"}), HasSubstr("'-1s'"));
  for (const char* lease : {"2999ms", "301s", "inf", "15"}) {
    EXPECT_THAT(Refusal({absl::StrCat("--lease=", lease)}),
                HasSubstr(absl::StrCat("--lease: '", lease, "' is not a duration from 3s to 5m;")));
  }
  EXPECT_THAT(Refusal({"--max-running=0"}),
              HasSubstr("--max-running: '0' is not a number from 1 to 100000"));
  EXPECT_THAT(Refusal({"--no-such-flag"}), HasSubstr("--no-such-flag"));
}

TEST_F(Daemon, RefusesAnAddressThatMakesNoSenseOrIsOpenToAll) {
  EXPECT_THAT(Refusal({"--listen=nonsense"}), HasSubstr("'nonsense'"));
  EXPECT_THAT(Refusal({"--listen=0.0.0.0:0"}), HasSubstr("--insecure"));
  EXPECT_THAT(sandbox_.Files("data", ""), IsEmpty()) << "nothing is half made";
  const Running open = Start({"--listen=0.0.0.0:0", "--insecure"});
  EXPECT_EQ(Stop(open).status, 0);
}

TEST_F(Daemon, RefusesAnAddressThatIsTaken) {
  const Running first = Start();
  EXPECT_THAT(Refusal({"--listen=" + first.address, "--data-dir=" + Path("other")}),
              AllOf(StartsWith("refereed: "), HasSubstr(first.address)));
  EXPECT_EQ(Match(first, {"list"}).status, 0);
  EXPECT_EQ(Stop(first).status, 0);
}

TEST_F(Daemon, RefusesADataDirThatIsInUse) {
  const Running first = Start();
  EXPECT_THAT(Refusal({}), AllOf(StartsWith("refereed: "), HasSubstr(Path("data")),
                                 HasSubstr("another referee")));
  EXPECT_EQ(Stop(first).status, 0);
}

TEST_F(Daemon, RefusesADataDirThatCannotBe) {
  WriteFile("file", "no directory");
  EXPECT_THAT(Refusal({"--data-dir=" + Path("file") + "/data"}),
              AllOf(StartsWith("refereed: "), HasSubstr(Path("file"))));
  EXPECT_THAT(Refusal({"--data-dir=/proc/no/such"}), HasSubstr("/proc/no"));
}

TEST_F(Daemon, RefusesTlsThatIsNone) {
  WriteFile("cert.pem", "no certificate");
  EXPECT_THAT(Refusal({"--tls-cert=" + Path("cert.pem")}), HasSubstr("key"));
  EXPECT_THAT(Refusal({"--tls-cert=" + Path("cert.pem"), "--tls-key=" + Path("missing")}),
              HasSubstr(Path("missing")));
  EXPECT_THAT(Refusal({"--tls-cert=" + Path("cert.pem"), "--tls-key=" + Path("cert.pem")}),
              HasSubstr("PEM"));
}

// --- Stopping. ---

TEST_F(Daemon, KeepsWhatStillRunsAfterTheDrainTimeoutForItsNextStart) {
  Running daemon = Start({"--drain-timeout=100ms"});
  const std::string id = StartMatch(daemon, "10m");
  const Ran ran = Stop(daemon);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EndBots();
  EXPECT_THAT(OpenMatches(Path("data")), ElementsAre(id));
  EXPECT_THAT(ArchivedReplays(&sandbox_, "data"), IsEmpty());
}

TEST_F(Daemon, LetsWhatRunsEndWithinTheDrainTimeout) {
  const Running daemon = Start({"--drain-timeout=60s"});
  StartMatch(daemon, "1s");
  const Ran ran = Stop(daemon);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EndBots();
  EXPECT_THAT(OnlyReplay(), HasSubstr("LAST_SEAT"));
}

TEST_F(Daemon, KeepsWhatWaitsHoweverItStops) {
  AddBots();
  for (const int signal : {SIGTERM, SIGKILL}) {
    const Running daemon = Start();
    const std::vector<std::string> create = {"create", "--game", "hypnosia",     "--bot", "alice",
                                             "--bot",  "bob",    "--request-id", "monday"};
    const Ran ran = Match(daemon, create);
    EXPECT_EQ(ran.status, 0) << ran.err;
    const std::string id(absl::StripAsciiWhitespace(ran.out));
    Stop(daemon, signal);
    EXPECT_THAT(OpenMatches(Path("data")), ElementsAre(id));
  }
  const Running daemon = Start();
  EXPECT_THAT(Match(daemon, {"list", "--state", "waiting"}).out, HasSubstr("  waiting"));
  EXPECT_EQ(Stop(daemon).status, 0);
}

TEST_F(Daemon, VoidsWhatItLeftWhenItWasKilledIfNoBotComesBack) {
  Running daemon = Start();
  const std::string id = StartMatch(daemon, "10m");
  Stop(daemon, SIGKILL);
  EndBots();
  EXPECT_THAT(OpenMatches(Path("data")), SizeIs(1));
  EXPECT_THAT(ArchivedReplays(&sandbox_, "data"), IsEmpty());

  daemon = Start({"--resume-timeout=100ms"});
  EXPECT_THAT(sandbox_.Written(daemon.pid).err,
              HasSubstr(absl::StrCat("match ", id, ": the match was running")));
  EXPECT_TRUE(Eventually([&] { return !ArchivedReplays(&sandbox_, "data").empty(); }));
  EXPECT_THAT(OnlyReplay(), EndsWith("\nend VOID\n"));
  EXPECT_THAT(ArchivedReplays(&sandbox_, "data"), ElementsAre(EndsWith(id + ".rpl")));
  EXPECT_EQ(Stop(daemon).status, 0);
}

}  // namespace
}  // namespace referee::end_to_end
