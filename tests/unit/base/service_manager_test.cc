#include "referee/base/service_manager.h"

#include <stdlib.h>
#include <unistd.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/notify_socket.h"
#include "tests/support/temp_folder.h"

namespace referee {
namespace {

using ::referee::testing::NotifySocket;
using ::testing::ElementsAre;
using ::testing::StartsWith;

class ServiceManagerTest : public ::testing::Test {
 protected:
  ServiceManagerTest() : socket_(folder_.Path("notify")) {}
  ~ServiceManagerTest() override {
    for (const char* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"}) unsetenv(name);
  }

  const testing::TempFolder folder_;
  NotifySocket socket_;
};

TEST_F(ServiceManagerTest, HearsAProgramFromItsStartToItsEnd) {
  ASSERT_TRUE(socket_.bound());
  const ServiceManager manager(socket_.path(), absl::Seconds(30));
  manager.StillStarting("reads", absl::Minutes(5));
  EXPECT_THAT(socket_.Await("EXTEND"),
              ElementsAre("EXTEND_TIMEOUT_USEC=300000000", "STATUS=reads"));
  manager.Ready("serves");
  EXPECT_THAT(socket_.Await("READY"), ElementsAre("READY=1", "STATUS=serves"));
  manager.Beat();
  EXPECT_THAT(socket_.Await("WATCHDOG"), ElementsAre("WATCHDOG=1"));
  manager.Reloading();
  EXPECT_THAT(socket_.Await("RELOADING"),
              ElementsAre("RELOADING=1", StartsWith("MONOTONIC_USEC=")));
  manager.Stopping("drains", absl::Seconds(2));
  EXPECT_THAT(socket_.Await("STOPPING"),
              ElementsAre("STOPPING=1", "EXTEND_TIMEOUT_USEC=2000000", "STATUS=drains"));
}

TEST_F(ServiceManagerTest, StatusIsOneLineWhateverItSays) {
  ServiceManager(socket_.path(), absl::InfiniteDuration()).Status("a\nSTOPPING=1");
  EXPECT_THAT(socket_.Await("STATUS"), ElementsAre("STATUS=a STOPPING=1"));
}

TEST_F(ServiceManagerTest, IsFoundInTheEnvironment) {
  setenv("NOTIFY_SOCKET", socket_.path().c_str(), 1);
  setenv("WATCHDOG_USEC", "30000000", 1);
  setenv("WATCHDOG_PID", absl::StrCat(getpid()).c_str(), 1);
  const ServiceManager manager = ServiceManager::FromEnvironment();
  EXPECT_EQ(manager.beat_period(), absl::Seconds(10));
  manager.Ready("");
  EXPECT_THAT(socket_.Await("READY"), ElementsAre("READY=1", "STATUS="));
}

TEST_F(ServiceManagerTest, DoesNotWatchAnotherProcessOrWithoutATime) {
  EXPECT_EQ(ServiceManager::FromEnvironment().beat_period(), absl::InfiniteDuration());
  setenv("WATCHDOG_USEC", "30000000", 1);
  setenv("WATCHDOG_PID", "1", 1);
  EXPECT_EQ(ServiceManager::FromEnvironment().beat_period(), absl::InfiniteDuration());
  setenv("WATCHDOG_USEC", "-1", 1);
  unsetenv("WATCHDOG_PID");
  EXPECT_EQ(ServiceManager::FromEnvironment().beat_period(), absl::InfiniteDuration());
}

TEST(NoServiceManager, IsToldNothing) {
  ServiceManager("", absl::InfiniteDuration()).Ready("");
  ServiceManager("/there/is/nobody", absl::InfiniteDuration()).Beat();
  ServiceManager(std::string(200, 'x'), absl::InfiniteDuration()).Ready("");
}

}  // namespace
}  // namespace referee
