// Claims about waiting for the end of a lease that a referee had before.
#include "referee/node/instances.h"

#include <functional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/memory_store.h"
#include "tests/support/simulated_time.h"

namespace referee::node {
namespace {

using ::testing::HasSubstr;

class FormerLeaseTest : public ::testing::Test {
 protected:
  void Renew(const std::string& owner) {
    ASSERT_TRUE(store_.RenewLease(owner, absl::Seconds(15)).ok());
  }
  // Calls `meanwhile`, if it is not null, after each wait. Returns how long it waited.
  absl::StatusOr<absl::Duration> Await(std::vector<std::string> owners,
                                       const std::function<void()>& meanwhile = nullptr) {
    const Instant begun = clock_.Now();
    const absl::Status ended = AwaitLeaseEnd(&store_, owners, [&](absl::Duration duration) {
      clock_.Advance(duration);
      if (meanwhile) meanwhile();
    });
    if (!ended.ok()) return ended;
    return clock_.Now() - begun;
  }

  testing::SimulatedClock clock_;
  test::MemoryStore store_{&clock_};
};

TEST_F(FormerLeaseTest, WaitsForNobodyWhoHasNone) {
  EXPECT_EQ(Await({"one"}).value(), absl::ZeroDuration());
  Renew("other");
  EXPECT_EQ(Await({"one"}).value(), absl::ZeroDuration());
  EXPECT_EQ(Await({}).value(), absl::ZeroDuration());
}

TEST_F(FormerLeaseTest, WaitsUntilAllHaveEnded) {
  Renew("one");
  clock_.Advance(absl::Seconds(5));
  Renew("two");
  EXPECT_EQ(Await({"one", "two"}, [this] { Renew("other"); }).value(), absl::Seconds(15));
}

TEST_F(FormerLeaseTest, WhoRenewsItStillRuns) {
  Renew("one");
  int waits = 0;
  const absl::Status status = Await({"one"}, [&] {
                                if (++waits == 5) Renew("one");
                              }).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("'one'"));
  EXPECT_EQ(waits, 5);
}

}  // namespace
}  // namespace referee::node
