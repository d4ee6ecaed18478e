#include "referee/base/progress.h"

#include <sstream>

#include "gtest/gtest.h"

namespace referee {
namespace {

Instant At(absl::Duration time) { return Instant::FromNanos(0) + time; }

TEST(Progress, EstimatesWhatIsLeft) {
  EXPECT_EQ(ProgressText(0, 10, "matches", 2, absl::Milliseconds(100)),
            "0 of 10 matches, 2 running, 0.1s");
  EXPECT_EQ(ProgressText(4, 10, "matches", 2, absl::Seconds(2)),
            "4 of 10 matches, 2 running, 2.0s, about 3.0s left");
  EXPECT_EQ(ProgressText(4, 10, "matches", 2, absl::Seconds(80)),
            "4 of 10 matches, 2 running, 1m20s, about 2m left");
  EXPECT_EQ(ProgressText(1, 2, "replays", absl::nullopt, absl::Seconds(2)),
            "1 of 2 replays, 2.0s, about 2.0s left");
}

TEST(Progress, EstimatesNoEndOfWhatEndsWhenItIsDecided) {
  EXPECT_EQ(ProgressText(4, 1000, "matches", 2, absl::Seconds(2), Progress::Total::kMost),
            "4 of at most 1000 matches, 2 running, 2.0s");
  std::ostringstream out;
  Progress progress(&out, Progress::Style::kTerminal);
  progress.set_total(Progress::Total::kMost);
  progress.Show(4, 1000, 2, At(absl::Seconds(5)));
  EXPECT_EQ(out.str(), "\r\033[K4 of at most 1000 matches, 2 running, 0.0s");
}

TEST(Progress, RewritesOneLineOnATerminal) {
  std::ostringstream out;
  Progress progress(&out, Progress::Style::kTerminal);
  progress.Show(0, 10, 1, At(absl::Seconds(5)));
  progress.Show(1, 10, 1, At(absl::Seconds(5) + absl::Milliseconds(10)));
  progress.Clear();
  progress.Clear();
  EXPECT_EQ(out.str(), "\r\033[K0 of 10 matches, 1 running, 0.0s\r\033[K");
}

TEST(Progress, WritesALineNowAndThenElsewhere) {
  std::ostringstream out;
  Progress progress(&out, Progress::Style::kLines);
  for (int second = 0; second <= 25; ++second) {
    progress.Show(0, 10, 1, At(absl::Seconds(second)));
  }
  progress.Note("never shown");
  progress.Clear();
  EXPECT_EQ(out.str(),
            "0 of 10 matches, 1 running, 10.0s\n"
            "0 of 10 matches, 1 running, 20.0s\n");
}

TEST(Progress, IsQuietIfItIsToBe) {
  std::ostringstream out;
  Progress progress(&out, Progress::Style::kNone);
  progress.Show(1, 2, 1, At(absl::Hours(1)));
  progress.Note("never shown");
  progress.Clear();
  EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace referee
