// Tests of how long a link waits: for a Welcome, for its matches to be announced again, for any
// data.
#include "sdk/cpp/src/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/sdk/client_under_test.h"

namespace referee::sdk {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

sockaddr_un SocketAt(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path, sizeof(address.sun_path), "%s", path.c_str());
  return address;
}

// Passes on the bytes of one connection to a referee, until it hangs: then it neither reads nor
// writes, the connection stays open, and no other is accepted.
class HangingRelay {
 public:
  explicit HangingRelay(const std::string& referee) : path_(folder_.Path("relay")) {
    const sockaddr_un own = SocketAt(path_);
    const sockaddr_un other = SocketAt(referee.substr(std::string("unix:").size()));
    listener_ = socket(AF_UNIX, SOCK_STREAM, 0);
    referee_ = socket(AF_UNIX, SOCK_STREAM, 0);
    EXPECT_EQ(bind(listener_, reinterpret_cast<const sockaddr*>(&own), sizeof(own)), 0);
    EXPECT_EQ(listen(listener_, 8), 0);
    EXPECT_EQ(connect(referee_, reinterpret_cast<const sockaddr*>(&other), sizeof(other)), 0);
    thread_ = std::thread([this] { PassOn(); });
  }
  ~HangingRelay() {
    close(bot_);
    close(referee_);
  }
  std::string address() const { return "unix:" + path_; }
  // Call it once.
  void Hang() {
    hangs_ = true;
    thread_.join();
    close(listener_);
  }

 private:
  void PassOn() {
    while (!hangs_) {
      pollfd ends[] = {
          {bot_ < 0 ? listener_ : bot_, POLLIN, 0},
          {referee_, POLLIN, 0},
      };
      poll(ends, 2, /*timeout=*/10);
      if (bot_ < 0) {
        if (ends[0].revents != 0) bot_ = accept(listener_, nullptr, nullptr);
        continue;
      }
      if (ends[0].revents != 0) Copy(bot_, referee_);
      if (ends[1].revents != 0) Copy(referee_, bot_);
    }
  }
  static void Copy(int from, int to) {
    char bytes[4096];
    const ssize_t size = read(from, bytes, sizeof(bytes));
    if (size <= 0) return;
    EXPECT_EQ(write(to, bytes, static_cast<size_t>(size)), size);
  }

  testing::TempFolder folder_;
  const std::string path_;
  int listener_;
  int referee_;
  int bot_ = -1;
  std::atomic<bool> hangs_{false};
  std::thread thread_;
};

// A link on a thread of its own, to a FakeReferee.
class SdkLink : public ::testing::Test, public Link::Owner {
 protected:
  SdkLink() {
    options_.address = referee_.address();
    options_.backoff = [](int) { return absl::ZeroDuration(); };
  }
  // Not in the destructor: the link may call its owner until it has ended.
  void TearDown() override {
    link_->Stop();
    thread_.join();
  }
  void Start() {
    link_ = std::make_unique<Link>(this, options_, &logger_, limits_);
    thread_ = std::thread([this] { link_->Run().IgnoreError(); });
  }

  // Link::Owner.
  v1::Hello Hello() const override { return {}; }
  void Hear(const std::shared_ptr<const Batch>&) override { heard_.Open(); }
  void ForgetAllBut(uint64_t stream) override {
    forgets_all_but_ = stream;
    forgets_.Open();
  }

  FakeReferee referee_;
  FakeReferee other_;
  Options options_;
  LinkLimits limits_;
  LogLines log_;
  const Logger logger_{LogLevel::kInfo,
                       [this](LogLevel, absl::string_view line) { log_.Add(line); }};
  Gate heard_;
  Gate forgets_;
  uint64_t forgets_all_but_ = 0;
  std::unique_ptr<Link> link_;
  std::thread thread_;
};

TEST_F(SdkLink, GivesUpADialThatIsNotAnsweredAndWaitsLongerForTheNext) {
  limits_.dial = absl::Milliseconds(20);
  limits_.longest_dial = absl::Milliseconds(50);
  std::vector<absl::Time> failed = {absl::Now()};
  Gate often;
  options_.backoff = [&](int) {
    failed.push_back(absl::Now());
    if (failed.size() == 4) often.Open();
    return failed.size() < 4 ? absl::ZeroDuration() : absl::Hours(1);
  };
  Start();
  often.WaitUntilOpen();
  EXPECT_GE(failed[1] - failed[0], absl::Milliseconds(20));
  EXPECT_GE(failed[2] - failed[1], absl::Milliseconds(40));
  EXPECT_GE(failed[3] - failed[2], absl::Milliseconds(50));
  EXPECT_THAT(log_.All(), Contains(HasSubstr("it does not answer")));
}

TEST_F(SdkLink, HasTheMatchesForgottenThatAWelcomedStreamHasNotToldAgain) {
  limits_.retelling = absl::ZeroDuration();
  Start();
  EXPECT_TRUE(referee_.Hear().has_hello());
  referee_.EndStream(grpc::Status(grpc::UNAVAILABLE, "not yet"));
  referee_.Greet();
  forgets_.WaitUntilOpen();
  EXPECT_EQ(forgets_all_but_, 2u);
}

TEST_F(SdkLink, NoticesARefereeThatHangsAndGoesToAnother) {
  HangingRelay relay(referee_.address());
  options_.address = relay.address();
  limits_.keepalive = {absl::Milliseconds(50), absl::Milliseconds(50)};
  Start();
  EXPECT_TRUE(referee_.Hear().has_hello());
  v1::RefereeItem welcome = WelcomeItem();
  welcome.mutable_welcome()->add_addresses(other_.address());
  referee_.Say({welcome});
  heard_.WaitUntilOpen();
  relay.Hang();
  other_.Greet();
  EXPECT_THAT(log_.All(), Contains(HasSubstr("lost the referee at " + relay.address())));
}

}  // namespace
}  // namespace referee::sdk
