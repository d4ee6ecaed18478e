// Tests of a disk that is nearly full.
//
// No match begins, running matches end, and matches begin again by themselves once there is room.
#include "referee/host/disk_watch.h"

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/host/host_fixture.h"

namespace referee::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr uint64_t kMark = 1600;

class DiskWatchTest : public ::testing::Test {
 protected:
  void Watch() {
    host::DiskWatch::Options options;
    options.host = hall_.host.get();
    options.clock = &hall_.clock;
    options.timers = &hall_.timers;
    options.executor = &disk_;
    options.free_bytes = [this] { return free_; };
    options.min_free = kMark;
    options.on_change = [this](const std::string& why) { told_.push_back(why); };
    options.on_answer = [this](const absl::Status& status) { answers_.push_back(status); };
    watch_ = std::make_unique<host::DiskWatch>(options);
  }
  void Pass() { hall_.timers.Advance(host::DiskWatch::kPeriod); }

  HostFixture hall_;
  HeldExecutor disk_;
  absl::StatusOr<uint64_t> free_ = uint64_t{kMark};
  std::vector<std::string> told_;
  std::vector<absl::Status> answers_;
  std::unique_ptr<host::DiskWatch> watch_;
};

TEST(DiskRoom, IsHeldBackBelowTheMarkAndUntilThereIsASixteenthMore) {
  EXPECT_FALSE(host::HoldsBack(kMark, kMark, false));
  EXPECT_TRUE(host::HoldsBack(kMark - 1, kMark, false));
  EXPECT_TRUE(host::HoldsBack(kMark + kMark / 16 - 1, kMark, true));
  EXPECT_FALSE(host::HoldsBack(kMark + kMark / 16, kMark, true));
  constexpr uint64_t kAll = std::numeric_limits<uint64_t>::max();
  EXPECT_TRUE(host::HoldsBack(kAll - 1, kAll, true));
}

TEST_F(DiskWatchTest, NoMatchBeginsBelowTheMarkAndThoseThatWaitBeginWhenThereIsRoom) {
  hall_.Come("ada", 2);
  const MatchId waiting = hall_.Create({"ada", "bob"});
  Watch();
  free_ = uint64_t{kMark - 1};
  Pass();
  ASSERT_THAT(told_, SizeIs(1));
  EXPECT_THAT(told_[0], HasSubstr("--min-free"));
  hall_.Come("bob", 2);
  EXPECT_EQ(hall_.host->running(), 0);
  const absl::Status refused = hall_.host->Create(hall_.Request({"ada", "bob"}), "").status();
  EXPECT_TRUE(absl::IsResourceExhausted(refused)) << refused;
  EXPECT_EQ(hall_.host->Look({}).held_back, told_[0]);

  free_ = uint64_t{2 * kMark};
  Pass();
  ASSERT_THAT(told_, SizeIs(2));
  EXPECT_EQ(told_[1], "");
  EXPECT_EQ(hall_.host->running(), 1);
  EXPECT_TRUE(hall_.host->Find(waiting)->begun());
  EXPECT_TRUE(hall_.host->Create(hall_.Request({"ada", "bob"}), "").ok());
}

TEST_F(DiskWatchTest, RunningMatchesGoOnBelowTheMark) {
  const HostFixture::Guest ada = hall_.Come("ada");
  const HostFixture::Guest bob = hall_.Come("bob");
  const MatchId id = hall_.Create({"ada", "bob"}, /*target=*/1);
  free_ = uint64_t{0};
  Watch();
  hall_.Ready(id, ada);
  hall_.Ready(id, bob);
  hall_.Reply(id, ada, 1);
  EXPECT_TRUE(hall_.host->Find(id)->over());
}

TEST_F(DiskWatchTest, AllStaysAsItIsWhileTheDiskCannotBeAsked) {
  free_ = uint64_t{0};
  Watch();
  free_ = absl::UnavailableError("gone");
  Pass();
  Pass();
  EXPECT_THAT(told_, SizeIs(1));
  EXPECT_NE(hall_.host->Look({}).held_back, "");
  ASSERT_THAT(answers_, SizeIs(1)) << "it is said once";
  EXPECT_EQ(answers_[0].message(), "gone");
  free_ = uint64_t{2 * kMark};
  Pass();
  EXPECT_THAT(told_, SizeIs(2));
  ASSERT_THAT(answers_, SizeIs(2));
  EXPECT_TRUE(answers_[1].ok());
}

TEST_F(DiskWatchTest, NothingWaitsForADiskThatHangs) {
  Watch();
  disk_.Hold();
  free_ = uint64_t{0};
  Pass();
  Pass();
  EXPECT_TRUE(hall_.host->Create(hall_.Request({"ada", "bob"}), "").ok());
  EXPECT_TRUE(disk_.Step());
  EXPECT_FALSE(disk_.Step()) << "it is asked once at a time";
  EXPECT_THAT(told_, SizeIs(1));
  disk_.Release();
}

TEST_F(DiskWatchTest, AMatchThatWaitsForTooLongMeanwhileSaysWhy) {
  hall_.Come("ada");
  Watch();
  const MatchId id = hall_.Create({"ada", "dan"});
  free_ = uint64_t{0};
  Pass();
  hall_.Come("dan");
  hall_.timers.Advance(limits::kSeatLimit);
  EXPECT_THAT(hall_.EndOf(id)->reason, HasSubstr("--min-free"));
}

}  // namespace
}  // namespace referee::testing
