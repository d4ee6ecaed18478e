#include "referee/launch/bot_process.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/launch/temp_dir.h"

namespace referee::launch {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

// Processes of a group that are not zombies.
std::vector<std::string> LiveProcessesOf(pid_t group) {
  std::vector<std::string> live;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "stat");
    std::string pid, name, state, parent, process_group;
    // The name may hold no space: these are sleep and sh.
    if (!(file >> pid >> name >> state >> parent >> process_group)) continue;
    if (process_group == std::to_string(group) && state != "Z") live.push_back(pid + name);
  }
  return live;
}

// Waits until `condition` holds, for a minute at most; returns whether it does.
template <typename Condition>
bool Eventually(Condition condition) {
  const absl::Time until = absl::Now() + absl::Minutes(1);
  while (!condition()) {
    if (absl::Now() > until) return false;
    std::this_thread::yield();
  }
  return true;
}

class BotProcessTest : public ::testing::Test {
 protected:
  std::unique_ptr<BotProcess> Start(const std::string& command, std::vector<int> cpus = {}) {
    BotProcess::Options options;
    options.command = command;
    options.cpus = std::move(cpus);
    options.environment = {{"REFEREE_ADDRESS", "unix:here"}};
    options.output = BotOutput::Make(absl::StrCat(directory_.path(), "/log")).value();
    options.on_exit = [this] { exited_.set_value(); };
    auto process = BotProcess::Start(options);
    EXPECT_TRUE(process.ok()) << process.status();
    return *std::move(process);
  }
  void AwaitExit() {
    ASSERT_EQ(exited_.get_future().wait_for(std::chrono::minutes(1)), std::future_status::ready);
  }

  TempDir directory_ = TempDir::Make().value();
  std::promise<void> exited_;
};

TEST_F(BotProcessTest, SeesItsEnvironmentAndWritesToItsLog) {
  const auto process = Start("echo \"at $REFEREE_ADDRESS\"; echo bad >&2");
  AwaitExit();
  EXPECT_EQ(process->ending(), "exited with status 0");
  EXPECT_EQ(process->LogTail(20), "  | at unix:here\n  | bad");
}

TEST(BotEnvironment, IsOfPlainTextWhateverOtherRefereesWant) {
  for (const auto& [name, value] : BotEnvironment("unix:here", "token")) {
    EXPECT_EQ(value.empty(), name.find("_TLS_") != std::string::npos) << name;
  }
}

TEST_F(BotProcessTest, SaysHowItEnded) {
  const auto process = Start("exit 3");
  AwaitExit();
  EXPECT_EQ(process->ending(), "exited with status 3");
}

TEST_F(BotProcessTest, ItsEndIsWaitedForUpToALimit) {
  const auto process = Start("sleep 1000");
  EXPECT_EQ(process->AwaitEnding(absl::Milliseconds(1)), absl::nullopt);
  process->Terminate();
  EXPECT_EQ(process->AwaitEnding(absl::Minutes(1)), "was killed by signal 15 (Terminated)");
}

TEST_F(BotProcessTest, CommandMayDoItsOwnExec) {
  const auto process = Start("exec /bin/sh -c 'exit 4'");
  AwaitExit();
  EXPECT_EQ(process->ending(), "exited with status 4");
}

TEST_F(BotProcessTest, SaysWhichSignalKilledIt) {
  const auto process = Start("kill -SEGV $$");
  AwaitExit();
  EXPECT_THAT(*process->ending(), HasSubstr("was killed by signal 11"));
}

TEST_F(BotProcessTest, UnknownCommandIsNamedAsSuch) {
  const auto process = Start("/nonexistent/bot");
  AwaitExit();
  EXPECT_THAT(*process->ending(), HasSubstr("no such command"));
  EXPECT_THAT(process->LogTail(20), HasSubstr("/nonexistent/bot"));
}

TEST_F(BotProcessTest, SimpleCommandIsNoChildOfAShell) {
  const auto process = Start("sleep 1000");
  process->Terminate();
  AwaitExit();
  // A shell would say that its child was terminated, and not die itself.
  EXPECT_THAT(*process->ending(), HasSubstr("was killed by signal 15"));
}

TEST_F(BotProcessTest, DestroyingItKillsAllThatItStarted) {
  pid_t group;
  {
    const auto process = Start("sleep 1000 & sleep 1000 & exit 0");
    AwaitExit();
    group = process->pid();
    EXPECT_THAT(LiveProcessesOf(group), SizeIs(2));
  }
  // They are killed, and go as soon as they get to run.
  EXPECT_TRUE(Eventually([group] { return LiveProcessesOf(group).empty(); }));
}

// As a wrapper leaves it that starts the bot in the background and ends.
TEST_F(BotProcessTest, WhatHasLostItsParentAndItsSessionIsItsOwnAndDiesWithIt) {
  auto process = Start("(setsid sleep 1000 & echo $!); exec sleep 1000");
  pid_t orphan = 0;
  ASSERT_TRUE(Eventually([&] {
    const std::string said = process->LogTail(1);
    return absl::SimpleAtoi(absl::StripPrefix(said, "  | "), &orphan) &&
           LiveProcessesOf(orphan).size() == 1;
  }));
  EXPECT_TRUE(process->Owns(orphan));
  EXPECT_TRUE(process->Owns(process->pid()));
  process = nullptr;
  EXPECT_THAT(LiveProcessesOf(orphan), SizeIs(0));
}

