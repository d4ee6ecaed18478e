// Tests of reading a log while a referee writes to it.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "referee/replay/framing.h"
#include "referee/replay/log.h"
#include "tests/support/match_id.h"
#include "tests/support/memory_log_disk.h"

namespace referee::replay {
namespace {

// The matches that are open, and their records; or what is wrong with one.
using Matches = std::map<std::string, std::string>;

class RunningLog : public ::testing::Test {
 protected:
  static constexpr size_t kSegment = 4 * kLogPageBytes;

  RunningLog() {
    Log::Options options;
    options.disk = &disk_;
    options.segment_bytes = kSegment;
    options.own_threads = false;
    log_ = Log::Start(std::move(options), Log::Read(disk_).value()).value();
  }

  std::string DrawRecord() {
    const size_t bytes = 1 + random_() % 300;
    std::string record;
    AppendVarint(static_cast<uint32_t>(bytes), &record);
    return record.append(bytes, static_cast<char>('a' + random_() % 26));
  }
  // Opens a match, goes on with one or closes it.
  void Step() {
    if (open_.empty() || (open_.size() < 5 && random_() % 4 == 0)) {
      const MatchId id = testing::NumberedId(states_.size());
      const std::string record = DrawRecord();
      open_.push_back(log_->Open(id, record, 1).value());
      matches_[id.text()] = record;
    } else if (const size_t i = random_() % open_.size(); random_() % 6 == 0) {
      EXPECT_TRUE(log_->Close(open_[i].get(), LogFrame::Kind::kSealed).ok());
      matches_.erase(open_[i]->id().text());
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      const std::string record = DrawRecord();
      EXPECT_TRUE(log_->Append(open_[i].get(), record, 1).ok());
      matches_[open_[i]->id().text()] += record;
    }
    states_.push_back(matches_);
  }
  static Matches In(const Log::Contents& contents) {
    Matches matches;
    for (const Log::Left& left : contents.left) {
      matches[left.line->id().text()] =
          left.damage.empty() ? left.line->records_read() : left.damage;
    }
    return matches;
  }

  testing::MemoryLogDisk disk_;
  std::unique_ptr<Log> log_;
  std::mt19937 random_{1};
  std::vector<std::shared_ptr<Log::Line>> open_;
  Matches matches_;
  std::vector<Matches> states_;  // after each step
};

TEST_F(RunningLog, IsReadAsItWasAtOneMoment) {
  disk_.on_read = [this](uint32_t) {
    for (auto steps = random_() % 4; steps > 0; --steps) Step();
  };
  for (int i = 0; i < 500; ++i) {
    Step();
    const size_t first = states_.size() - 1;
    const absl::StatusOr<Log::Contents> contents = Log::ReadRunning(disk_);
    ASSERT_TRUE(contents.ok()) << contents.status();
    const auto begin = states_.begin() + static_cast<std::ptrdiff_t>(first);
    ASSERT_NE(std::find(begin, states_.end(), In(*contents)), states_.end()) << "read " << i;
  }
  EXPECT_GT(disk_.made(), 4);
}

TEST_F(RunningLog, SaysThatItGoesOnFasterThanItCanBeRead) {
  disk_.on_read = [this](uint32_t) {
    for (int i = 0; i < 200; ++i) Step();
  };
  EXPECT_TRUE(absl::IsUnavailable(Log::ReadRunning(disk_).status()));
}

}  // namespace
}  // namespace referee::replay
