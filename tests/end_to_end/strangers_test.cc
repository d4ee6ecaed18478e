// refctl duel between bots that do not trust each other: what a thief gains, and what isolated bots
// see of the machine.

#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/program.h"

namespace referee::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;
namespace fs = std::filesystem;

class Strangers : public SandboxTest {
 protected:
  ~Strangers() override { EXPECT_TRUE(sandbox_.TempIsEmpty()); }

  Ran Play(const std::vector<std::string>& bots, const std::vector<std::string>& more,
           const Sandbox::Environment& environment = {}) {
    std::vector<std::string> command = {"refctl",     "duel",   "--game",      "hypnosia",
                                        "--matches",  "4",      "-q",          "--bot-logs",
                                        Path("logs"), "--time", "2s,ready=30s"};
    for (const std::string& bot : bots) command.insert(command.end(), {"--bot", bot});
    command.insert(command.end(), more.begin(), more.end());
    return sandbox_.Run(command, environment);
  }
  Ran PlayIsolated(const std::vector<std::string>& bots, std::vector<std::string> more = {}) {
    more.emplace_back("--isolate");
    return Play(bots, more);
  }

  void Write(const std::string& name, const std::string& text) const {
    testing::WriteProgram(Path(name), text);
  }
  std::string LogOf(const std::string& bot) const {
    return testing::ReadFile(Path(absl::StrCat("logs/", bot, ".log")));
  }
  // A bot that runs a script before it plays.
  std::string Curious(const std::string& script) const {
    Write("curious/look", absl::StrCat("#!/bin/sh\n", script));
    return absl::StrCat("curious=", Path("curious/look"), "; exec ", random_);
  }

  const std::string random_ = Program("bots/random");
  const std::string greedy_ = Program("bots/greedy");
  const std::string thief_ = absl::StrCat("thief=", Program("tests/thief"), " ", random_);
};

// Skipped where bubblewrap cannot make namespaces.
class IsolatedStrangers : public Strangers {
 protected:
  void SetUp() override {
    if (system("bwrap --unshare-all --unshare-user --disable-userns --ro-bind / / --proc /proc "
               "true") != 0) {
      GTEST_SKIP() << "bubblewrap is not installed, or may not make namespaces";
    }
  }
};

// --- Tokens ---