TEST_F(BotProcessTest, ProcessesOfOthersAreNotItsOwn) {
  const auto process = Start("exec sleep 1000");
  BotProcess::Options options;
  options.command = "exec sleep 1000";
  options.output = BotOutput::Make(absl::StrCat(directory_.path(), "/other")).value();
  const auto other = BotProcess::Start(options);
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_FALSE(process->Owns((*other)->pid()));
  EXPECT_FALSE(process->Owns(getpid()));
  EXPECT_FALSE(process->Owns(1));
  EXPECT_FALSE(process->Owns(0)) << "a process that cannot be seen from here";
}

TEST_F(BotProcessTest, ProgramThatHasStartedOneCannotBeLookedInto) {
  const auto process = Start("exec sleep 1000");
  EXPECT_EQ(prctl(PR_GET_DUMPABLE), 0);
}

TEST_F(BotProcessTest, RunsOnItsProcessorsOnly) {
  cpu_set_t usable;
  ASSERT_EQ(sched_getaffinity(0, sizeof(usable), &usable), 0);
  int last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(last, &usable)) --last;
  const auto process = Start("grep Cpus_allowed_list /proc/self/status", {last});
  AwaitExit();
  EXPECT_EQ(process->LogTail(1), absl::StrCat("  | Cpus_allowed_list:    ", last));
}

TEST_F(BotProcessTest, OneThatIgnoresBeingTerminatedIsKilled) {
  const auto process = Start("trap '' TERM; echo ready; while :; do sleep 1000; done");
  ASSERT_TRUE(Eventually([&process] { return process->LogTail(1) == "  | ready"; }));
  process->Terminate();
  process->KillAfter(absl::ZeroDuration());
  AwaitExit();
  EXPECT_THAT(*process->ending(), HasSubstr("was killed by signal 9"));
}

// The bot of a program that is killed by a signal that it cannot take notice of.
TEST_F(BotProcessTest, NothingThatItStartedOutlivesTheProgram) {
  const std::string pids = absl::StrCat(directory_.path(), "/pids");
  const pid_t program = fork();
  if (program == 0) {
    BotProcess::Options options;
    options.command = absl::StrCat("sleep 1000 & (sleep 1000; :) & echo $$ > ", pids, "; wait");
    options.output = BotOutput::Make(absl::StrCat(directory_.path(), "/killed")).value();
    const auto process = BotProcess::Start(options);
    for (;;) pause();
  }
  pid_t group = 0;
  ASSERT_TRUE(Eventually([&] {
    std::ifstream file(pids);
    return (file >> group) && LiveProcessesOf(group).size() >= 3;
  }));
  kill(program, SIGKILL);
  waitpid(program, nullptr, 0);
  EXPECT_TRUE(Eventually([group] { return LiveProcessesOf(group).empty(); }));
}

std::string ShownTail(absl::string_view text, int lines) {
  return ShownLines(LastLines(text, lines));
}

TEST(ShownTail, ShowsTheLastLines) {
  EXPECT_EQ(ShownTail("one\ntwo\nthree\n", 2), "  | two\n  | three");
  EXPECT_EQ(ShownTail("one\ntwo", 5), "  | one\n  | two");
  EXPECT_EQ(ShownTail("", 5), "");
}

TEST(ShownTail, KeepsTextAndEscapesWhatATerminalWouldObey) {
  EXPECT_EQ(ShownTail("say \"h\xc3\xb6\"\t\x1b[2J\xc2\x9b\rx\r\n", 5),
            "  | say \"h\xc3\xb6\"    \\x1b[2J\\xc2\\x9b\\x0dx");
  EXPECT_EQ(ShownTail("\xff ok", 1), "  | \\xff ok");
}

TEST(ShownTail, CutsLongLines) {
  EXPECT_THAT(ShownTail(std::string(5000, 'x'), 1).size(), ::testing::Lt(400u));
}

TEST(TempDirTest, IsGoneWithAllThatIsInIt) {
  std::string path;
  {
    const TempDir directory = TempDir::Make().value();
    path = directory.path();
    ASSERT_EQ(system(absl::StrCat("mkdir ", path, "/a && touch ", path, "/a/b").c_str()), 0);
    EXPECT_EQ(access(path.c_str(), R_OK), 0);
  }
  EXPECT_NE(access(path.c_str(), R_OK), 0);
}

TEST(TempDirTest, TheNextRemovesThatOfADeadProcessAndNoOther) {
  const TempDir parent = TempDir::Make().value();
  ASSERT_EQ(setenv("TMPDIR", parent.path().c_str(), 1), 0);
  const pid_t program = fork();
  if (program == 0) {
    const TempDir left = TempDir::Make().value();
    std::ofstream(absl::StrCat(left.path(), "/content")) << "of a dead process";
    kill(getpid(), SIGKILL);
  }
  waitpid(program, nullptr, 0);
  const auto folders = [&parent] {
    return std::distance(std::filesystem::directory_iterator(parent.path()), {});
  };
  const auto before = folders();  // its own lock, and what was left
  const TempDir first = TempDir::Make().value();
  EXPECT_EQ(folders(), before);
  {
    const TempDir second = TempDir::Make().value();
    EXPECT_EQ(access(first.path().c_str(), R_OK), 0) << "its process lives";
  }
  unsetenv("TMPDIR");
}

}  // namespace
}  // namespace referee::launch
