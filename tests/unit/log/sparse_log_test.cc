#include "referee/log/sparse_log.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/limits.h"
#include "referee/log/limits.h"
#include "tests/support/simulated_time.h"

namespace referee::log {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

class SparseLogTest : public ::testing::Test {
 protected:
  void Tell(absl::string_view name, absl::string_view account = "") {
    log_.Tell(Event(Level::kWarning, name, "").With(kAccount, account));
  }

  testing::SimulatedClock clock_;
  std::vector<std::string> heard_;
  SparseLog log_{&clock_, [this](const Event& event) {
                   heard_.push_back(
                       absl::StrCat(event.name, " ", event.fields[kAccount], " ", event.left_out));
                 }};
};

TEST_F(SparseLogTest, IsHeardAtOnceAndThenOnceAMinuteWithHowManyWereLeftOut) {
  for (int i = 0; i < 10; ++i) Tell("limit");
  EXPECT_THAT(heard_, ElementsAre("limit  0"));
  clock_.Advance(limits::kSameLineInterval);
  Tell("limit");
  Tell("limit");
  EXPECT_THAT(heard_, ElementsAre("limit  0", "limit  9"));
}

TEST_F(SparseLogTest, TellsNamesAndAccountsApart) {
  for (int i = 0; i < 2; ++i) {
    Tell("limit", "ann");
    Tell("limit", "ben");
    Tell("other", "ann");
  }
  EXPECT_THAT(heard_, ElementsAre("limit ann 0", "limit ben 0", "other ann 0"));
}

TEST_F(SparseLogTest, KnowsSoManyKindsAndNoMore) {
  for (size_t i = 0; i < 10 * limits::kMaxSparseKeys; ++i) Tell("limit", absl::StrCat(i));
  EXPECT_THAT(heard_, SizeIs(limits::kMaxSparseKeys + 1));
}

TEST(SparseLog, WithoutALogTellsNobody) {
  const testing::SimulatedClock clock;
  SparseLog(&clock, nullptr).Tell(Event(Level::kInfo, "x", ""));
}

}  // namespace
}  // namespace referee::log
