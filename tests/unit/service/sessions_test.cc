// Tests of when a stream ends because of its token.
#include "referee/service/play/sessions.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

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

TEST_F(SessionsTest, EndWhenTheTokenEnds) {
  Open("old");
  sessions_->Add({"10.0.0.7", "", absl::nullopt}, [](const absl::Status&) { ADD_FAILURE(); });
  known_.expired = true;
  sessions_->Recheck();
  EXPECT_EQ(ended_, 1);
  EXPECT_EQ(why_, TokenExpired("alice", absl::UnixEpoch()));
}

TEST_F(SessionsTest, OfBotsHearEachTimeWhetherTheirHolderIsShutOut) {
  std::vector<absl::Status> said;
  sessions_->AddBot({"10.0.0.7", "alice", HashToken("old")},
                    [&](const absl::Status& why) { said.push_back(why); });
  known_.expired = true;
  sessions_->Recheck();
  known_.expired = false;
  sessions_->Recheck();
  EXPECT_EQ(said,
            (std::vector<absl::Status>{absl::OkStatus(), TokenExpired("alice", absl::UnixEpoch()),
                                       absl::OkStatus()}));
}

TEST_F(SessionsTest, AreKnownByWhereTheyComeFrom) {
  Open("old");
  Open("old");
  sessions_->AddBot({"10.1.0.7", "bob", absl::nullopt}, [](const absl::Status&) {});
  sessions_->AddBot({"unix", "carol", absl::nullopt}, [](const absl::Status&) {});
  const auto from = [this](const char* range) {
    return sessions_->NamesFrom(IpRange::Parse(range).value());
  };
  EXPECT_EQ(from("10.0.0.0/16"), std::vector<std::string>{"alice"});
  EXPECT_EQ(from("10.0.0.0/8"), (std::vector<std::string>{"alice", "bob"}));
  EXPECT_TRUE(from("10.0.0.8").empty());
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
