#include "referee/host/pulse.h"

#include <memory>

#include "gtest/gtest.h"
#include "tests/support/simulated_time.h"

namespace referee::host {
namespace {

class PulseTest : public ::testing::Test {
 protected:
  testing::SimulatedClock clock_;
  testing::SimulatedTimers timers_{&clock_};
  testing::HeldExecutor seals_;
  testing::HeldExecutor mailboxes_;
  int beats_ = 0;
  std::shared_ptr<Pulse> pulse_ = Pulse::Make(
      {&clock_, &timers_, {&seals_, &mailboxes_}, absl::Seconds(10), [this] { ++beats_; }});
};

TEST_F(PulseTest, BeatsAtOnceAndThenEveryPeriod) {
  timers_.Advance(absl::ZeroDuration());
  EXPECT_EQ(beats_, 1);
  timers_.Advance(absl::Seconds(100));
  EXPECT_EQ(beats_, 11);
}

TEST_F(PulseTest, EndsWhileAnyExecutorHangsAndGoesOnAfterwards) {
  for (testing::HeldExecutor* const hanging : {&seals_, &mailboxes_}) {
    timers_.Advance(absl::Seconds(10));
    hanging->Hold();
    const int before = beats_;
    timers_.Advance(absl::Minutes(10));
    EXPECT_EQ(beats_, before);
    hanging->Release();
    EXPECT_EQ(beats_, before + 1);
    timers_.Advance(absl::Seconds(10));
    EXPECT_EQ(beats_, before + 2);
  }
}

TEST_F(PulseTest, HasNoBeatAfterClose) {
  mailboxes_.Hold();
  timers_.Advance(absl::ZeroDuration());
  pulse_->Close();
  mailboxes_.Release();
  timers_.Advance(absl::Minutes(1));
  EXPECT_EQ(beats_, 0);
}

}  // namespace
}  // namespace referee::host