TEST_F(Strangers, AThiefGainsNothing) {
  const Ran ran = Play({thief_, greedy_}, {"--json"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  const Json report = Json::parse(ran.out, nullptr, false);
  ASSERT_TRUE(report.is_object()) << ran.out;
  for (const Json& bot : report["bots"]) {
    for (const auto& [cause, times] : bot["forfeits"].items()) EXPECT_EQ(times, 0) << bot << cause;
  }
  EXPECT_THAT(LogOf("thief"), AllOf(HasSubstr("found a token"), Not(HasSubstr("plays as greedy")),
                                    Not(HasSubstr("resigned"))));
  EXPECT_THAT(LogOf("greedy"), Not(HasSubstr("another stream")));
  EXPECT_THAT(ran.err, HasSubstr("warning: the process 'thief' of bot 'thief' dialled the address "
                                 "of bot 'greedy', and was turned away"));
}

// The thief of the test above is one.
TEST_F(Strangers, WhereAnyProcessMaySpeakForABotAThiefDoes) {
  const Ran ran = Play({thief_, greedy_}, {"--any-process"});
  EXPECT_THAT(LogOf("thief"), HasSubstr("plays as greedy")) << ran.out << ran.err;
}

TEST_F(Strangers, BotsMayBeStartedByWrappers) {
  // By a shell that stays, and in a session of its own by one that ends.
  const Ran ran = Play({absl::StrCat("child=sh -c 'env A=1 ", random_, "; true'; true"),
                        absl::StrCat("orphan=(setsid ", random_, " &); exec sleep 1000")},
                       {});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
}

TEST_F(IsolatedStrangers, AnIsolatedThiefFindsNothing) {
  const Ran ran = PlayIsolated({thief_, greedy_});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(LogOf("thief"), Not(HasSubstr("found a token")));
}

// --- Isolation ---

TEST_F(IsolatedStrangers, IsolatedBotsSeeNoFilesButTheirOwnAndWriteNone) {
  Write("bob/weights", "a secret of bob");
  Write("bob/bot", absl::StrCat("#!/bin/sh\nexec ", random_));
  const Ran ran = PlayIsolated(
      {Curious(absl::StrCat("cat ", Path("bob/weights"), "; ls ", Path("data"), " ", Path("logs"),
                            "; touch ", Path("curious/new"), " && echo wrote its folder\n",
                            "touch /new && echo wrote the top\n",
                            "touch /tmp/new && touch $HOME/new && echo wrote its own\n",
                            "ls -d /proc/[0-9]* | wc -l\n", "env\n")),
       absl::StrCat("bob=", Path("bob/bot"), "; ", random_)},
      {"--replay-dir", Path("data")});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err << LogOf("curious");
  EXPECT_THAT(LogOf("curious"),
              AllOf(HasSubstr("bob/weights: No such file"), HasSubstr("data': No such file"),
                    HasSubstr("logs': No such file"), Not(HasSubstr("wrote its folder")),
                    Not(HasSubstr("wrote the top")), HasSubstr("wrote its own")));
  EXPECT_FALSE(fs::exists(Path("curious/new")));
  EXPECT_FALSE(fs::exists("/tmp/new"));
}

TEST_F(IsolatedStrangers, IsolatedBotsHaveNeitherNetworkNorForeignProcesses) {
  const Ran ran = PlayIsolated({Curious("wc -l < /proc/net/dev\n"
                                        "for p in /proc/[0-9]*; do cat $p/comm; done\n"),
                                random_});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err << LogOf("curious");
  // Two lines of headings, and loopback.
  EXPECT_THAT(LogOf("curious"), AllOf(HasSubstr("3\n"), Not(HasSubstr("\nrefctl\n"))));
}

TEST_F(IsolatedStrangers, TheMemoryOfIsolatedBotsIsBounded) {
  const Ran ran =
      PlayIsolated({Curious("dd if=/dev/zero of=/dev/null bs=1000M count=1\n"), random_},
                   {"--bot-memory", "512MB"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(LogOf("curious"), HasSubstr("memory exhausted"));
}

TEST_F(IsolatedStrangers, TheDuelSaysWhatTheLimitOfMemoryIs) {
  const Ran ran = sandbox_.Run({"refctl", "duel", "--game", "hypnosia", "--matches", "2", "--bot",
                                random_, "--bot", greedy_, "--isolate"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("--bot-memory limits the private memory of each process"));
}

TEST_F(IsolatedStrangers, TheEndOfAnIsolatedBotIsReportedWithWhatItMayHaveLacked) {
  const Ran ran = PlayIsolated({"broken=exit 3", random_});
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("exited with status 3"), HasSubstr("--readable"),
                             HasSubstr("--bot-memory")));
}

TEST_F(IsolatedStrangers, IsolatedBotsReadWhatTheyAreLetRead) {
  Write("models/net", "weights for all");
  const std::string bot = Curious("cat ../models/n*\n");
  Ran ran = PlayIsolated({bot, random_});
  EXPECT_THAT(LogOf("curious"), Not(HasSubstr("weights for all")));
  const std::string absolute = Curious(absl::StrCat("cat ", Path("models"), "/n*\n"));
  ran = PlayIsolated({absolute, random_}, {"--readable", Path("models")});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(LogOf("curious"), HasSubstr("weights for all"));
}

TEST_F(IsolatedStrangers, IsolatedBotsMaySaveWhatTheyHaveWhenTheDuelEnds) {
  const Ran ran = PlayIsolated(
      {absl::StrCat("saver=trap 'echo saved; exit' TERM; ", random_, " & sleep 1000 & wait"),
       random_});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(LogOf("saver"), HasSubstr("saved"));
}

// With packages of the user's, and one for Node that is a link.
TEST_F(IsolatedStrangers, IsolatedBotsHaveTheirLanguages) {
  if (system("/usr/bin/python3 -c '' && node -e '' ") != 0) GTEST_SKIP() << "no Python or Node";
  Write("home/.local/lib/python3/site-packages/common.py", "print('python has its package')");
  Write("home/.ssh/id", "a key");
  Write("package/index.js", "console.log('node has its package')");
  Write("package/package.json", "{\"main\": \"index.js\"}");
  Write("curious/bot.js", "require('package')");
  fs::create_directories(Path("curious/node_modules"));
  fs::create_directory_symlink(Path("package"), Path("curious/node_modules/package"));
  const std::string site = Path("home/.local/lib/python3/site-packages");
  const Ran ran = Play(
      {Curious(absl::StrCat("PYTHONPATH=", site, " /usr/bin/python3 -c 'import common'\n", "node ",
                            Path("curious/bot.js"), "\n", "cat ", Path("home/.ssh/id"), "\n")),
       random_},
      {"--isolate"}, {{"HOME", Path("home")}});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(LogOf("curious"),
              AllOf(HasSubstr("python has its package"), HasSubstr("node has its package"),
                    HasSubstr(".ssh/id: No such file")));
}

TEST_F(Strangers, WithoutBubblewrapIsolationIsRefused) {
  const Ran ran = Play({random_, random_}, {"--isolate"}, {{"PATH", "/nonexistent"}});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("--isolate"), HasSubstr("apt install bubblewrap")));
}

TEST_F(Strangers, WhereNamespacesAreForbiddenIsolationIsRefused) {
  Write("bin/bwrap", "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1");
  const Ran ran = Play({random_, random_}, {"--isolate"}, {{"PATH", Path("bin") + ":/usr/bin"}});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("--isolate"), HasSubstr("user namespaces"),
                             HasSubstr("No permissions to create new namespace")));
}

// --- Processors ---

TEST_F(Strangers, EachBotRunsOnProcessorsOfItsOwn) {
  cpu_set_t usable;
  ASSERT_EQ(sched_getaffinity(0, sizeof(usable), &usable), 0);
  if (!CPU_ISSET(0, &usable) || !CPU_ISSET(1, &usable)) GTEST_SKIP() << "needs processors 0 and 1";
  const std::string look = "grep Cpus_allowed_list /proc/self/status; exec ";
  const Ran ran =
      Play({absl::StrCat("first=", look, random_), absl::StrCat("second=", look, random_)},
           {"--cpus", "1,0"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(LogOf("first"), HasSubstr("list:\t1\n"));
  EXPECT_THAT(LogOf("second"), HasSubstr("list:\t0\n"));
}

TEST_F(Strangers, ProcessorsThatAreNotThereOrTooFewAreRefused) {
  Ran ran = Play({random_, random_}, {"--cpus", "0"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("--cpus: has processors for 1 of 2 bots"));
  ran = Play({random_, random_}, {"--cpus", "0,1000"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("--cpus: processor 1000 is not one that this program may use"));
}

}  // namespace
}  // namespace referee::end_to_end
