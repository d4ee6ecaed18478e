// Claims about when a stream ends for its token.
#include "referee/service/play/sessions.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "referee/base/limits.h"
#include "referee/service/errors.h"
#include "tests/support/simulated_time.h"

namespace referee::service {
namespace {

// Knows by heart whose token is good; says nothing else.
class MemoryAuthenticator final : public Authenticator {
 public:
  void Set(const std::string& name, absl::string_view token) { good_[name] = HashToken(token); }
  // As another process does: known after a Refresh.
  void SetElsewhere(const std::string& name, absl::string_view token) {
    elsewhere_[name] = HashToken(token);
  }

  absl::StatusOr<Identity> Find(const TokenHash&) const override { return UnknownToken(); }
  absl::Status Recheck(absl::string_view name, const TokenHash& hash) const override {
    const auto it = good_.find(std::string(name));
    if (it == good_.end()) return AccountRemoved(name);
    return it->second == hash ? absl::OkStatus() : TokenRenewed(name);
  }
  absl::Status CheckExpiry(absl::string_view name) const override {
    return expired ? TokenExpired(name, absl::UnixEpoch()) : absl::OkStatus();
  }
  absl::Status Refresh() override {
    for (const auto& [name, hash] : elsewhere_) good_[name] = hash;
    return absl::OkStatus();
  }
  bool KnowsBot(absl::string_view) const override { return false; }
  bool HasOrganiser() const override { return false; }

  bool expired = false;

 private:
  std::map<std::string, TokenHash> good_;
  std::map<std::string, TokenHash> elsewhere_;
};

class SessionsTest : public ::testing::Test {
 protected:
  SessionsTest() { known_.Set("alice", "old"); }

  uint64_t Open(absl::string_view token) {
    return sessions_->Add({"10.0.0.7", "alice", HashToken(token)}, [this](const absl::Status& why) {
      ++ended_;
      why_ = why;
    });
  }

  MemoryAuthenticator known_;
  const std::shared_ptr<Sessions> sessions_ = std::make_shared<Sessions>(&known_);
  int ended_ = 0;
  absl::Status why_;
};

TEST_F(SessionsTest, StayAsLongAsTheirTokenIsGood) {
  Open("old");
  sessions_->Recheck("alice");
  EXPECT_EQ(ended_, 0);
}

TEST_F(SessionsTest, EndWithAReasonWhenTheTokenIsRenewed) {
  Open("old");
  known_.Set("alice", "new");
  Open("new");
  sessions_->Recheck("bob");
  EXPECT_EQ(ended_, 0) << "another's";
  sessions_->Recheck("alice");
  EXPECT_EQ(ended_, 1) << "the one that the new token opened goes on";
  EXPECT_EQ(why_, TokenRenewed("alice"));
}

TEST_F(SessionsTest, EndAtOnceIfTheTokenWentBadWhileTheyWereOpened) {
  known_.Set("alice", "new");
  Open("old");
  EXPECT_EQ(ended_, 1);
}

TEST_F(SessionsTest, EndWhenTheTokenEndsOrDoWhatTheyDoThen) {
  Open("old");
  int expired = 0;
  sessions_->Add(
      {"10.0.0.7", "alice", HashToken("old")}, [](const absl::Status&) { ADD_FAILURE(); },
      [&](const absl::Status& why) {
        ++expired;
        EXPECT_EQ(why, TokenExpired("alice", absl::UnixEpoch()));
      });
  sessions_->Add({"10.0.0.7", "", absl::nullopt}, [](const absl::Status&) { ADD_FAILURE(); });
  known_.expired = true;
  sessions_->Recheck();
  sessions_->Recheck();
  EXPECT_EQ(ended_, 2);
  EXPECT_EQ(why_, TokenExpired("alice", absl::UnixEpoch()));
  EXPECT_EQ(expired, 2);
}

TEST_F(SessionsTest, AreNotEndedOnceTheyAreRemoved) {
  sessions_->Remove(Open("old"));
  known_.Set("alice", "new");
  sessions_->Recheck("alice");
  EXPECT_EQ(ended_, 0);
}

TEST_F(SessionsTest, EndSoonWhenAnotherProcessRenewedTheToken) {
  referee::testing::SimulatedClock clock;
  referee::testing::SimulatedTimers timers(&clock);
  sessions_->RecheckFromTimeToTime(&clock, &timers);
  Open("old");
  timers.Advance(3 * limits::kTokenRecheck);
  EXPECT_EQ(ended_, 0);
  known_.SetElsewhere("alice", "new");
  timers.Advance(limits::kTokenRecheck);
  EXPECT_EQ(ended_, 1);
}

}  // namespace
}  // namespace referee::service
