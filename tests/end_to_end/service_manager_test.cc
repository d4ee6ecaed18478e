// What refereed and refgate tell a service manager that listens as systemd does.

#include <signal.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/end_to_end/program.h"
#include "tests/support/notify_socket.h"

namespace referee::end_to_end {
namespace {

using ::referee::testing::NotifySocket;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsSupersetOf;
using ::testing::StartsWith;

class ServiceManagerHears : public SandboxTest {
 protected:
  ServiceManagerHears() : manager_(Path("notify")) { EXPECT_TRUE(manager_.bound()); }

  pid_t Start(const std::vector<std::string>& command) {
    return sandbox_.Start(command, {{"NOTIFY_SOCKET", manager_.path()}, {"WATCHDOG_USEC", "3000"}});
  }
  // What was said with a line that begins so, or with the next one.
  std::vector<std::string> Await(absl::string_view line) { return manager_.Await(line); }

  NotifySocket manager_;
};

TEST_F(ServiceManagerHears, RefereedFromItsStartToItsEnd) {
  const pid_t pid = Start({"refereed", "--listen=127.0.0.1:0", "--data-dir", Path("data"),
                           "--drain-timeout=90s", "--metrics=0"});
  EXPECT_THAT(Await("READY=1"), ElementsAre("READY=1", StartsWith("STATUS=listens on 127.0.0.1:")));
  EXPECT_THAT(manager_.passed(), IsSupersetOf({"EXTEND_TIMEOUT_USEC=300000000",
                                               "STATUS=opens its store", "STATUS=serves"}));
  for (int i = 0; i < 10; ++i) EXPECT_THAT(Await("WATCHDOG"), ElementsAre("WATCHDOG=1"));
  kill(pid, SIGHUP);
  EXPECT_THAT(Await("RELOADING"), Contains(StartsWith("MONOTONIC_USEC=")));
  EXPECT_THAT(Await("READY"), Contains("READY=1"));
  kill(pid, SIGTERM);
  EXPECT_THAT(Await("STOPPING"),
              ElementsAre("STOPPING=1", "EXTEND_TIMEOUT_USEC=120000000", "STATUS=drains"));
  EXPECT_EQ(sandbox_.Await(pid).status, 0);
}

TEST_F(ServiceManagerHears, RefgateFromItsStartToItsEnd) {
  const pid_t pid = Start({"refgate", "--referee=127.0.0.1:1", "--listen=127.0.0.1:0"});
  EXPECT_THAT(Await("READY=1"), ElementsAre("READY=1", StartsWith("STATUS=listens on ")));
  for (int i = 0; i < 10; ++i) EXPECT_THAT(Await("WATCHDOG"), ElementsAre("WATCHDOG=1"));
  kill(pid, SIGTERM);
  EXPECT_THAT(Await("STOPPING"), Contains("STOPPING=1"));
  EXPECT_EQ(sandbox_.Await(pid).status, 0);
}

}  // namespace
}  // namespace referee::end_to_end
